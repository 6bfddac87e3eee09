package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.Prices;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Both.Ran;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Budgets: what a run with all its delegations may spend. */
class BudgetTest {

    @Test
    void aTokenBudgetEndsTheRunAfterTheCallThatSpentIt() {
        Ran ran = Both.ways(Scripts::endless)
                .agent(Crew.solo(Crew.OK))
                .options(o -> o.budget(b -> b.tokens(30)))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.BudgetExhausted("tokens"))
                .hasSteps(2);
    }

    @Test
    void aCallBudgetEndsTheRun() {
        Ran ran = Both.ways(Scripts::endless)
                .agent(Crew.solo(Crew.OK))
                .options(o -> o.budget(b -> b.calls(2)))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.BudgetExhausted("calls"))
                .hasSteps(2);
    }

    @Test
    void aCostBudgetGoesByThePricesAndCountsDelegations() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .on("researcher")
                        .says("Fact")
                        .uses(new Usage(1_000_000, 0, 500_000, 0)))
                .agent(Crew.supervisor())
                .options(o -> o.budget(b -> b.cost(new BigDecimal("2.5")))
                        .prices(Prices.NONE.with(
                                "scripted/researcher",
                                new Prices.Price(new BigDecimal(4), BigDecimal.ONE, BigDecimal.ONE))))
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.BudgetExhausted("cost"));
        assertThat(ran.result().cost()).isEqualByComparingTo("2.5");
    }

    @Test
    void aWallTimeBudgetEndsTheRunInTheMiddleOfAStep() {
        Ran ran = Both.ways(() -> ScriptedModel.script().on("solo").hangs())
                .options(o -> o.budget(b -> b.wallTime(Duration.ofMinutes(5)))
                        .timeLimit(TimeLimit.FIRST_TOKEN, Duration.ofMinutes(20)))
                .driving(clock -> {
                    clock.awaitAlarm(Duration.ofMinutes(1));
                    clock.advance(Duration.ofMinutes(5));
                })
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.BudgetExhausted("wallTime"))
                .hasStatus(RunStatus.INCOMPLETE);
    }

    @Test
    void theTimeOfARunIsLimitedWithAllItsDelegations() {
        Semaphore atWork = new Semaphore(0);
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .on("researcher")
                        .says("Half")
                        .and()
                        .does(atWork::release)
                        .and()
                        .hangs())
                .agent(Crew.supervisor())
                .options(o -> o.timeLimit(TimeLimit.RUN, Duration.ofSeconds(30))
                        .timeLimit(TimeLimit.FIRST_TOKEN, Duration.ofSeconds(40))
                        .timeLimit(TimeLimit.IDLE, Duration.ofSeconds(40)))
                .driving(clock -> {
                    atWork.acquireUninterruptibly();
                    clock.advance(Duration.ofSeconds(30));
                })
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.LimitReached("runTime"));
    }

    @Test
    void aBudgetThatIsSpentByTheAnswerItselfLeavesTheAnswer() {
        Ran ran = Both.ways(() -> ScriptedModel.script().on("solo").says("Done"))
                .options(o -> o.budget(b -> b.tokens(1).calls(1)))
                .run();
        assertThat(ran.result()).finished().hasText("Done");
    }
}
