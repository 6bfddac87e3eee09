package dev.chargehand.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.internal.state.value.SharedList;
import dev.chargehand.internal.state.value.SharedMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and maps that share what does not change are lists and maps like any other. */
class SharedCollectionsTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 32_768, 32_769})
    void aListOfAnySizeHoldsItsElements(int size) {
        List<Integer> elements = IntStream.range(0, size).boxed().toList();
        SharedList<Integer> added = SharedList.empty();
        for (Integer element : elements) {
            added = added.plus(element);
        }
        assertThat(SharedList.of(elements)).isEqualTo(elements);
        assertThat(added).isEqualTo(elements);
        assertThat(SharedList.of(elements).plus(-1)).hasSize(size + 1).endsWith(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 33, 1_025})
    void aChangedListLeavesTheOneBeforeAsItWas(int size) {
        List<Integer> elements = IntStream.range(0, size).boxed().toList();
        SharedList<Integer> before = SharedList.of(elements);
        for (int i = 0; i < size; i++) {
            List<Integer> expected = new ArrayList<>(elements);
            expected.set(i, -1);
            assertThat(before.with(i, -1)).isEqualTo(expected);
        }
        assertThat(before.plus(-1).plus(-2)).hasSize(size + 2);
        assertThat(before).isEqualTo(elements);
    }

    @Test
    void aListHasNoElementBeyondItsEnd() {
        SharedList<Integer> list = SharedList.of(List.of(1, 2));
        assertThatThrownBy(() -> list.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.with(2, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aMapHoldsItsLatestValues() {
        Map<String, Integer> expected = new HashMap<>();
        SharedMap<Integer> map = SharedMap.empty();
        for (int i = 0; i < 20_000; i++) {
            String key = "key_" + i % 15_000;
            expected.put(key, i);
            map = map.with(key, i);
        }
        SharedMap<Integer> filled = map;
        expected.forEach((key, value) -> assertThat(filled.get(key)).contains(value));
        assertThat(filled.get("key_15000")).isEmpty();
    }

    @Test
    void aChangedMapLeavesTheOneBeforeAsItWas() {
        SharedMap<Integer> before = SharedMap.<Integer>empty().with("a", 1);
        assertThat(before.with("a", 2).get("a")).contains(2);
        assertThat(before.with("b", 2).get("b")).contains(2);
        assertThat(before.get("a")).contains(1);
        assertThat(before.get("b")).isEmpty();
    }

    @Test
    void keysOfOneHashAreDifferentKeys() {
        assertThat("Aa").hasSameHashCodeAs("BB");
        SharedMap<Integer> map =
                SharedMap.<Integer>empty().with("AaAa", 1).with("BBBB", 2).with("AaBB", 3);
        map = map.with("BBBB", 4).with("q", 5);
        assertThat(map.get("AaAa")).contains(1);
        assertThat(map.get("BBBB")).contains(4);
        assertThat(map.get("AaBB")).contains(3);
        assertThat(map.get("BBAa")).isEmpty();
    }
}
