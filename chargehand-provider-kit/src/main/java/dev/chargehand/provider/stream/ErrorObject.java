package dev.chargehand.provider.stream;

import dev.chargehand.provider.fault.ErrorText;
import dev.chargehand.provider.fault.ProviderError;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the error object of an answer, with what single services put into it. Not thread-safe; one per object. */
final class ErrorObject {

    /** Of OpenRouter for a prompt that its moderation stopped. */
    private static final String FLAGGED = "moderation";

    private String code = "";
    private String type = "";
    private String message = "";
    private String reason = "";
    private String wait = "";
    private String behind = "";

    private ErrorObject() {}

    /**
     * Read the object that the parser has just entered.
     *
     * @param key the key that no error may show
     */
    static ProviderError read(JsonParser parser, String key) {
        ErrorObject error = new ErrorObject();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            error.field(name, parser);
        }
        String kind = error.reason.isEmpty() ? error.type : error.reason;
        return ProviderError.of(error.code, kind, error.words(), key).after(error.wait);
    }

    private void field(String name, JsonParser parser) {
        switch (name) {
            case "message" -> message = Tokens.text(parser);
            case "code" -> code = Tokens.text(parser);
            case "type", "status" -> type = Tokens.text(parser);
            case "details" -> details(parser);
            case "metadata" -> metadata(parser);
            default -> Tokens.skip(parser);
        }
    }

    /** A gateway may only say that there was an error, and next to that what the service behind it said. */
    private String words() {
        return behind.isBlank() || message.contains(behind)
                ? message
                : message.isBlank() ? behind : message + ": " + behind;
    }

    /** Read Google's details: the first reason, and the wait that it has no header for. */
    private void details(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                continue;
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                if (name.equals("reason") && reason.isEmpty()) {
                    reason = Tokens.text(parser);
                } else if (name.equals("retryDelay")) {
                    wait = Tokens.text(parser);
                } else {
                    Tokens.skip(parser);
                }
            }
        }
    }

    /** Read what OpenRouter adds; the flagged text is not kept. */
    private void metadata(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "raw" -> behind = ErrorText.of(Tokens.json(parser).getBytes(StandardCharsets.UTF_8));
                case "flagged_input" -> {
                    reason = FLAGGED;
                    Tokens.skip(parser);
                }
                default -> Tokens.skip(parser);
            }
        }
    }
}
