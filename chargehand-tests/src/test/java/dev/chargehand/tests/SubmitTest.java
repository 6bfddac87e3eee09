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
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs that one process stores and another one executes. */
@Timeout(120)
class SubmitTest {

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final Queue<String> screened = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    @Test
    void aSubmittedRunIsExecutedByAProcessThatResumesEverything() {
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            RunId runId = submit(web, "Hello", o -> o.thread("t").resource("ann"));

            RunHandle handle = web.handle(runId);
            assertThat(handle.status()).isEqualTo(RunStatus.PENDING);
            assertThat(handle.status().isEnded()).isFalse();
            assertThat(texts(web)).isEmpty();

            Queue<String> events = new ConcurrentLinkedQueue<>();
            try (AgentRuntime worker = builder(file(), Wakeups.all(), agent())
                    .addListener(event -> events.add(event.type()))
                    .build()) {
                assertThat(handle.result().text()).isEqualTo("1: Hello");
                Waiting.until("the worker has told the end", () -> events.contains("run-finish"));
                assertThat(worker.store().find(runId).orElseThrow().attempts()).isZero();
            }

            assertThat(texts(web)).containsExactly("Hello", "1: Hello");
            assertThat(events.peek()).isEqualTo("run-start");
            assertThat(events).doesNotContain("run-resume");
            assertThat(web.history(runId)).extracting(RunEvent::type).containsSubsequence("run-start", "run-finish");
        }
    }

    @Test
    void theSubmittedRunsOfAThreadAreExecutedInTheirOrder() {
        int turns = 5;
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            List<RunId> runs = new ArrayList<>();
            for (int i = 0; i < turns; i++) {
                runs.add(submit(web, "question " + i, o -> o.thread("t").resource("ann")));
            }
            try (AgentRuntime one = runtime(file(), Wakeups.all());
                    AgentRuntime two = runtime(file(), Wakeups.all())) {
                for (int i = 0; i < turns; i++) {
                    assertThat(web.handle(runs.get(i)).result().text()).isEqualTo((2 * i + 1) + ": question " + i);
                }
                assertThat(one.store().find(runs.getFirst()).orElseThrow().status())
                        .isEqualTo(
                                two.store().find(runs.getLast()).orElseThrow().status());
            }
            assertThat(asked).hasSize(turns);
            assertThat(texts(web)).hasSize(2 * turns);
        }
    }

    @Test
    void manyProcessesExecuteEachSubmittedRunOnce() {
        try (AgentRuntime web = runtime(file(), Wakeups.off());
                AgentRuntime one = runtime(file(), Wakeups.all());
                AgentRuntime two = runtime(file(), Wakeups.all())) {
            List<RunId> runs = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                runs.add(submit(web, "question " + i, o -> {}));
            }
            runs.forEach(run -> assertThat(web.handle(run).result().status()).isEqualTo(RunStatus.COMPLETED));

            assertThat(asked).hasSize(20).doesNotHaveDuplicates();
            assertThat(one.store().find(runs.getFirst())).isEqualTo(two.store().find(runs.getFirst()));
        }
    }

    @Test
    void aRunWhoseFirstProcessDiesRightAfterItsClaimIsStartedByAnother() {
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            RunId runId = submit(web, "Hello", o -> o.thread("t").resource("ann"));
            web.store().claim(runId, 1, 1, "a process that is dead");
            assertThat(web.handle(runId).status()).isEqualTo(RunStatus.RUNNING);

            try (AgentRuntime worker = runtime(file(), Wakeups.all())) {
                assertThat(worker.handle(runId).result().text()).isEqualTo("1: Hello");
            }
            assertThat(texts(web)).containsExactly("Hello", "1: Hello");
        }
    }

    @Test
    void aPendingRunThatIsCancelledEndsInTheStore() {
        Queue<String> aborted = new ConcurrentLinkedQueue<>();
        AgentBuilder agent = agent().defaultOptions(
                        o -> o.onAbort(result -> aborted.add(result.runId().value())));
        try (AgentRuntime web = runtime(file(), Wakeups.off(), agent)) {
            RunId runId = submit(web, "Hello", o -> o.thread("t").resource("ann"));
            RunId next = submit(web, "Next", o -> o.thread("t").resource("ann"));

            assertThat(web.handle(runId).cancel()).isTrue();

            RunResult result = web.handle(runId).result();
            assertThat(result.status()).isEqualTo(RunStatus.ABORTED);
            assertThat(result.stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            assertThat(texts(web)).isEmpty();
            assertThat(aborted).containsExactly(runId.value());
            assertThat(web.history(runId))
                    .extracting(RunEvent::type)
                    .containsExactly("run-start", "abort", "run-finish");
            assertThat(web.cancel(runId)).isFalse();
            assertThat(web.handle(next).status()).isEqualTo(RunStatus.PENDING);
        }
    }

    @Test
    void aCallerCanStartASubmittedRun() {
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            RunId first = submit(web, "Hello", o -> o.thread("t").resource("ann"));
            RunId second = submit(web, "Again", o -> o.thread("t").resource("ann"));

            assertThatThrownBy(() -> web.resume(second, o -> {}))
                    .isInstanceOf(ThreadBusyException.class)
                    .hasMessageContaining(first.value());
            assertThat(web.resume(first, o -> {}).result().text()).isEqualTo("1: Hello");
            assertThat(web.resume(second, o -> {}).result().text()).isEqualTo("3: Again");
        }
    }

    @Test
    void aRunThatStartsHasItsTurnAfterThePendingOnes() {
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            RunId first = submit(web, "Hello", o -> o.thread("t").resource("ann"));

            Consumer<RunOptions.Builder> rejecting =
                    o -> o.thread("t").resource("ann").busyThread(BusyThreadPolicy.REJECT);
            assertThatThrownBy(() -> web.agent("lead").generate("Me first", rejecting))
                    .isInstanceOf(ThreadBusyException.class);
            assertThatThrownBy(() -> submit(web, "Me first", rejecting)).isInstanceOf(ThreadBusyException.class);

            RunHandle later =
                    web.agent("lead").start("Then me", o -> o.thread("t").resource("ann"));
            assertThat(web.resume(first, o -> {}).result().text()).isEqualTo("1: Hello");
            assertThat(later.result().text()).isEqualTo("3: Then me");
        }
    }

    @Test
    void inputProcessorsAreCalledOnceByTheProcessThatSubmits() {
        try (AgentRuntime web = runtime(file(), Wakeups.off(), screening())) {
            RunId passes = submit(web, "my secret", o -> o.thread("t").resource("ann"));
            RunId trips = submit(web, "forbidden", o -> o.thread("t").resource("ann"));

            assertThat(screened).containsExactly("my secret", "forbidden");
            assertThat(web.handle(trips).result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
            assertThat(web.resume(passes, o -> {}).result().text()).isEqualTo("1: my ***");
            assertThat(screened).hasSize(2);
            assertThat(texts(web)).containsExactly("my ***", "1: my ***");
        }
    }

    @Test
    void whatIsNotStoredIsRefusedWithItsNames() {
        RequestContext.Key<String> token = RequestContext.Key.transientOf("token", String.class);
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            assertThatThrownBy(() -> submit(web, "Hello", o -> o.stopWhen(step -> false)
                            .onFinish(result -> {})
                            .requestContext(RequestContext.of(token, "x"))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("stopWhen, onFinish, requestContext token")
                    .hasMessageContaining("default options of the agent");
            assertThat(web.runs(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void theThreadOfASubmittedRunIsItsOwners() {
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            submit(web, "Hello", o -> o.thread("t").resource("ann"));

            assertThatThrownBy(() -> submit(web, "Hello", o -> o.thread("t").resource("bob")))
                    .isInstanceOf(ThreadOwnershipException.class);
        }
    }

    @Test
    void theTimeBeforeARunBeginsIsNotItsOwn() {
        ManualClock clock = new ManualClock();
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime web =
                builder(store, Wakeups.off(), agent()).timeSource(clock).build()) {
            RunId runId = submit(web, "Hello", o -> o.thread("t"));
            clock.advance(Duration.ofDays(2));

            RunResult result = web.resume(runId, o -> {}).result();

            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(web.history(runId)).last().isInstanceOfSatisfying(RunEvent.RunFinish.class, end -> assertThat(
                            end.duration())
                    .isLessThan(Duration.ofHours(1)));
        }
    }

    private static RunId submit(AgentRuntime runtime, String prompt, Consumer<RunOptions.Builder> options) {
        return runtime.submit(runtime.agent("lead"), List.of(Message.user(prompt)), options);
    }

    private Store file() {
        return JdbcStore.sqlite(folder.resolve("store.db"));
    }

    /** An agent that says how long the conversation is, and repeats the last message. */
    private AgentBuilder agent() {
        Turn repeats = Turn.answers(request -> {
            String last = request.messages().getLast().text();
            asked.add(last);
            return ModelResponse.text((request.messages().size() - 1) + ": " + last, Usage.NONE);
        });
        Script script = Scripts.on("lead", repeats.forever());
        return Agent.builder("lead").instructions("Go.").model(script.modelFor("lead"));
    }

    private AgentBuilder screening() {
        InputProcessor processor = InputProcessor.of("secrets", (context, input) -> {
            String text = input.getFirst().text();
            screened.add(text);
            return text.contains("forbidden")
                    ? Processed.abort("It is forbidden.")
                    : Processed.rewritten(List.of(Message.user(text.replace("secret", "***"))));
        });
        return agent().defaultOptions(o -> o.addInputProcessor(processor));
    }

    private static List<String> texts(AgentRuntime runtime) {
        return runtime.threads().lastMessages(ThreadOwner.of("ann"), "t", 100).stream()
                .map(message -> message.message().text())
                .toList();
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups) {
        return runtime(store, wakeups, agent());
    }

    private static AgentRuntime runtime(Store store, Wakeups wakeups, AgentBuilder agent) {
        return builder(store, wakeups, agent).build();
    }

    private static AgentRuntimeBuilder builder(Store store, Wakeups wakeups, AgentBuilder agent) {
        return AgentRuntime.builder().store(store).providers().wakeups(wakeups).agents(agent.build());
    }
}
