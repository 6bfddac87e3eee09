package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import java.util.List;

/** The keys of {@code modelSettings}. */
public final class ModelSettingsKeys {

    public static final Key<Double> TEMPERATURE = Key.of("temperature", Shape.between(0, 2), "Randomness.");

    public static final Key<Double> TOP_P = Key.of("topP", Shape.between(0, 1), "Nucleus sampling.");

    public static final Key<Integer> MAX_OUTPUT_TOKENS =
            Key.of("maxOutputTokens", Shape.from(1), "The maximum length of an answer, in tokens.");

    public static final Key<Long> SEED =
            Key.of("seed", Shape.WHOLE, "The seed for repeatable answers, if the provider supports it.");

    public static final Key<List<Setting>> STOP_SEQUENCES =
            Key.of("stopSequences", Shape.ONE_OR_ANY, "Texts that end the answer.");

    public static final Key<Setting> REASONING_EFFORT = Key.of(
            "reasoningEffort",
            Shape.TEXT.with("examples", List.of("low", "medium", "high")),
            "The amount of reasoning, if the model supports it.");

    public static final KeySection SECTION = KeySection.of(
            "modelSettings",
            "Settings of its model's answers; the provider decides omitted ones.",
            TEMPERATURE,
            TOP_P,
            MAX_OUTPUT_TOKENS,
            SEED,
            STOP_SEQUENCES,
            REASONING_EFFORT);

    private ModelSettingsKeys() {}
}
