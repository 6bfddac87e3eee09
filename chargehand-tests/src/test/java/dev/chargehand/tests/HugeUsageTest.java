package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.Prices;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens that a provider reports, and that no long can hold the sum of. */
class HugeUsageTest {

    private static final long MOST = Long.MAX_VALUE;

    private static Script twoSteps(Usage first, Usage second) {
        return Scripts.on(
                "solo", Turn.calls("ok", "{}").uses(first), Turn.says("Done").uses(second));
    }

    @Test
    void sumsStayAtTheHighestNumber() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK), () -> twoSteps(new Usage(MOST, MOST, MOST, MOST), new Usage(1, MOST, 1, MOST)));

        assertThat(ran.result()).finished().hasTotalUsage(new Usage(MOST, MOST, MOST, MOST));
        assertThat(ran.result().totalUsage().totalTokens()).isEqualTo(MOST);
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775807, 9223372036854775807",
        "9223372036854775807, 5",
        "4611686018427387904, 4611686018427387904"
    })
    void aTokenBudgetIsSpentByThem(long input, long output) {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.budget(budget -> budget.tokens(1_000)),
                () -> twoSteps(Usage.of(input, output), Usage.NONE));

        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.BudgetExhausted("tokens"));
    }

    @Test
    void aBudgetOfTheHighestNumberIsSpentByManyOfThem() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.budget(budget -> budget.tokens(MOST)),
                () -> twoSteps(Usage.of(MOST - 1, 0), Usage.of(MOST, MOST)));

        assertThat(ran.result()).finished();
        assertThat(ran.result().totalUsage()).isEqualTo(Usage.of(MOST, MOST));
    }

    @Test
    void whatIsBelowZeroCountsAsNothing() {
        Ran ran = Both.run(Crew.solo(Crew.OK), () -> twoSteps(new Usage(-5, -1, -7, Long.MIN_VALUE), Usage.of(3, 4)));

        assertThat(ran.result()).finished().hasTotalUsage(Usage.of(3, 4));
    }

    @Test
    void moreCachedTokensThanTokensCostNothingBack() {
        Prices prices =
                Prices.NONE.with("m", new Prices.Price(new BigDecimal("10"), new BigDecimal("10"), BigDecimal.ZERO));

        assertThat(prices.costOf("m", new Usage(0, 0, MOST, 0))).isEqualByComparingTo("0");
    }

    @Test
    void itIsLoggedThatTheyAreNotCountedExactly() {
        String log = Logged.during(() -> {
            try (TestRuntime test = Crew.playing(twoSteps(Usage.of(MOST, 0), Usage.of(1, 1)), Crew.solo(Crew.OK))) {
                test.agent("solo").generate("Do the task");
            }
        });

        assertThat(log.lines().filter(line -> line.contains("more tokens")))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("WARN", "run_", "solo", String.valueOf(MOST)));
    }
}
