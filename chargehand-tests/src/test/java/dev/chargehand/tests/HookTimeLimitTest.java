package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A hook can have a time limit of its own. */
class HookTimeLimitTest {

    private static final Duration GENERAL = Duration.ofSeconds(11);

    private static Ran hanging(Consumer<RunOptions.Builder> limits, Duration expected) {
        return Both.ways(() -> Scripts.on("solo"))
                .options(limits.andThen(o -> o.prepareStep(step -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return StepPlan.unchanged();
                })))
                .passing(expected)
                .run();
    }

    @Test
    void aHookIsGivenUpAfterItsOwnLimitNotTheGeneralOne() {
        Ran shorter = hanging(
                o -> o.timeLimit(TimeLimit.HOOK, GENERAL).hookTimeLimit(Hook.PREPARE_STEP, Duration.ofSeconds(7)),
                Duration.ofSeconds(7));
        assertThat(shorter.failure()).hasMessageContaining("took longer than 7 s");
        Ran longer = hanging(
                o -> o.hookTimeLimit(Hook.PREPARE_STEP, Duration.ofSeconds(50)).timeLimit(TimeLimit.HOOK, GENERAL),
                Duration.ofSeconds(50));
        assertThat(longer.failure()).hasMessageContaining("took longer than 50 s");
    }

    @Test
    void otherHooksKeepTheGeneralLimit() {
        Ran ran = hanging(
                o -> o.timeLimit(TimeLimit.HOOK, GENERAL).hookTimeLimit(Hook.ON_STEP_FINISH, Duration.ofSeconds(7)),
                GENERAL);
        assertThat(ran.failure()).hasMessageContaining("took longer than 11 s");
    }

    @Test
    void aCallChangesTheLimitOfOneHookAndKeepsTheOthersOfItsAgent() {
        RunOptions agent = RunOptions.defaults().with(o -> o.hookTimeLimit(Hook.STOP_WHEN, Duration.ofSeconds(1))
                .hookTimeLimit(Hook.PREPARE_STEP, Duration.ofSeconds(2)));
        RunOptions call = agent.with(o -> o.hookTimeLimit(Hook.PREPARE_STEP, Duration.ofSeconds(3)));
        assertThat(call)
                .isEqualTo(RunOptions.defaults().with(o -> o.hookTimeLimit(Hook.PREPARE_STEP, Duration.ofSeconds(3))
                        .hookTimeLimit(Hook.STOP_WHEN, Duration.ofSeconds(1))));
    }

    @Test
    void aLimitMustBeAboveZero() {
        Steps.assertMisconfigured(
                () -> RunOptions.defaults().with(o -> o.hookTimeLimit(Hook.STOP_WHEN, Duration.ZERO)),
                "hook 'stopWhen' must be above zero");
    }
}
