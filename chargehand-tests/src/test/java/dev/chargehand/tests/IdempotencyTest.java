package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A call that is repeated with its idempotency key finds the run that it started. */
@Timeout(120)
class IdempotencyTest {

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @TempDir
    Path folder;

    @Test
    void theSameCallInTwoProcessesAtOnceStartsOneRun() {
        mayAnswer.countDown();
        try (AgentRuntime one = runtime(Wakeups.off());
                AgentRuntime two = runtime(Wakeups.off())) {
            for (int round = 0; round < 10; round++) {
                String key = "key" + round;
                CyclicBarrier meeting = new CyclicBarrier(2);
                List<CompletableFuture<RunHandle>> calls = Stream.of(one, two)
                        .map(runtime -> later(() -> {
                            Waiting.at(meeting);
                            return runtime.agent("lead").start("Hello", o -> o.idempotencyKey(key));
                        }))
                        .toList();
                RunHandle first = calls.getFirst().join();
                RunHandle second = calls.getLast().join();

                assertThat(first.runId()).isEqualTo(second.runId());
                assertThat(first.result().text()).isEqualTo("Heard Hello");
                assertThat(second.result().text()).isEqualTo("Heard Hello");
                assertThat(asked).hasSize(round + 1);
            }
        }
    }

    @Test
    void everyCallThatStartsARunFindsIt() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            RunResult first = runtime.agent("lead").generate("Hello", o -> o.idempotencyKey("key"));

            assertThat(runtime.agent("lead")
                            .generate("Hello", o -> o.idempotencyKey("key"))
                            .runId())
                    .isEqualTo(first.runId());
            assertThat(submit(runtime, "Hello", o -> o.idempotencyKey("key"))).isEqualTo(first.runId());
            assertThat(runtime.agent("lead")
                            .start("Hello", o -> o.idempotencyKey("key"))
                            .result()
                            .text())
                    .isEqualTo(first.text());
            RunId submitted = submit(runtime, "Later", o -> o.idempotencyKey("other"));
            assertThat(submit(runtime, "Later", o -> o.idempotencyKey("other"))).isEqualTo(submitted);
            assertThat(runtime.handle(submitted).status()).isEqualTo(RunStatus.PENDING);
            assertThat(asked).hasSize(1);
        }
    }

    @Test
    void aKeyWithAnotherInputOrThreadIsRefused() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            RunResult first = runtime.agent("lead").generate("Hello", o -> o.idempotencyKey("key"));

            refused(first, () -> runtime.agent("lead").start("Hello!", o -> o.idempotencyKey("key")));
            refused(first, () -> runtime.agent("lead")
                    .generate("Hello", o -> o.thread("t").idempotencyKey("key")));
            refused(first, () -> submit(runtime, "Goodbye", o -> o.idempotencyKey("key")));
            assertThat(runtime.runs(RunFilter.ALL)).hasSize(1);
        }
    }

    @Test
    void aKeyOfAnotherAgentOrRequesterIsAnotherKey() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            RunId first = start(runtime, o -> o.requester("ann"));

            assertThat(start(runtime, o -> o.requester("bob"))).isNotEqualTo(first);
            assertThat(start(runtime, o -> {})).isNotEqualTo(first);
            assertThat(start(runtime, o -> o.requester("ann").metadata("try", "2")))
                    .isEqualTo(first);
            assertThat(runtime.runs(RunFilter.ALL)).hasSize(3);
        }
    }

    @Test
    void aKeyCountsForADay() {
        mayAnswer.countDown();
        ManualClock clock = new ManualClock();
        try (AgentRuntime runtime =
                builder(Wakeups.off(), agent()).timeSource(clock).build()) {
            RunId first = start(runtime, o -> {});
            runtime.handle(first).result();
            clock.advance(Duration.ofHours(24));
            assertThat(start(runtime, o -> {})).isEqualTo(first);

            clock.advance(Duration.ofMillis(1));

            assertThat(start(runtime, o -> {})).isNotEqualTo(first);
        }
    }

    @Test
    void aRunWhoseThreadIsBusyIsStoredAndStartedInItsTurn() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            RunHandle holder = runtime.agent("lead").start("First", o -> o.thread("t"));
            Waiting.until("the first run asks", () -> !asked.isEmpty());
            Consumer<RunOptions.Builder> options =
                    o -> o.thread("t").idempotencyKey("key").addListener(event -> heard.add(event.type()));

            RunHandle waiting = runtime.agent("lead").start("Second", options);
            assertThat(waiting.status()).isEqualTo(RunStatus.PENDING);
            assertThat(runtime.agent("lead").start("Second", options).runId()).isEqualTo(waiting.runId());
            mayAnswer.countDown();

            assertThat(holder.result().text()).isEqualTo("Heard First");
            assertThat(waiting.result().text()).isEqualTo("Heard Second");
            Waiting.until("its listener has heard its end", () -> heard.contains("run-finish"));
            assertThat(heard.peek()).isEqualTo("run-start");
        }
    }

    @Test
    void aRunThatWaitedForItsThreadSurvivesItsProcess() {
        mayAnswer.countDown();
        RunId waiting;
        try (AgentRuntime other = runtime(Wakeups.off())) {
            RunId holder = submit(other, "First", o -> o.thread("t"));
            try (AgentRuntime dies = runtime(Wakeups.off())) {
                waiting = dies.agent("lead")
                        .start("Second", o -> o.thread("t").idempotencyKey("key"))
                        .runId();
            }
            other.resume(holder, o -> {}).result();

            assertThat(other.handle(waiting).status()).isEqualTo(RunStatus.PENDING);
            assertThat(other.recover().runIds()).containsExactly(waiting);
            assertThat(other.handle(waiting).result().text()).isEqualTo("Heard Second");
        }
    }

    @Test
    void processorsAreCalledOnceForEveryCall() {
        mayAnswer.countDown();
        Queue<String> screened = new ConcurrentLinkedQueue<>();
        AgentBuilder agent = agent().inputProcessors(InputProcessor.of("seen", (context, input) -> {
            screened.add(input.getFirst().text());
            return Processed.unchanged();
        }));
        try (AgentRuntime runtime = builder(Wakeups.off(), agent).build()) {
            RunHandle run =
                    runtime.agent("lead").start("Hello", o -> o.thread("t").idempotencyKey("key"));

            assertThat(run.result().text()).isEqualTo("Heard Hello");
            assertThat(screened).containsExactly("Hello");
        }
    }

    @Test
    void aCallThatIsRepeatedWhileItsRunHasTheThreadFindsItAlsoIfItMayNotWait() {
        try (AgentRuntime runtime = runtime(Wakeups.off());
                AgentRuntime other = runtime(Wakeups.off())) {
            Consumer<RunOptions.Builder> options =
                    o -> o.thread("t").busyThread(BusyThreadPolicy.REJECT).idempotencyKey("key");
            RunHandle first = runtime.agent("lead").start("Hello", options);
            for (AgentRuntime any : List.of(runtime, other)) {
                assertThat(any.agent("lead").start("Hello", options).runId()).isEqualTo(first.runId());
                refused(first.runId(), () -> any.agent("lead").start("Hello!", options));
                assertThatThrownBy(() -> any.agent("lead").start("Hello", o -> {
                            options.accept(o);
                            o.idempotencyKey("other");
                        }))
                        .isInstanceOf(ThreadBusyException.class);
            }
            mayAnswer.countDown();
            assertThat(first.result().text()).isEqualTo("Heard Hello");
        }
    }

    @Test
    void aKeyHasVisibleCharacters() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            for (String key : List.of("", "two words", "ü", "x".repeat(256))) {
                assertThatThrownBy(() -> start(runtime, o -> o.idempotencyKey(key)))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("1 to 255 visible ASCII characters");
            }
            for (String key : List.of("';DROP(TABLE)idempotency;--", "%", "x".repeat(255), "\\u0000")) {
                RunId first = start(runtime, o -> o.idempotencyKey(key));
                assertThat(start(runtime, o -> o.idempotencyKey(key))).isEqualTo(first);
            }
            assertThat(runtime.runs(RunFilter.ALL)).hasSize(4);
        }
    }

    private static void refused(RunResult first, ThrowingCallable call) {
        refused(first.runId(), call);
    }

    private static void refused(RunId first, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(IdempotencyKeyException.class, e -> {
            assertThat(e.code()).isEqualTo("idempotency-mismatch");
            assertThat(e.retryable()).isFalse();
            assertThat(e.runId()).isEqualTo(first.value());
        });
    }

    private static RunId start(AgentRuntime runtime, Consumer<RunOptions.Builder> options) {
        RunHandle run = runtime.agent("lead").start("Hello", o -> {
            o.idempotencyKey("key");
            options.accept(o);
        });
        return run.runId();
    }

    private static RunId submit(AgentRuntime runtime, String prompt, Consumer<RunOptions.Builder> options) {
        return runtime.submit(runtime.agent("lead"), List.of(Message.user(prompt)), options);
    }

    private static <T> CompletableFuture<T> later(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
    }

    private AgentBuilder agent() {
        Turn hears = Turn.answers(request -> {
            String last = request.messages().getLast().text();
            asked.add(last);
            Waiting.on(mayAnswer);
            return ModelResponse.text("Heard " + last, Usage.NONE);
        });
        Script script = Scripts.on("lead", hears.forever());
        return Agent.builder("lead").instructions("Go.").model(script.modelFor("lead"));
    }

    private AgentRuntime runtime(Wakeups wakeups) {
        return builder(wakeups, agent()).build();
    }

    private AgentRuntimeBuilder builder(Wakeups wakeups, AgentBuilder agent) {
        Store store = JdbcStore.sqlite(folder.resolve("store.db"));
        return AgentRuntime.builder().store(store).providers().wakeups(wakeups).agents(agent.build());
    }
}
