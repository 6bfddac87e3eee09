package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run whose handle a caller has is not lost while it waits for its thread: it is stored. */
@Timeout(120)
class StoredTurnTest {

    private static final Consumer<RunOptions.Builder> ON_THREAD =
            o -> o.thread("t").resource("ann");

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @TempDir
    Path folder;

    @Test
    void runsThatWaitForTheirThreadAreStoredAndStartInTheirOrder() {
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            RunHandle first = start(runtime, "hold");
            Waiting.on(asked);
            List<RunHandle> waiting = new ArrayList<>();
            for (int i = 1; i <= 5; i++) {
                waiting.add(start(runtime, "message " + i));
            }

            assertThat(waiting).allSatisfy(run -> assertThat(
                            runtime.store().find(run.runId()).orElseThrow().status())
                    .isEqualTo(RunStatus.PENDING));
            assertThat(waiting.getFirst().status()).isEqualTo(RunStatus.PENDING);
            mayEnd.countDown();

            assertThat(first.result().text()).isEqualTo("Heard hold");
            assertThat(waiting.getLast().result().text()).isEqualTo("Heard message 5");
            assertThat(texts(runtime))
                    .containsExactly(
                            "hold", "Heard hold",
                            "message 1", "Heard message 1",
                            "message 2", "Heard message 2",
                            "message 3", "Heard message 3",
                            "message 4", "Heard message 4",
                            "message 5", "Heard message 5");
        }
    }

    @Test
    void aRunWhoseProcessEndsWhileItWaitsIsExecutedByAnother() {
        RunHandle waiting;
        RunHandle first;
        try (AgentRuntime gone = runtime(Wakeups.own())) {
            first = start(gone, "hold");
            Waiting.on(asked);
            waiting = start(gone, "Do not forget me");
        }
        mayEnd.countDown();
        try (AgentRuntime other = runtime(Wakeups.all())) {
            assertThat(other.handle(first.runId()).result().text()).isEqualTo("Heard hold");
            assertThat(other.handle(waiting.runId()).result().text()).isEqualTo("Heard Do not forget me");
        }
    }

    @Test
    void itDoesNotOvertakeARunThatItsProcessHasLeft() throws Exception {
        RunHandle left;
        try (AgentRuntime gone = runtime(Wakeups.off())) {
            left = start(gone, "hold");
            Waiting.on(asked);
        }
        mayEnd.countDown();
        try (AgentRuntime other = runtime(Wakeups.off())) {
            RunHandle later = start(other, "later");
            assertThat(later.status()).isEqualTo(RunStatus.PENDING);
            CompletableFuture<RunResult> last = CompletableFuture.supplyAsync(
                    () -> other.agent("lead").generate("last", ON_THREAD),
                    task -> Thread.ofVirtual().start(task));

            assertThat(other.recover().runIds()).contains(left.runId());

            assertThat(last.get().text()).isEqualTo("Heard last");
            assertThat(texts(other).subList(0, 4)).containsExactly("hold", "Heard hold", "later", "Heard later");
        }
    }

    @Test
    void itKeepsTheHooksThatItsCallerHasGiven() {
        Queue<String> noted = new ConcurrentLinkedQueue<>();
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            RunHandle first = start(runtime, "hold");
            Waiting.on(asked);
            RunHandle waiting = runtime.agent("lead")
                    .start(
                            "With a hook",
                            ON_THREAD.andThen(o -> o.onIterationComplete(it -> {
                                noted.add(it.text());
                                return IterationDecision.proceed();
                            })));
            mayEnd.countDown();

            assertThat(waiting.result().text()).isEqualTo("Heard With a hook");
            assertThat(first.result().text()).isEqualTo("Heard hold");
            assertThat(noted).containsExactly("Heard With a hook");
        }
    }

    @Test
    void itCanBeCancelledAndLeavesNothingOnItsThread() {
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            RunHandle first = start(runtime, "hold");
            Waiting.on(asked);
            RunHandle waiting = start(runtime, "gone");

            assertThat(waiting.cancel()).isTrue();

            assertThat(waiting.result().stopReason()).isInstanceOf(StopReason.Cancelled.class);
            mayEnd.countDown();
            first.result();
            assertThat(start(runtime, "last").result().text()).isEqualTo("Heard last");
            assertThat(texts(runtime)).containsExactly("hold", "Heard hold", "last", "Heard last");
        }
    }

    private static RunHandle start(AgentRuntime runtime, String prompt) {
        return runtime.agent("lead").start(prompt, ON_THREAD);
    }

    private static List<String> texts(AgentRuntime runtime) {
        return runtime.threads().lastMessages(ThreadOwner.of("ann"), "t", 100).stream()
                .map(message -> message.message().text())
                .toList();
    }

    /** A runtime of one process, whose agent repeats what it hears, and holds on to {@code hold} until it may end. */
    private AgentRuntime runtime(Wakeups wakeups) {
        Script script = Scripts.on(
                "lead",
                Turn.answers(request -> {
                            String heard = request.messages().getLast().text();
                            if (heard.equals("hold")) {
                                asked.countDown();
                                Waiting.on(mayEnd);
                            }
                            return Steps.said("Heard " + heard);
                        })
                        .forever());
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .providers()
                .wakeups(wakeups)
                .closeGrace(Duration.ZERO)
                .agents(Agent.builder("lead")
                        .instructions("Go.")
                        .model(script.modelFor("lead"))
                        .build())
                .build();
    }
}
