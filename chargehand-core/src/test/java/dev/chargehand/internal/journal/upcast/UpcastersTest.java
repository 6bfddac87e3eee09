package dev.chargehand.internal.journal.upcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.internal.journal.stored.FactForm;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A stored fact of any older version becomes one of the present version, step by step. */
class UpcastersTest {

    @Test
    void everyOlderVersionOfEveryTypeIsLiftedOnce() {
        List<String> older = Arrays.stream(FactForm.values())
                .flatMap(form -> IntStream.range(1, form.version()).mapToObj(version -> form.key() + " " + version))
                .toList();
        assertThat(Upcasters.ALL)
                .extracting(each -> each.type() + " " + each.from())
                .containsExactlyInAnyOrderElementsOf(older);
    }

    @Test
    void aVersionThatOnlyAddsKeysLeavesOlderFactsAsTheyAre() {
        assertThat(lifted("{\"settings\":{\"retries\":2}}", 1)).isEqualTo("{\"settings\":{\"retries\":2}}");
    }

    @Test
    void aVersionWithoutAnUpcasterIsRefused() {
        int now = FactForm.STARTED.version();
        assertThatThrownBy(() -> Upcasters.lift(object("{}"), "started", now, now + 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'started' of version " + now);
    }

    private static String lifted(String started, int from) {
        ObjectNode fact = object(started);
        Upcasters.lift(fact, "started", from, FactForm.STARTED.version());
        return fact.toString();
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) JsonMapper.shared().readTree(text);
    }
}
