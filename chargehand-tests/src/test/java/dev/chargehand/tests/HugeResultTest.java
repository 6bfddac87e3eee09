package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.TestRuntime;
import java.util.AbstractList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of a result that is too large to keep, the beginning is kept, and it says so. */
@Timeout(120)
class HugeResultTest {

    private static final int HUGE = 200_000_000;

    /** Never in memory as a whole, as a result that is read while it is written. */
    private static final List<String> ENDLESS = new AbstractList<>() {
        @Override
        public String get(int index) {
            return "twenty characters ..";
        }

        @Override
        public int size() {
            return HUGE / 20;
        }
    };

    @SuppressWarnings("UnnecessaryStringBuilder") // results of its own type are what is tried
    static Stream<Supplier<Object>> results() {
        return Stream.of(
                () -> "x".repeat(HUGE),
                () -> new StringBuilder("y".repeat(HUGE / 10)),
                () -> ENDLESS,
                () -> Json.of("z".repeat(HUGE / 10)));
    }

    @ParameterizedTest
    @MethodSource("results")
    void itIsCut(Supplier<Object> result) {
        var tool = Steps.tool("show", (in, ctx) -> result.get());
        var script = Scripts.on("solo").calls("show", "{}").then().says("Done");
        try (TestRuntime test = TestRuntime.with(script)) {
            var ran = test.bind(Crew.solo(tool)).generate("Go");

            assertThat(ran.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(ran.text()).isEqualTo("Done");
            String kept =
                    ran.toolResults().getFirst().output().orElseThrow().string().orElseThrow();
            assertThat(kept.length()).isBetween(8_000_000, 9_000_000);
            assertThat(kept).endsWith("\n[Cut here: it has more than 8388608 characters. The rest was not kept.]");
            assertThat(script.requests()
                            .getLast()
                            .messages()
                            .getLast()
                            .toolResults()
                            .getFirst()
                            .output()
                            .length())
                    .isLessThan(70_000);
            assertThat(test.store().list(RunFilter.ROOTS)).hasSize(1);
        }
    }
}
