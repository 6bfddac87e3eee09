package dev.chargehand.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UnitVectorTest {

    @Test
    void aVectorHasTheLengthOne() {
        UnitVector vector = UnitVector.of(new float[] {3, 4}).orElseThrow();
        assertThat(vector.components()).containsExactly(0.6f, 0.8f);
        assertThat(vector).isEqualTo(UnitVector.of(new float[] {6, 8}).orElseThrow());
    }

    @Test
    void whatHasNoDirectionIsNoVector() {
        assertThat(UnitVector.of(new float[0])).isEmpty();
        assertThat(UnitVector.of(new float[] {0, 0})).isEmpty();
        assertThat(UnitVector.of(new float[] {1, Float.NaN})).isEmpty();
        assertThat(UnitVector.of(new float[] {1, Float.POSITIVE_INFINITY})).isEmpty();
    }

    @Test
    void theSmallestAndTheLargestNumbersHaveADirection() {
        UnitVector one = UnitVector.of(new float[] {1, 1}).orElseThrow();
        for (float size : new float[] {Float.MIN_VALUE, Float.MAX_VALUE}) {
            UnitVector vector = UnitVector.of(new float[] {size, size}).orElseThrow();
            assertThat(one.similarity(vector.quantized())).isCloseTo(1, within(0.01));
        }
    }

    @Test
    void theStoredFormChangesASimilarityLittle() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 1_000; i++) {
            UnitVector one = random(random);
            UnitVector other = random(random);
            double exact = 0;
            for (int d = 0; d < 384; d++) {
                exact += (double) one.components()[d] * other.components()[d];
            }
            assertThat(one.similarity(other.quantized())).isCloseTo(exact, within(0.01));
            assertThat(one.similarity(one.quantized())).isCloseTo(1, within(0.01));
        }
    }

    @Test
    void vectorsOfOtherDimensionsAreNotCompared() {
        UnitVector two = UnitVector.of(new float[] {1, 2}).orElseThrow();
        UnitVector three = UnitVector.of(new float[] {1, 2, 3}).orElseThrow();
        assertThatThrownBy(() -> two.similarity(three.quantized())).isInstanceOf(IllegalArgumentException.class);
    }

    private static UnitVector random(SplittableRandom random) {
        float[] vector = new float[384];
        for (int d = 0; d < vector.length; d++) {
            vector[d] = (float) random.nextDouble(-1, 1);
        }
        return UnitVector.of(vector).orElseThrow();
    }
}
