package dev.chargehand.verify.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CaseOptionsTest {

    @Test
    void casesAreSpreadOverTheWholeListHoweverLongItIs() {
        for (int all = 1; all <= 3000; all++) {
            long[] numbers = new CaseOptions(100, 1).spread(all).toArray();

            assertThat(numbers).hasSize(Math.min(all, 100)).isSorted().doesNotHaveDuplicates();
            assertThat(numbers[0]).isPositive();
            assertThat(numbers[numbers.length - 1]).isEqualTo(all);
        }
    }
}
