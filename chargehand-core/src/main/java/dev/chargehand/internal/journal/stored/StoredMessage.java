package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a message: flat records and a closed list of kinds, so that data never chooses a class. Texts that
 * cannot be encoded are repaired.
 */
public record StoredMessage(
        @JsonProperty("id") String id,
        @JsonProperty("role") Role role,
        @JsonProperty("parts") List<Piece> parts,
        @JsonProperty("internal") boolean internal) {

    /** The stored form of a part. A component that its kind does not have is stored as null. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Piece(
            @JsonProperty("kind") String kind,
            @JsonProperty("text") @Nullable String text,
            @JsonProperty("mediaType") @Nullable String mediaType,
            @JsonProperty("url") @Nullable String url,
            @JsonProperty("callId") @Nullable String callId,
            @JsonProperty("providerId") @Nullable String providerId,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("providerState") @Nullable String providerState,
            @JsonProperty("error") boolean error) {

        static Piece of(Part part) {
            return switch (part) {
                case Part.Text p -> new Piece("text", p.text(), null, null, null, null, null, null, false);
                case Part.Reasoning p ->
                    new Piece("reasoning", p.text(), null, null, null, null, null, whole(p.providerState()), false);
                case Part.Image p ->
                    new Piece("image", null, whole(p.mediaType()), whole(p.url()), null, null, null, null, false);
                case Part.ToolCall p ->
                    new Piece(
                            "tool-call",
                            p.arguments(),
                            null,
                            null,
                            whole(p.callId()),
                            whole(p.providerId()),
                            whole(p.name()),
                            null,
                            false);
                case Part.ToolResult p ->
                    new Piece(
                            "tool-result",
                            p.output(),
                            null,
                            null,
                            whole(p.callId()),
                            null,
                            whole(p.toolName()),
                            null,
                            p.error());
            };
        }

        Part toPart() {
            return switch (kind) {
                case "text" -> new Part.Text(need(text));
                case "reasoning" -> new Part.Reasoning(need(text), providerState);
                case "image" -> new Part.Image(need(mediaType), need(url));
                case "tool-call" -> new Part.ToolCall(need(callId), providerId, need(name), need(text));
                case "tool-result" -> new Part.ToolResult(need(callId), need(name), need(text), error);
                default -> throw new InvalidJsonException("'" + kind + "' is not a kind of message part.", null);
            };
        }

        private String need(@Nullable String value) {
            if (value == null) {
                throw new InvalidJsonException("A message part of kind '" + kind + "' lacks a field.", null);
            }
            return value;
        }

        private static @Nullable String whole(@Nullable String text) {
            return text == null ? null : WellFormed.text(text);
        }
    }

    /** Return the stored form of a message. */
    public static StoredMessage of(Message message) {
        return new StoredMessage(
                WellFormed.text(message.id()),
                message.role(),
                message.parts().stream().map(Piece::of).toList(),
                message.internal());
    }

    /** Return the message. */
    public Message toMessage() {
        return new Message(id, role, parts.stream().map(Piece::toPart).toList(), internal);
    }

    static List<StoredMessage> all(List<Message> messages) {
        return messages.stream().map(StoredMessage::of).toList();
    }

    static List<Message> toMessages(List<StoredMessage> stored) {
        return stored.stream().map(StoredMessage::toMessage).toList();
    }
}
