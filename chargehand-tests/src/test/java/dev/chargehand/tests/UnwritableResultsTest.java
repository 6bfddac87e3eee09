package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.tests.Both.Ran;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a tool returns that is no value: the model gets an error, not an empty object. */
class UnwritableResultsTest {

    record Holder(Object what) {}

    record Nothing() {}

    @SuppressWarnings("FutureReturnValueIgnored") // futures as results are what is tried
    static List<Supplier<Object>> noValues() {
        Supplier<String> lambda = () -> "found";
        return List.of(
                () -> lambda,
                () -> (Runnable) () -> {},
                () -> Stream.of("a"),
                () -> IntStream.of(1),
                () -> CompletableFuture.completedFuture("a"),
                () -> new CompletableFuture<String>(),
                () -> new FutureTask<>(() -> "a"),
                () -> Thread.ofVirtual().unstarted(() -> {}),
                () -> new ByteArrayInputStream(new byte[1]),
                () -> new StringReader("a"),
                Object::new,
                () -> new Holder(lambda),
                () -> Map.of("a", Stream.of("a")),
                () -> List.of(CompletableFuture.completedFuture("a")));
    }

    private static Ran run(Supplier<Object> result) {
        return Both.run(
                Crew.solo(Steps.tool("look", (in, context) -> result.get())),
                Turn.calls("look", "{}"),
                Turn.says("Done"));
    }

    @ParameterizedTest
    @MethodSource
    void noValues(Supplier<Object> result) {
        Ran ran = run(result);

        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow())
                .startsWith("Tool 'look': its result cannot be written as JSON: ")
                .contains(" has no JSON form; ")
                .containsAnyOf("return", "read it");
    }

    record Value(@Nullable Object value, String json) {}

    static List<Value> values() {
        return List.of(
                new Value(Optional.of("a"), "\"a\""),
                new Value(new Nothing(), "{}"),
                new Value(Map.of(), "{}"),
                new Value(new ArrayList<>(List.of(1)), "[1]"),
                new Value(new int[] {1, 2}, "[1,2]"),
                new Value(null, "null"));
    }

    @ParameterizedTest
    @MethodSource
    void values(Value value) {
        Ran ran = Both.run(
                Crew.solo(Steps.tool("look", (in, context) -> value.value())),
                Turn.calls("look", "{}"),
                Turn.says("Done"));

        assertThat(ran.result().toolResults().getFirst().output()).contains(Json.parse(value.json()));
    }
}
