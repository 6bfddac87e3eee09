package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.hook.Hook;
import dev.chargehand.jdbc.PostgresOptions;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.run.Budget;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Durations that cannot be counted in nanoseconds, wherever an application can give one. */
class LongTimesTest {

    private static final Duration LONGER = TimeLimit.LONGEST.plusNanos(1);

    record Amount(int cents) {}

    private static Step<String, String> echo() {
        return Step.of("echo", String.class, String.class, (in, context) -> in);
    }

    private static Arguments place(String option, Function<Duration, ?> giving) {
        return argumentSet(option, option, giving);
    }

    private static Function<Duration, RunOptions> options(BiConsumer<RunOptions.Builder, Duration> set) {
        return time -> RunOptions.defaults().with(o -> set.accept(o, time));
    }

    static Stream<Arguments> places() {
        Stream<Arguments> limits = Arrays.stream(TimeLimit.values())
                .map(limit ->
                        place("Time limit '" + limit.key() + "'", options((o, time) -> o.timeLimit(limit, time))));
        Completion completion = Completion.all(Scorers.contains("x"));
        return Stream.concat(
                limits,
                Stream.of(
                        place("Option 'approvalExpiry'", options((o, time) -> o.approvalExpiry(time))),
                        place(
                                "The time limit of hook 'stopWhen'",
                                options((o, time) -> o.hookTimeLimit(Hook.STOP_WHEN, time))),
                        place("Budget 'wallTime'", options((o, time) -> o.budget(b -> b.wallTime(time)))),
                        place("Budget 'wallTime'", Budget.NONE::wallTime),
                        place("Time limit 'tool'", time -> TimeLimits.DEFAULT.with(TimeLimit.TOOL, time)),
                        place("The time limit of one scorer of a completion", completion::scorerTimeout),
                        place("The time limit of a completion", completion::timeout),
                        place("Tool 'pay': the time limit", time -> Tool.builder("pay", "Pays.")
                                .input(Amount.class)
                                .timeout(time)),
                        place("Step 'echo': the time limit", time -> echo().timeout(time)),
                        place("A wait between attempts", Backoff::fixed),
                        place("A wait between attempts", Backoff::exponential),
                        place("the duration of entry 'rest'", time -> Workflow.from("flow", String.class)
                                .sleep("rest", time)),
                        place("The timeout of background tasks", time -> BackgroundOptions.builder()
                                .timeout(time)),
                        place("Runtime option 'storeTimeLimit'", AgentRuntime.builder()::storeTimeLimit),
                        place("Runtime option 'catalogTimeLimit'", AgentRuntime.builder()::catalogTimeLimit),
                        place("Runtime option 'closeGrace'", AgentRuntime.builder()::closeGrace)));
    }

    @ParameterizedTest
    @MethodSource("places")
    void aTimeThatIsTooLongIsRejectedWhereItIsGiven(String option, Function<Duration, ?> giving) {
        for (Duration time : List.of(LONGER, Duration.ofDays(366 * 300), ChronoUnit.FOREVER.getDuration())) {
            assertThatThrownBy(() -> assertThat(giving.apply(time)).isNull())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(option)
                    .hasMessageContaining(" at most ");
        }
    }

    @Test
    void theTimesOfADatabaseAreBoundedToo() {
        Duration time = ChronoUnit.FOREVER.getDuration();
        List<Function<Duration, ?>> options = List.of(
                SqliteOptions.DEFAULT::callLimit,
                SqliteOptions.DEFAULT::threadGrace,
                PostgresOptions.DEFAULT::callLimit,
                PostgresOptions.DEFAULT::threadGrace);
        options.forEach(giving -> assertThatThrownBy(
                        () -> assertThat(giving.apply(time)).isNull())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 36500 days"));
    }

    @Test
    void anAgentWithTheLongestTimesAnswers() {
        Agent agent = Agent.builder("solo")
                .model("test/solo")
                .defaultOptions(o -> {
                    Arrays.stream(TimeLimit.values()).forEach(limit -> o.timeLimit(limit, TimeLimit.LONGEST));
                    o.budget(b -> b.wallTime(TimeLimit.LONGEST)).approvalExpiry(TimeLimit.LONGEST);
                    o.stopWhen(step -> false).hookTimeLimit(Hook.STOP_WHEN, TimeLimit.LONGEST);
                })
                .build();
        try (TestRuntime test = TestRuntime.builder(Scripts.on("solo", Turn.says("Hi")))
                .agents(agent)
                .build()) {
            assertThat(test.agent("solo").generate("x").text()).isEqualTo("Hi");
        }
    }

    @Test
    void workflowsWithTheLongestTimesEnd() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(echo().timeout(TimeLimit.LONGEST))
                .build(String.class);
        try (TestRuntime test = TestRuntime.with(Scripts.of())) {
            WorkflowResult<String> result = test.runtime().run(workflow, "x", o -> Arrays.stream(TimeLimit.values())
                    .forEach(limit -> o.timeLimit(limit, TimeLimit.LONGEST)));
            assertThat(result.output()).isEqualTo("x");
            assertThat(test.runtime()
                            .handle(result.runId())
                            .result(ChronoUnit.FOREVER.getDuration())
                            .text())
                    .isEqualTo("x"); // who waits may wait for any time
        }
    }
}
