package dev.chargehand.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every combination of what can come together at the gate ends as the contract says. */
class GateTableTest {

    private static final List<Combination> ALL = Combination.all();

    @Test
    void generateDecidesEveryCombinationAsTheContractSays() {
        check(ALL, false);
    }

    @Test
    void streamDecidesAsTheContractSaysToo() {
        Random random = new Random(3);
        check(ALL.stream().filter(c -> random.nextInt(3) == 0).toList(), true);
    }

    @Test
    void theTableHasEveryCombinationThatCanBe() {
        assertThat(ALL).hasSize(23_760).doesNotHaveDuplicates();
        assertThat(ALL.stream().map(c -> Oracle.of(c).stop()).distinct())
                .containsExactlyInAnyOrder(
                        "finished",
                        "task-complete",
                        "bailed",
                        "stopped-by-hook",
                        "stop-condition-met",
                        "task-incomplete",
                        "max-steps-reached",
                        "budget-exhausted",
                        "limit-reached",
                        "output-truncated",
                        "content-filtered",
                        "answer-incomplete",
                        "cancelled");
    }

    private static void check(List<Combination> combinations, boolean streamed) {
        List<String> mismatches = combinations.parallelStream()
                .flatMap(c -> mismatch(c, streamed))
                .toList();
        List<String> shown = new ArrayList<>(mismatches.subList(0, Math.min(20, mismatches.size())));
        assertThat(shown)
                .as("%s of %s combinations, the first of them", mismatches.size(), combinations.size())
                .isEmpty();
    }

    private static Stream<String> mismatch(Combination c, boolean streamed) {
        Verdict expected = Oracle.of(c);
        try {
            Verdict found = Played.of(c, streamed);
            return found.equals(expected)
                    ? Stream.empty()
                    : Stream.of(c + "\n  expected " + expected + "\n  but was  " + found + "\n");
        } catch (RuntimeException | AssertionError e) {
            return Stream.of(c + "\n  expected " + expected + "\n  but threw " + e + "\n");
        }
    }
}
