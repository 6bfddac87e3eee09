package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The forms of answers that clients ask for. */
final class Formats {

    private static final JsonSchema OBJECT = JsonSchema.of(Json.of(Map.of("type", "object")));

    private Formats() {}

    /** Return that of a chat completion; empty for text. */
    static Optional<StructuredOutput> ofChat(Body body) {
        return body.object("response_format")
                .flatMap(format -> of(format, () -> format.object("json_schema")
                        .orElseThrow(() -> body.problem("response_format.json_schema", "is missing"))));
    }

    /** Return that of a response; empty for text. */
    static Optional<StructuredOutput> ofResponse(Body body) {
        return body.object("text").flatMap(text -> text.object("format")).flatMap(format -> of(format, () -> format));
    }

    private static Optional<StructuredOutput> of(Body format, Supplier<Body> schema) {
        return switch (format.text("type").orElse("text")) {
            case "text" -> Optional.empty();
            case "json_object" -> Optional.of(StructuredOutput.of(OBJECT));
            case "json_schema" -> Optional.of(WireOptions.structured(schema.get()));
            default -> throw format.problem("type", "must be 'text', 'json_object' or 'json_schema'");
        };
    }
}
