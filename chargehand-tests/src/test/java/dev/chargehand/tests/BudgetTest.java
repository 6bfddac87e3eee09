package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.Prices;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Budgets: what a run with all its delegations may spend. */
class BudgetTest {

    @Test
    void aTokenBudgetEndsTheRunAfterTheCallThatSpentIt() {
        Ran ran = Both.run(Crew.solo(Crew.OK), o -> o.budget(b -> b.tokens(30)), Scripts::endless);
        assertThat(ran.result())
                .stoppedBecause(new StopReason.BudgetExhausted("tokens"))
                .hasSteps(2);
    }

    @Test
    void aCallBudgetEndsTheRun() {
        Ran ran = Both.run(Crew.solo(Crew.OK), o -> o.budget(b -> b.calls(2)), Scripts::endless);
        assertThat(ran.result())
                .stoppedBecause(new StopReason.BudgetExhausted("calls"))
                .hasSteps(2);
    }

    @Test
    void aCostBudgetGoesByThePricesAndCountsDelegations() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.budget(b -> b.cost(new BigDecimal("2.5")))
                        .prices(Prices.NONE.with(
                                "scripted/researcher",
                                new Prices.Price(new BigDecimal(4), BigDecimal.ONE, BigDecimal.ONE))),
                Turns.of("supervisor", Turn.delegates("researcher", "P")),
                Turns.of("researcher", Turn.says("Fact").uses(new Usage(1_000_000, 0, 500_000, 0))));
        assertThat(ran.result()).stoppedBecause(new StopReason.BudgetExhausted("cost"));
        assertThat(ran.result().cost()).isEqualByComparingTo("2.5");
    }

    @Test
    void aWallTimeBudgetEndsTheRunInTheMiddleOfAStep() {
        Ran ran = Both.ways(() -> Scripts.on("solo").hangs())
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
        Ran ran = Both.ways(
                        Turns.of("supervisor", Turn.delegates("researcher", "P")),
                        Turns.of("researcher", Turn.of(t -> t.says("Half")
                                .and()
                                .does(atWork::release)
                                .and()
                                .hangs())))
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
        Ran ran = Both.run(Crew.solo(), o -> o.budget(b -> b.tokens(1).calls(1)), Turn.says("Done"));
        assertThat(ran.result()).finished().hasText("Done");
    }
}
