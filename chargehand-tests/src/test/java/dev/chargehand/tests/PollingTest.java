package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
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
        Script script = ScriptedModel.script().on("solo");
        for (int i = 0; i < times; i++) {
            script = script.calls(tool, "{\"job\":7}").then();
        }
        return script.says("Done");
    }

    @Test
    void identicalCallsOfAPollingToolDoNotEndTheRun() {
        Ran ran = Both.ways(() -> polling(5, "status")).agent(Crew.solo(status)).run();
        assertThat(ran.result()).finished().hasText("Done").hasSteps(6);
        assertThat(ran.result().toolResults())
                .noneMatch(outcome -> outcome.error().isPresent());
    }

    @Test
    void theStepsOfTheRunAreStillLimited() {
        Ran ran = Both.ways(() -> polling(20, "status"))
                .agent(Crew.solo(status))
                .options(o -> o.maxSteps(4))
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.MaxStepsReached(4));
    }

    @Test
    void othersStillGoInCirclesBesideIt() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("status", "{}")
                        .and()
                        .calls("ok", "{}")
                        .then()
                        .calls("status", "{}")
                        .and()
                        .calls("ok", "{}")
                        .then()
                        .calls("status", "{}")
                        .and()
                        .calls("ok", "{}"))
                .agent(Crew.solo(status, Crew.OK))
                .run();
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
