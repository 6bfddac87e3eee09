package dev.chargehand.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What comes together at the gate ends as the contract says: any four things that can come together do, and any three in
 * a stream. With {@code -Dchargehand.everyCombination=true} every combination is played, and a third of them in a stream.
 */
class GateTableTest {

    private static final boolean EVERY = Boolean.getBoolean("chargehand.everyCombination");
    private static final long SEED = Long.getLong("chargehand.seed", System.nanoTime());

    private static final List<Combination> ALL = Combination.all();

    @Test
    void generateDecidesAsTheContractSays() {
        check(EVERY ? ALL : Covering.of(ALL, 4, SEED), false);
    }

    @Test
    void streamDecidesAsTheContractSaysToo() {
        Random random = new Random(SEED);
        check(EVERY ? ALL.stream().filter(c -> random.nextInt(3) == 0).toList() : Covering.of(ALL, 3, SEED), true);
    }

    @Test
    void aChoiceHasAnyValuesThatCanComeTogether() {
        List<Combination> chosen = Covering.of(ALL, 4, SEED);
        assertThat(chosen).doesNotHaveDuplicates().hasSizeLessThan(ALL.size() / 8);
        assertThat(ofFour(chosen)).isEqualTo(ofFour(ALL));
    }

    /** Return the values of any four factors, each as a number: a digit of 0 is a factor that is not among the four. */
    private static Set<Integer> ofFour(List<Combination> combinations) {
        Set<Integer> found = new HashSet<>();
        int base = Covering.mostValues(ALL) + 1;
        for (Combination c : combinations) {
            int[] values = c.values();
            for (int among = 0; among < 1 << values.length; among++) {
                if (Integer.bitCount(among) == 4) {
                    int four = 0;
                    for (int factor = 0; factor < values.length; factor++) {
                        four = four * base + ((among >> factor & 1) == 1 ? values[factor] + 1 : 0);
                    }
                    found.add(four);
                }
            }
        }
        return found;
    }

    @Test
    void theTableHasEveryCombinationThatCanBe() {
        assertThat(ALL).hasSize(24_552).doesNotHaveDuplicates();
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
                .as(
                        "%s of %s combinations with -Dchargehand.seed=%s, the first of them",
                        mismatches.size(), combinations.size(), SEED)
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
