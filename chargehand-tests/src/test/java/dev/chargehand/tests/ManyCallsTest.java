package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer that makes thousands of calls costs in proportion to them, and there is a most. */
@Timeout(120)
class ManyCallsTest {

    private final AtomicInteger executed = new AtomicInteger();

    private final Tool tool = Tool.of("look", "Looks.", Crew.Query.class, (in, ctx) -> executed.incrementAndGet());

    private static Script calls(int number) {
        Script script = Scripts.on("solo");
        for (int i = 0; i < number; i++) {
            (i == 0 ? script : script.and()).calls("look", Map.of("q", "q" + i));
        }
        return script;
    }

    @Test
    void whatIsBeyondTheLimitOfAStepIsAnErrorResultEach() {
        Script script = calls(8_000).then().says("Done");
        try (TestRuntime test = TestRuntime.with(script)) {
            var result = test.bind(Crew.solo(tool)).generate("Go");

            assertThat(result.text()).isEqualTo("Done");
            assertThat(executed).hasValue(16);
            List<ToolOutcome> outcomes = result.toolResults();
            assertThat(outcomes).hasSize(8_000);
            assertThat(outcomes.stream().filter(outcome -> outcome.error().isPresent()))
                    .hasSize(8_000 - 16)
                    .allSatisfy(outcome ->
                            assertThat(outcome.error().orElseThrow()).contains("One answer may make 16 calls"));
        }
    }

    @Test
    void anAnswerOfMoreCallsThanCanBeHandledEndsTheRun() {
        Script script = calls(10_001);
        try (TestRuntime test = TestRuntime.with(script)) {
            var result = test.bind(Crew.solo(tool)).generate("Go");

            assertThat(result.status()).isEqualTo(RunStatus.INCOMPLETE);
            assertThat(result.stopReason()).isEqualTo(new StopReason.LimitReached("callsPerStep"));
            assertThat(executed).hasValue(0);
        }
    }
}
