package dev.chargehand.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table of the events that have ids, which the page of events repeats. */
class SlotTest {

    /** Types whose name on the wire is not that of their slot. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "network-step-finish", "network-execution-event-step-finish",
            "network-finish", "network-execution-event-finish");

    @Test
    void thePageOfEventsSaysWhichHaveIds() throws IOException {
        List<String> onThePage = Files.readAllLines(Path.of("../docs/events.md")).stream()
                .filter(line -> line.startsWith("| `") && line.contains(" | yes | "))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
        assertThat(onThePage)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Slot.values()).map(SlotTest::name).toList());
    }

    @Test
    void numbersNeverChangeAndGrowInTheOrderInWhichAFactIsReported() {
        assertThat(Arrays.stream(Slot.values()).map(slot -> slot.of(1, 0).slot()))
                .isSorted()
                .doesNotHaveDuplicates()
                .containsExactly(
                        10, 15, 20, 21, 22, 24, 26, 30, 40, 50, 55, 58, 59, 60, 70, 80, 84, 86, 90, 100, 110, 120, 130,
                        135, 140, 142, 144, 146, 150, 160, 170, 180, 190, 200, 205, 210, 220, 230, 232, 234, 236, 238,
                        240, 250, 1_000);
    }

    private static String name(Slot slot) {
        String name = slot.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return OTHER_NAMES.getOrDefault(name, name);
    }
}
