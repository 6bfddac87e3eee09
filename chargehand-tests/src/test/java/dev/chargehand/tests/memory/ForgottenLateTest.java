package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A process that was held up stores nothing of a resource that another process has forgotten meanwhile. */
class ForgottenLateTest extends DeletionFixture {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch proceed = new CountDownLatch(1);
    private final CountDownLatch called = new CountDownLatch(1);
    private final AtomicBoolean first = new AtomicBoolean(true);

    /** Return a store that is held up at the first call of a method of its memory, interrupted or not. */
    private Store heldUp(Store store, String at) {
        return withMemory(store, (call, method) -> {
            if (!method.equals(at) || !first.getAndSet(false)) {
                return call.call();
            }
            reached.countDown();
            boolean interrupted = awaitThroughInterrupts(proceed);
            try {
                return call.call();
            } finally {
                called.countDown();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        });
    }

    /** Wait; returns whether the thread was interrupted. */
    private static boolean awaitThroughInterrupts(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private interface Forgetting {
        void play(AgentRuntime heldUp, AgentRuntime other) throws Exception;
    }

    /** Play with two processes on one file. */
    private void inTwoProcesses(String heldUpAt, Consumer<Memory.Builder> memory, Forgetting forgetting, Turn... turns)
            throws Exception {
        Path file = folder.resolve("store.db");
        try (JdbcStore one = JdbcStore.sqlite(file);
                JdbcStore two = JdbcStore.sqlite(file);
                AgentRuntime heldUp =
                        runtime(heldUp(one, heldUpAt), memory, agent -> agent, UnaryOperator.identity(), turns);
                AgentRuntime other =
                        runtime(two, memory, agent -> agent, settings -> settings.wakeups(Wakeups.off()))) {
            forgetting.play(heldUp, other);
        } finally {
            proceed.countDown();
        }
    }

    @Test
    void anEditOfWorkingMemory() throws Exception {
        Turn edits = Turn.calls("updateWorkingMemory", Map.of("edits", List.of(Map.of("find", "", "write", SECRET))));
        inTwoProcesses(
                "edit",
                this::everything,
                (heldUp, other) -> {
                    RunHandle run = heldUp.agent("lead")
                            .start("Hello", o -> o.thread("t").resource("ann"));
                    reached.await();
                    Forgotten forgotten = other.memory().forget("ann", how -> how.cancelRuns());
                    assertThat(forgotten.runs()).isEqualTo(1);

                    proceed.countDown();
                    called.await();

                    assertThat(other.memory().workingMemory(ScopeRef.resource("ann")))
                            .isEmpty();
                    assertThat(filesWith(SECRET)).isEmpty();
                    assertThat(other.runs(RunFilter.ALL)).isEmpty();
                    assertThat(run.runId()).isNotNull();
                },
                edits,
                Turn.says("Noted.").forever());
    }

    /** The conversation that was forgotten was started again under its id. */
    @Test
    void aTitle() throws Exception {
        inTwoProcesses(
                "title",
                memory -> memory.title(ScriptedModel.script()
                        .on("titles")
                        .says("About a " + SECRET)
                        .forever()
                        .modelFor("titles")),
                (heldUp, other) -> {
                    heldUp.agent("lead")
                            .generate("My " + SECRET, o -> o.thread("t").resource("ann"));
                    reached.await();
                    assertThat(other.memory().forget("ann").threads()).isEqualTo(1);
                    assertThat(filesWith(SECRET)).isEmpty();
                    ThreadRecord again = other.threads().append(ANN, "t", List.of(Message.user("Hello")));
                    assertThat(again.length()).isEqualTo(1);

                    proceed.countDown();
                    called.await();

                    assertThat(other.threads().find(ANN, "t").orElseThrow().title())
                            .hasValue("Hello");
                    assertThat(filesWith(SECRET)).isEmpty();
                });
    }
}
