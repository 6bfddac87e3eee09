package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tools that are called again and again until something has happened. */
class PollingTest {

    private final AtomicInteger asked = new AtomicInteger();
    private final Tool status = Tool.builder("status", "Returns whether the job is done.")
            .input(Crew.ANYTHING)
            .polling()
            .handler((in, context) -> {
                asked.incrementAndGet();
                return "at work";
            })
            .build();

    private static Script polling(int times, String tool) {
        Script script = Scripts.on("solo");
        for (int i = 0; i < times; i++) {
            script = script.calls(tool, "{\"job\":7}").then();
        }
        return script.says("Done");
    }

    @Test
    void identicalCallsOfAPollingToolDoNotEndTheRun() {
        Ran ran = Both.run(Crew.solo(status), () -> polling(5, "status"));
        assertThat(ran.result()).finished().hasText("Done").hasSteps(6);
        assertThat(ran.result().toolResults())
                .noneMatch(outcome -> outcome.error().isPresent());
    }

    @Test
    void theStepsOfTheRunAreStillLimited() {
        Ran ran = Both.run(Crew.solo(status), o -> o.maxSteps(4), () -> polling(20, "status"));
        assertThat(ran.result()).stoppedBecause(new StopReason.MaxStepsReached(4));
    }

    @Test
    void othersStillGoInCirclesBesideIt() {
        Ran ran = Both.run(
                Crew.solo(status, Crew.OK),
                Turn.calls("status", "{}").and(Turn.calls("ok", "{}")),
                Turn.calls("status", "{}").and(Turn.calls("ok", "{}")),
                Turn.calls("status", "{}").and(Turn.calls("ok", "{}")));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("identicalCalls"))
                .toolFailed("ok", "The same call was made 3 times in a row");
        assertThat(asked).hasValueGreaterThanOrEqualTo(6);
    }

    @Test
    void aToolSaysWhetherItPolls() {
        assertThat(status.polling()).isTrue();
        assertThat(Crew.OK.polling()).isFalse();
    }
}
