package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A fork that is requested again with its key is the same fork. */
@Timeout(120)
class KeyedForkTest extends ForkFixture {

    @TempDir
    Path folder;

    @Test
    void theSameForkIsFoundInAnyProcess() {
        RunId old;
        RunId fork;
        try (AgentRuntime runtime = runtime()) {
            old = runtime.agent("lead").generate("Go", o -> o.thread("t")).runId();
            RunHandle first = fork(runtime, old, 2, "copy", f -> {});
            fork = first.runId();

            assertThat(fork(runtime, old, 2, "copy", f -> {}).runId()).isEqualTo(fork);
            assertThat(first.result().threadId()).contains("copy");
        }
        try (AgentRuntime other = runtime()) {
            RunHandle again = fork(other, old, 2, "copy", f -> {});

            assertThat(again.runId()).isEqualTo(fork);
            assertThat(again.result().forkedFrom()).isPresent();
            assertThat(other.runs(RunFilter.ROOTS)).hasSize(2);
        }
    }

    @Test
    void anotherForkUnderTheKeyIsRefused() {
        try (AgentRuntime runtime = runtime()) {
            RunResult old = runtime.agent("lead").generate("Go");
            RunId fork = fork(runtime, old.runId(), 2, null, f -> {}).runId();

            refused(fork, () -> fork(runtime, old.runId(), 1, null, f -> {}));
            refused(fork, () -> fork(runtime, old.runId(), 2, "named", f -> {}));
            refused(fork, () -> fork(runtime, old.runId(), 2, null, f -> f.input("Run")));
            refused(fork, () -> fork(runtime, old.runId(), 2, null, f -> f.addMessage("Run")));
            assertThat(fork(runtime, old.runId(), 2, null, f -> f.options(o -> o.maxSteps(20)))
                            .runId())
                    .isEqualTo(fork);
            assertThat(runtime.runs(RunFilter.ROOTS)).hasSize(2);
        }
    }

    private static void refused(RunId fork, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(IdempotencyKeyException.class, e -> assertThat(e.runId())
                .isEqualTo(fork.value()));
    }

    @Test
    void aForkOfAnotherRunAndARunOfTheAgentHaveOtherKeys() {
        try (AgentRuntime runtime = runtime()) {
            RunId old = runtime.agent("lead")
                    .generate("Go", o -> o.idempotencyKey("key"))
                    .runId();
            RunId other = runtime.agent("lead").generate("Go").runId();
            RunId fork = fork(runtime, old, 2, null, f -> {}).runId();

            assertThat(fork(runtime, other, 2, null, f -> {}).runId()).isNotIn(fork, old);
            assertThat(runtime.agent("lead")
                            .generate("Go", o -> o.idempotencyKey("key"))
                            .runId())
                    .isEqualTo(old);
            RunId plain = runtime.fork(old, 2, f -> {}).runId();
            assertThat(plain).isNotIn(fork, old);
        }
    }

    @Test
    void aForkWhoseHooksAreMissingInAnotherProcessIsFound() {
        RunId old;
        RunId fork;
        Consumer<ForkBuilder> allows = f -> f.options(o -> o.beforeToolCall(call -> ToolCallDecision.allow()));
        try (AgentRuntime runtime = runtime()) {
            old = runtime.agent("lead")
                    .generate("Go", o -> o.beforeToolCall(call -> ToolCallDecision.allow()))
                    .runId();
            fork = fork(runtime, old, 2, null, allows).runId();
            runtime.handle(fork).result();
        }
        try (AgentRuntime other = runtime()) {
            assertThat(fork(other, old, 2, null, f -> {}).runId()).isEqualTo(fork);
            assertThatThrownBy(() -> other.fork(old, 2, f -> f.options(o -> o.idempotencyKey("another"))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("Give them again");
        }
    }

    @Test
    void twoProcessesAtOnceMakeOneFork() {
        try (AgentRuntime one = runtime();
                AgentRuntime two = runtime()) {
            RunId old = one.agent("lead").generate("Go", o -> o.thread("t")).runId();
            for (int round = 0; round < 5; round++) {
                String thread = "copy" + round;
                CyclicBarrier meeting = new CyclicBarrier(2);
                List<CompletableFuture<RunId>> forks = Stream.of(one, two)
                        .map(runtime -> CompletableFuture.supplyAsync(
                                () -> {
                                    Waiting.at(meeting);
                                    return runtime.fork(
                                                    old,
                                                    2,
                                                    f -> f.options(o ->
                                                            o.thread(thread).idempotencyKey(thread)))
                                            .runId();
                                },
                                task -> Thread.ofVirtual().start(task)))
                        .toList();

                assertThat(forks.getFirst().join()).isEqualTo(forks.getLast().join());
                one.handle(forks.getFirst().join()).result();
                assertThat(one.runs(RunFilter.ROOTS)).hasSize(round + 2);
            }
        }
    }

    private static RunHandle fork(
            AgentRuntime runtime, RunId old, int step, @Nullable String thread, Consumer<ForkBuilder> changes) {
        return runtime.fork(old, step, f -> {
            f.options(o -> {
                o.idempotencyKey("key");
                if (thread != null) {
                    o.thread(thread);
                }
            });
            changes.accept(f);
        });
    }

    private AgentRuntime runtime() {
        Script script = script();
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .providers()
                .wakeups(Wakeups.off())
                .agents(lead.withModels(id -> Optional.of(ModelChoice.of(script.modelFor(id)))))
                .build();
    }
}
