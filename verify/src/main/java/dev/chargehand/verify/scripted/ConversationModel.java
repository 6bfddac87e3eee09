package dev.chargehand.verify.scripted;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.Usage;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A model whose answer depends on the conversation only, so that a run that was interrupted and one that was not can
 * end alike. Thread-safe.
 *
 * @param name of the model
 * @param answers what it answers
 */
public record ConversationModel(String name, Function<List<Message>, ModelAnswer> answers) implements Model {

    private static final Usage USAGE = Usage.of(10, 5);
    private static final Pattern FENCE = Pattern.compile("</?result-[^>]*>");

    @Override
    public ModelAnswer ask(ModelRequest request, ModelCall call) {
        ModelAnswer answer = answers.apply(request.messages());
        if (!answer.text().isEmpty()) {
            call.delta(new ModelDelta.Text(answer.text()));
        }
        return answer;
    }

    /** Returns what was last asked for by a user or by the agent above. */
    public static String task(List<Message> conversation) {
        return conversation.reversed().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .findFirst()
                .map(Message::text)
                .orElse("");
    }

    /** Returns the words of a sub-agent in a result, without the fence around them. */
    public static String unfenced(Part.ToolResult result) {
        return FENCE.matcher(result.output()).replaceAll("").strip();
    }

    /** Makes the answer that ends a run. */
    public static ModelAnswer says(String text) {
        return ModelAnswer.text(text, USAGE);
    }

    /** Makes the answer that calls tools. */
    public static ModelAnswer calls(List<ModelAnswer.RequestedCall> calls) {
        return new ModelAnswer("", "", calls, FinishReason.TOOL_CALLS, USAGE);
    }

    /**
     * Makes a call.
     *
     * @param id the provider's id, unique within the answer
     * @param arguments whatever has a JSON form
     */
    public static ModelAnswer.RequestedCall call(String id, String tool, Object arguments) {
        return new ModelAnswer.RequestedCall(id, tool, Json.of(arguments).text());
    }
}
