package dev.chargehand.config.internal.offline;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.run.Usage;
import java.util.List;
import java.util.Map;

/**
 * A rule-based stand-in for a language model, which states this under every answer.
 *
 * <p>An agent with sub-agents delegates to them one after another, those that find before those that write, and answers
 * with the last useful result. An agent with a tool that searches calls it with the question's keywords and lists what
 * came back. Any other agent quotes the sentences that fit the question best from the findings in its conversation. If
 * nothing is found, the agent quotes what its user said before, in this conversation or in recalled messages. No
 * citation is ever made up. Other tools are left alone, instructions are not understood, and settings change nothing.
 *
 * <p>Needs no network. Thread-safe and stateless: the same request gives the same answer. Usage is an estimate of four
 * characters per token.
 */
public final class OfflineModel implements Model {

    /** The note at the end of every answer. */
    static final String NOTICE = "(offline stand-in, not a language model: passages are quoted, not understood)";

    /** How an answer starts that has nothing to quote. */
    static final String NOTHING = "Nothing was found";

    private static final int CHARACTERS_PER_TOKEN = 4;
    private static final int WORDS_PER_DELTA = 12;

    /** Create the model. */
    public OfflineModel() {}

    /** Return whether a text is an answer of a stand-in that found nothing to quote. */
    public static boolean foundNothing(String answer) {
        return answer.startsWith(NOTHING) && answer.contains(NOTICE);
    }

    @Override
    public String name() {
        return "offline";
    }

    @Override
    public boolean isFree() {
        return true;
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted before the offline stand-in answered.");
        }
        return switch (decide(request)) {
            case Reply.Say say -> say(request, call, say.text().strip() + "\n\n" + NOTICE);
            case Reply.Call wanted -> call(request, call, wanted);
        };
    }

    private static Reply decide(ModelRequest request) {
        Conversation conversation = Conversation.of(request.messages());
        List<TextTool> subAgents = TextTool.subAgents(request.tools());
        if (!subAgents.isEmpty()) {
            return new Delegating(conversation, subAgents).reply();
        }
        return TextTool.search(request.tools())
                .map(tool -> new Searching(conversation, tool).reply())
                .orElseGet(() -> new Composing(conversation).reply());
    }

    private static ModelResponse say(ModelRequest request, ModelCall call, String text) {
        int from = 0;
        int words = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == ' ' && ++words % WORDS_PER_DELTA == 0) {
                call.delta(new ModelDelta.Text(text.substring(from, i)));
                from = i;
            }
        }
        call.delta(new ModelDelta.Text(text.substring(from)));
        return ModelResponse.text(text, usage(request, text.length()));
    }

    private static ModelResponse call(ModelRequest request, ModelCall call, Reply.Call wanted) {
        String name = wanted.tool().name();
        String arguments =
                Json.of(Map.of(wanted.tool().property(), wanted.text())).text();
        call.delta(new ModelDelta.ToolCallStart(0, name));
        call.delta(new ModelDelta.ToolCallArguments(0, arguments));
        call.delta(new ModelDelta.ToolCallEnd(0));
        return new ModelResponse(
                "",
                "",
                List.of(new RequestedCall(null, name, arguments)),
                FinishReason.TOOL_CALLS,
                usage(request, name.length() + arguments.length()));
    }

    private static Usage usage(ModelRequest request, int written) {
        long read = 0;
        for (Message message : request.messages()) {
            for (Part part : message.parts()) {
                read += switch (part) {
                    case Part.Text text -> text.text().length();
                    case Part.Reasoning ignored -> 0;
                    case Part.Image ignored -> 0;
                    case Part.ToolCall made ->
                        made.name().length() + made.arguments().length();
                    case Part.ToolResult result -> result.output().length();
                };
            }
        }
        for (ToolDefinition tool : request.tools()) {
            read += tool.name().length()
                    + tool.description().length()
                    + tool.input().json().text().length();
        }
        return Usage.of(tokens(read), tokens(written));
    }

    private static long tokens(long characters) {
        return Math.ceilDiv(characters, CHARACTERS_PER_TOKEN);
    }
}
