package dev.chargehand.verify.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CaseOptionsTest {

    @Test
    void casesAreSpreadOverTheWholeListHoweverLongItIs() {
        for (int all = 1; all <= 3000; all++) {
            long[] numbers = new CaseOptions(100, 1).spread(all).toArray();

            assertThat(numbers).hasSize(Math.min(all, 100)).isSorted().doesNotHaveDuplicates();
            for (int part = 0; part < numbers.length; part++) {
                assertThat(numbers[part])
                        .isGreaterThan((long) part * all / numbers.length)
                        .isLessThanOrEqualTo((part + 1L) * all / numbers.length);
            }
        }
    }

    @Test
    void seedsSayWhichCasesOfALongList() {
        Set<Long> seen = new TreeSet<>();
        for (long seed = 1; seed <= 100; seed++) {
            long[] numbers = new CaseOptions(100, seed).spread(400).toArray();

            assertThat(numbers).isEqualTo(new CaseOptions(100, seed).spread(400).toArray());
            seen.addAll(LongStream.of(numbers).boxed().toList());
        }

        assertThat(seen).hasSize(400);
    }
}
