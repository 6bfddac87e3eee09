package dev.chargehand.internal.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunOptions;
import dev.chargehand.ValuesOf;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunListener;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.StepContext;
import dev.chargehand.run.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Values of options are replaced, added, inherited and compared as the options declare. */
class OptionValuesTest {

    private static OptionValues with(Consumer<RunOptions.Builder> changes) {
        return ValuesOf.options(RunOptions.defaults().with(changes));
    }

    @Test
    void aDelegatedRunHasWhatEachOptionDeclares() {
        OptionValues own = with(o -> o.retries(7)
                .metadata("own", "1")
                .limit(Limit.TOOL_CALLS, 9)
                .hookTimeLimit(Hook.STOP_WHEN, Duration.ofSeconds(3))
                .approvalExpiry(Duration.ofHours(3))
                .requester("own")
                .selfApproval(false));
        OptionValues above = with(o -> o.retries(8)
                        .metadata("above", "2")
                        .limit(Limit.MODEL_CALLS, 5)
                        .approvalExpiry(Duration.ofHours(2))
                        .requester("boss")
                        .requireToolApproval(true)
                        .hookTimeLimit(Hook.PREPARE_STEP, Duration.ofSeconds(4)))
                .with(Options.KIND, RunKind.NETWORK);
        assertThat(own.settingsUnder(above)).isEqualTo(with(o -> o.retries(7)
                .metadata("above", "2")
                .limit(Limit.MODEL_CALLS, 5)
                .hookTimeLimit(Hook.STOP_WHEN, Duration.ofSeconds(3))
                .approvalExpiry(Duration.ofHours(2))
                .requester("boss")
                .requireToolApproval(true)
                .selfApproval(false)));
    }

    @Test
    void addAddsOneValueAndThePluralReplacesTheList() {
        Predicate<StepContext> first = step -> true;
        Predicate<StepContext> second = step -> false;
        RunListener listener = event -> {};
        RunOptions options = RunOptions.defaults()
                .with(o -> o.stopWhen(first).addStopWhen(second).addListener(listener));
        OptionValues added = ValuesOf.options(options);
        assertThat(added.get(Options.STOP_WHEN)).containsExactly(first, second);
        assertThat(ValuesOf.options(options.with(o -> o.addListener(listener))).get(Options.LISTENERS))
                .containsExactly(listener, listener);
        OptionValues replaced =
                ValuesOf.options(options.with(o -> o.stopWhen(second).listeners(List.of())));
        assertThat(replaced.get(Options.STOP_WHEN)).containsExactly(second);
        assertThat(replaced.get(Options.LISTENERS)).isEmpty();
    }

    @Test
    void onlyCodeThatDecidesAndIsNotTheAgentsCounts() {
        Predicate<StepContext> own = step -> true;
        RunOptions defaults = RunOptions.defaults().with(o -> o.stopWhen(own).onIterationComplete(it -> null));
        OptionValues agent = ValuesOf.options(defaults);
        OptionValues call = ValuesOf.options(defaults.with(o -> o.onError(result -> {})
                .retries(3)
                .onIterationComplete(it -> null)
                .messageFilter(f -> null)));
        assertThat(call.decidingBeyond(agent)).containsExactly("messageFilter", "onIterationComplete");
        assertThat(agent.decidingBeyond(agent)).isEmpty();
        assertThat(agent.decidingBeyond(OptionValues.DEFAULT)).containsExactly("stopWhen", "onIterationComplete");
    }

    @Test
    void whatChangedIsNamedByTheMethodThatSetIt() {
        assertThat(with(o -> o.maxSteps(3).metadata("a", "b").retries(2)).changed())
                .isEqualTo(Map.of("maxSteps", 3, "metadata", Map.of("a", "b")));
        assertThat(OptionValues.DEFAULT.changed()).isEmpty();
    }

    @Test
    void nullIsRejectedWithTheNameOfTheOption() {
        for (Consumer<RunOptions.Builder> change : List.<Consumer<RunOptions.Builder>>of(
                o -> o.thread(null),
                o -> o.addListener(null),
                o -> o.stopWhen((Predicate<StepContext>) null),
                o -> o.budget(null),
                o -> o.metadata("a", null),
                o -> o.hookPolicy(Hook.STOP_WHEN, null))) {
            assertThatThrownBy(() -> with(change))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("must not be null");
        }
    }
}
