package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.server.internal.route.HttpWords;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;

/** The field {@code structuredOutput} of a request: a schema, and what is done about an answer that does not fit it. */
final class StructuredAnswer {

    private StructuredAnswer() {}

    static StructuredOutput of(Body output) {
        output.json("model").ifPresent(model -> {
            throw output.problem("model", "is not offered: an agent has models of its own");
        });
        StructuredOutput structured = WireOptions.structured(output);
        String strategy = output.text("errorStrategy").orElse("strict");
        return switch (strategy) {
            case "strict" -> structured.strict();
            case "warn" -> structured.warn();
            case "fallback" -> fallback(structured, output);
            default -> throw output.problem("errorStrategy", "must be 'strict', 'warn' or 'fallback'");
        };
    }

    private static StructuredOutput fallback(StructuredOutput structured, Body output) {
        Json value = output.json("fallbackValue")
                .orElseThrow(() -> output.problem("fallbackValue", "is missing: 'errorStrategy' is 'fallback'"));
        try {
            return structured.fallback(value);
        } catch (ConfigurationException e) {
            throw output.problem("fallbackValue", "must fit the schema. " + HttpWords.of(e));
        }
    }
}
