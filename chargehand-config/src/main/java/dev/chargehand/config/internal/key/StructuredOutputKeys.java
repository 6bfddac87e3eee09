package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import dev.chargehand.run.StructuredOutput.OnInvalid;
import java.util.List;
import java.util.Map;

/** The keys of {@code structuredOutput}. */
public final class StructuredOutputKeys {

    public static final Key<Void> SCHEMA =
            Key.of("schema", Shape.JSON_SCHEMA, "The JSON schema that the answer must fit, as keys and values.");

    public static final Key<OnInvalid> ON_INVALID = Key.of(
                    "onInvalid",
                    Shape.choice(Map.entry("strict", OnInvalid.STRICT), Map.entry("warn", OnInvalid.WARN)),
                    "How a run is handled whose answer does not fit after one correction: it fails, or ends without an object and with a warning.")
            .orElse("strict");

    public static final Key<Void> FALLBACK =
            Key.of("fallback", Shape.unread(Map.of()), "The replacement of such an answer; it must fit the schema.");

    public static final Key<List<Setting>> STRUCTURED_BY = Key.of(
            "structuredBy",
            Shape.ONE_OR_MORE.with("examples", List.of("openai/gpt-5-mini")),
            "The model that converts the agent's text into the object; by default its own model writes it. A list is tried in order.");

    public static final KeySection SECTION = KeySection.of(
                    "structuredOutput",
                    "The form of its answer: JSON that fits a schema; by default a text.",
                    SCHEMA,
                    ON_INVALID,
                    FALLBACK,
                    STRUCTURED_BY)
            .requiring(SCHEMA)
            .with("not", Shape.schema("required", List.of("onInvalid", "fallback")));

    private StructuredOutputKeys() {}
}
