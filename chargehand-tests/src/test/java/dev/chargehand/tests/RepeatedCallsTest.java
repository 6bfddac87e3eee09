package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.Wakeups;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A handle says whether its call started a run, or found the one of an earlier call with the same key. */
class RepeatedCallsTest {

    @TempDir
    static Path folder;

    private final Script script = ScriptedModel.script();

    static Stream<Named<Supplier<Store>>> stores() {
        return Stream.of(
                Named.of("memory", InMemoryStore::keepingEndedRuns),
                Named.of("sqlite", () -> JdbcStore.sqlite(folder.resolve(java.util.UUID.randomUUID() + ".db"))));
    }

    private AgentRuntime runtime(Store store) {
        Agent writer = Agent.builder("writer").model(script.modelFor("writer")).build();
        return AgentRuntime.builder()
                .store(store)
                .agents(writer)
                .wakeups(Wakeups.off())
                .build();
    }

    private static RunHandle start(AgentRuntime runtime, Consumer<RunOptions.Builder> options) {
        return runtime.start(runtime.agent("writer"), List.of(Message.user("Hi")), options);
    }

    private static RunHandle enqueue(AgentRuntime runtime, Consumer<RunOptions.Builder> options) {
        return runtime.enqueue(runtime.agent("writer"), List.of(Message.user("Hi")), options);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void theRunOfAnEarlierCallIsFoundByItsKey(Supplier<Store> stores) {
        script.on("writer").says("Once.");
        try (Store store = stores.get();
                AgentRuntime runtime = runtime(store)) {
            Agent writer = runtime.agent("writer");
            assertThat(runtime.findStarted(writer, o -> o.idempotencyKey("k"))).isEmpty();
            RunHandle first = start(runtime, o -> o.idempotencyKey("k").requester("ann"));
            assertThat(first.result().text()).isEqualTo("Once.");
            assertThat(runtime.findStarted(writer, o -> o.idempotencyKey("k").requester("ann")))
                    .contains(first.runId());
            assertThat(runtime.findStarted(writer, o -> o.idempotencyKey("k").requester("bob")))
                    .as("the key of another caller")
                    .isEmpty();
            assertThat(runtime.findStarted(writer, o -> o.requester("ann")))
                    .as("no key")
                    .isEmpty();
            assertThat(store.list(RunFilter.ALL)).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aRepeatedCallSaysSo(Supplier<Store> stores) {
        script.on("writer").says("Once.").then().says("Twice.");
        try (Store store = stores.get();
                AgentRuntime runtime = runtime(store)) {
            RunHandle first = start(runtime, o -> o.idempotencyKey("k"));
            assertThat(first.isRepeated()).isFalse();
            assertThat(first.result().text()).isEqualTo("Once.");
            for (RunHandle again :
                    List.of(start(runtime, o -> o.idempotencyKey("k")), enqueue(runtime, o -> o.idempotencyKey("k")))) {
                assertThat(again.isRepeated()).isTrue();
                assertThat(again.runId()).isEqualTo(first.runId());
                assertThat(again.result().text()).isEqualTo("Once.");
            }
            assertThat(start(runtime, o -> {}).isRepeated()).isFalse();
            assertThat(runtime.handle(first.runId()).isRepeated()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void whatIsStoredForLaterSaysSoToo(Supplier<Store> stores) {
        try (Store store = stores.get();
                AgentRuntime runtime = runtime(store)) {
            RunHandle first = enqueue(runtime, o -> o.idempotencyKey("k"));
            RunHandle again = enqueue(runtime, o -> o.idempotencyKey("k"));
            assertThat(first.isRepeated()).isFalse();
            assertThat(again.isRepeated()).isTrue();
            assertThat(again.runId()).isEqualTo(first.runId());
            assertThat(store.list(RunFilter.ALL)).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anotherDigestIsAMismatch(Supplier<Store> stores) {
        script.on("writer").says("Once.");
        try (Store store = stores.get();
                AgentRuntime runtime = runtime(store)) {
            start(runtime, o -> o.idempotencyKey("k").idempotencyDigest("a")).result();
            assertThat(start(runtime, o -> o.idempotencyKey("k").idempotencyDigest("a"))
                            .isRepeated())
                    .isTrue();
            assertThatExceptionOfType(IdempotencyKeyException.class)
                    .isThrownBy(() -> start(runtime, o -> o.idempotencyKey("k").idempotencyDigest("b")));
            assertThatExceptionOfType(IdempotencyKeyException.class)
                    .isThrownBy(() -> start(runtime, o -> o.idempotencyKey("k")));
            assertThat(store.list(RunFilter.ALL)).hasSize(1);
        }
    }
}
