package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.memory.Memory;
import dev.chargehand.model.ModelSettings;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that no model takes are rejected where they are set, and not by a provider in a run. */
@SuppressWarnings({"NullAway", "DataFlowIssue", "CheckReturnValue", "ResultOfMethodCallIgnored"}) // calls that throw
class InvalidModelSettingsTest {

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 2.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aTemperatureIsFrom0To2(double value) {
        rejected(s -> s.temperature(value), "temperature", "from 0 to 2", "but is " + value);
        rejected(s -> new ModelSettings(value, null, null, null, List.of(), null), "temperature");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.01, Double.NaN})
    void aNucleusIsFrom0To1(double value) {
        rejected(s -> s.topP(value), "topP", "from 0 to 1", "but is " + value);
        rejected(s -> new ModelSettings(null, value, null, null, List.of(), null), "topP");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void anAnswerHasAtLeastOneToken(int value) {
        rejected(s -> s.maxOutputTokens(value), "maxOutputTokens", "at least 1", "but is " + value);
    }

    @Test
    void textsAreNotEmpty() {
        rejected(s -> s.stopSequences(List.of("END", "")), "stopSequences", "empty text");
        rejected(s -> s.stopSequences(Arrays.asList("END", null)), "stopSequences", "null");
        rejected(s -> s.stopSequences(null), "stopSequences", "null");
        rejected(s -> s.reasoningEffort(" "), "reasoningEffort", "blank", "low");
    }

    @Test
    void aChangeThatReturnsNothingIsNamed() {
        assertThatThrownBy(() -> RunOptions.defaults().with(o -> o.modelSettings(s -> null)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("Option 'modelSettings' must not be null");
    }

    @Test
    void theBoundsAreAllowed() {
        ModelSettings settings = ModelSettings.DEFAULT
                .temperature(0)
                .temperature(2)
                .topP(0)
                .topP(1)
                .maxOutputTokens(1)
                .seed(-1)
                .stopSequences(List.of("\n"))
                .reasoningEffort("low");
        assertThat(RunOptions.defaults()
                        .with(o -> o.modelSettings(s -> settings))
                        .changed())
                .containsEntry("modelSettings", settings);
        assertThatCode(() -> StepPlan.unchanged().withModelSettings(settings)).doesNotThrowAnyException();
    }

    private static void rejected(UnaryOperator<ModelSettings> change, String... words) {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> RunOptions.defaults().with(o -> o.modelSettings(change)),
                () -> StepPlan.unchanged().withModelSettings(change.apply(ModelSettings.DEFAULT)),
                () -> Memory.builder().observations(o -> o.modelSettings(change.apply(ModelSettings.DEFAULT))))) {
            assertThatThrownBy(call).isInstanceOf(ConfigurationException.class).hasMessageContainingAll(words);
        }
    }
}
