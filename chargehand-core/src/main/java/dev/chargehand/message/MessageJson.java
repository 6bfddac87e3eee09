package dev.chargehand.message;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON form of a message: flat records and a closed list of kinds, so that data never chooses a class. */
record MessageJson(String id, Role role, List<PartJson> parts, boolean internal) {

    record PartJson(
            String kind,
            @Nullable String text,
            @Nullable String mediaType,
            @Nullable String url,
            @Nullable String callId,
            @Nullable String providerId,
            @Nullable String name,
            @Nullable String providerState,
            boolean error) {}

    static Json write(Message message) {
        return Json.of(new MessageJson(
                message.id(),
                message.role(),
                message.parts().stream().map(MessageJson::written).toList(),
                message.internal()));
    }

    static Message read(Json json) {
        MessageJson read = json.as(MessageJson.class);
        return new Message(
                read.id, read.role, read.parts.stream().map(MessageJson::part).toList(), read.internal);
    }

    private static PartJson written(Part part) {
        return switch (part) {
            case Part.Text p -> new PartJson("text", p.text(), null, null, null, null, null, null, false);
            case Part.Reasoning p ->
                new PartJson("reasoning", p.text(), null, null, null, null, null, p.providerState(), false);
            case Part.Image p -> new PartJson("image", null, p.mediaType(), p.url(), null, null, null, null, false);
            case Part.ToolCall p ->
                new PartJson("tool-call", p.arguments(), null, null, p.callId(), p.providerId(), p.name(), null, false);
            case Part.ToolResult p ->
                new PartJson("tool-result", p.output(), null, null, p.callId(), null, p.toolName(), null, p.error());
        };
    }

    private static Part part(PartJson stored) {
        return switch (stored.kind) {
            case "text" -> new Part.Text(need(stored.text, stored.kind));
            case "reasoning" -> new Part.Reasoning(need(stored.text, stored.kind), stored.providerState);
            case "image" -> new Part.Image(need(stored.mediaType, stored.kind), need(stored.url, stored.kind));
            case "tool-call" ->
                new Part.ToolCall(
                        need(stored.callId, stored.kind),
                        stored.providerId,
                        need(stored.name, stored.kind),
                        need(stored.text, stored.kind));
            case "tool-result" ->
                new Part.ToolResult(
                        need(stored.callId, stored.kind),
                        need(stored.name, stored.kind),
                        need(stored.text, stored.kind),
                        stored.error);
            default -> throw new InvalidJsonException("'" + stored.kind + "' is not a kind of message part.", null);
        };
    }

    private static String need(@Nullable String value, String kind) {
        if (value == null) {
            throw new InvalidJsonException("A message part of kind '" + kind + "' lacks a field.", null);
        }
        return value;
    }
}
