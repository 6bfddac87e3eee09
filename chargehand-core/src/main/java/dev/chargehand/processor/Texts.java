package dev.chargehand.processor;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import java.util.List;
import java.util.function.UnaryOperator;

/** Changes the texts of a conversation and nothing else of it. */
final class Texts {

    private Texts() {}

    /** Change what was said, shown of reasoning and returned by tools; calls and images stay as they are. */
    static Processed<List<Message>> changed(List<Message> messages, UnaryOperator<String> change) {
        List<Message> changed = messages.stream()
                .map(message -> new Message(
                        message.id(),
                        message.role(),
                        message.parts().stream()
                                .map(part -> changed(part, change))
                                .toList(),
                        message.internal()))
                .toList();
        return changed.equals(messages) ? Processed.unchanged() : Processed.rewritten(changed);
    }

    /** What a provider wants back with its own words is void with others. */
    private static Part changed(Part.Reasoning reasoning, String text) {
        return text.equals(reasoning.text()) ? reasoning : new Part.Reasoning(text);
    }

    /** Change a result that is JSON value by value first, so that it stays JSON wherever its values decide. */
    private static String changed(String output, UnaryOperator<String> change) {
        if (!output.startsWith("{") && !output.startsWith("[")) {
            return change.apply(output);
        }
        try {
            return change.apply(Json.parse(output).withTexts(change).text());
        } catch (InvalidJsonException e) {
            return change.apply(output);
        }
    }

    private static Part changed(Part part, UnaryOperator<String> change) {
        return switch (part) {
            case Part.Text text -> new Part.Text(change.apply(text.text()));
            case Part.Reasoning reasoning -> changed(reasoning, change.apply(reasoning.text()));
            case Part.ToolResult result ->
                new Part.ToolResult(
                        result.callId(), result.toolName(), changed(result.output(), change), result.error());
            case Part.ToolCall ignored -> part;
            case Part.Image ignored -> part;
        };
    }
}
