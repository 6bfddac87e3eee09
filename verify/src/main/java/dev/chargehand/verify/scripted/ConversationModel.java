package dev.chargehand.verify.scripted;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
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
public record ConversationModel(String name, Function<List<Message>, ModelResponse> answers) implements Model {

    private static final Usage USAGE = Usage.of(10, 5);
    private static final Pattern FENCE = Pattern.compile("</?result-[^>]*>");

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) {
        ModelResponse answer = answers.apply(request.messages());
        if (!answer.text().isEmpty()) {
            call.delta(new ModelDelta.Text(answer.text()));
        }
        return answer;
    }

    /** Return what was last asked for by a user or by the agent above. */
    public static String task(List<Message> conversation) {
        return conversation.reversed().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .findFirst()
                .map(Message::text)
                .orElse("");
    }

    /** Return the words of a sub-agent in a result, without the fence around them. */
    public static String unfenced(Part.ToolResult result) {
        return FENCE.matcher(result.output()).replaceAll("").strip();
    }

    /** Return the results of all calls, without the fences around them. */
    public static List<String> results(List<Message> conversation) {
        return conversation.stream()
                .filter(message -> message.role() == Role.TOOL)
                .flatMap(message -> message.toolResults().stream())
                .map(ConversationModel::unfenced)
                .toList();
    }

    /** Make the answer that ends a run. */
    public static ModelResponse says(String text) {
        return ModelResponse.text(text, USAGE);
    }

    /** Make the answer that calls tools. */
    public static ModelResponse calls(List<ModelResponse.RequestedCall> calls) {
        return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, USAGE);
    }

    /**
     * Make a call.
     *
     * @param id the provider's id, unique within the answer
     * @param arguments any value with a JSON form
     */
    public static ModelResponse.RequestedCall call(String id, String tool, Object arguments) {
        return new ModelResponse.RequestedCall(id, tool, Json.of(arguments).text());
    }
}
