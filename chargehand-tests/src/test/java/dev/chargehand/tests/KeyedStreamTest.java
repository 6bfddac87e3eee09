package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stream that is requested again with its key is a stream of the same run. */
@Timeout(120)
class KeyedStreamTest {

    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @TempDir
    Path folder;

    /** What the model does in its first and in later calls. */
    private ModelResponse says(ModelRequest request, ModelCall call) {
        asked.incrementAndGet();
        call.delta(new ModelDelta.Text("Hel"));
        call.delta(new ModelDelta.Text("lo, "));
        begun.countDown();
        Waiting.on(mayAnswer);
        call.delta(new ModelDelta.Text("you."));
        return ModelResponse.text("Hello, you.", Usage.of(1, 1));
    }

    @Test
    void aRunThatHasEndedIsReplayedInAnyProcess() {
        mayAnswer.countDown();
        List<RunEvent> first;
        try (AgentRuntime runtime = runtime()) {
            try (RunStream run = stream(runtime, "Hi")) {
                first = all(run);
            }
        }
        try (AgentRuntime other = runtime();
                RunStream again = stream(other, "Hi")) {
            List<RunEvent> replayed = all(again);

            assertThat(again.runId()).isEqualTo(first.getFirst().runId());
            assertThat(ids(replayed)).isEqualTo(ids(first));
            assertThat(text(replayed)).isEqualTo("Hello, you.");
            assertThat(replayed.getLast().type()).isEqualTo("run-finish");
            assertThat(again.result().text()).isEqualTo("Hello, you.");
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void aLiveRunIsReplayedAndGoesOnAsItHappens() {
        try (AgentRuntime runtime = runtime();
                AgentRuntime other = runtime();
                RunStream first = stream(runtime, "Hi")) {
            Waiting.on(begun);
            try (RunStream second = stream(runtime, "Hi");
                    RunStream third = stream(other, "Hi")) {
                assertThat(second.runId()).isEqualTo(third.runId()).isEqualTo(first.runId());
                Iterator<String> texts = second.textStream().iterator();

                assertThat(texts.next()).isEqualTo("Hello, ");
                mayAnswer.countDown();
                assertThat(texts.next()).isEqualTo("you.");
                assertThat(texts.hasNext()).isFalse();

                List<RunEvent> elsewhere = all(third);
                assertThat(ids(elsewhere)).isEqualTo(ids(all(first)));
                assertThat(text(elsewhere)).isEqualTo("Hello, you.");
                assertThat(asked).hasValue(1);
            }
        }
    }

    @Test
    void twoProcessesAtOnceStreamOneRun() {
        mayAnswer.countDown();
        try (AgentRuntime one = runtime();
                AgentRuntime two = runtime()) {
            for (int round = 0; round < 10; round++) {
                String key = "key" + round;
                CyclicBarrier meeting = new CyclicBarrier(2);
                List<CompletableFuture<List<RunEvent>>> streams = Stream.of(one, two)
                        .map(runtime -> later(() -> {
                            Waiting.at(meeting);
                            try (RunStream run = runtime.agent("lead").stream("Hi", o -> o.idempotencyKey(key))) {
                                return all(run);
                            }
                        }))
                        .toList();

                assertThat(ids(streams.getFirst().join()))
                        .isNotEmpty()
                        .isEqualTo(ids(streams.getLast().join()));
                assertThat(asked).hasValue(round + 1);
            }
        }
    }

    @Test
    void everyOtherCallWithTheKeyFindsTheRunOfAStream() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime();
                RunStream run = stream(runtime, "Hi")) {
            assertThat(run.result().text()).isEqualTo("Hello, you.");
            Agent lead = runtime.agent("lead");

            assertThat(lead.generate("Hi", o -> o.idempotencyKey("key")).runId())
                    .isEqualTo(run.runId());
            assertThat(lead.start("Hi", o -> o.idempotencyKey("key")).runId()).isEqualTo(run.runId());
            assertThatThrownBy(() -> stream(runtime, "Hello"))
                    .isInstanceOfSatisfying(IdempotencyKeyException.class, e -> assertThat(e.runId())
                            .isEqualTo(run.runId().value()));
            assertThat(runtime.runs(RunFilter.ALL)).hasSize(1);
        }
    }

    @Test
    void aReaderOfARunThatAnotherCallStartedLeavesItAlone() {
        try (AgentRuntime runtime = runtime();
                RunStream first = stream(runtime, "Hi")) {
            Waiting.on(begun);
            try (RunStream closed = stream(runtime, "Hi")) {
                assertThat(closed.iterator().next().type()).isEqualTo("run-start");
            }
            RunStream interrupted = stream(runtime, "Hi");
            Thread.currentThread().interrupt();
            List<RunEvent> read = all(interrupted);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read).extracting(RunEvent::type).doesNotContain("run-finish");
            assertThat(runtime.handle(first.runId()).status()).isEqualTo(RunStatus.RUNNING);

            mayAnswer.countDown();
            assertThat(first.result().text()).isEqualTo("Hello, you.");
        }
    }

    @Test
    void aReaderMayCancelTheRunThatItReads() {
        try (AgentRuntime runtime = runtime();
                RunStream first = stream(runtime, "Hi")) {
            Waiting.on(begun);
            try (RunStream second = stream(runtime, "Hi")) {
                second.cancel();

                assertThat(second.result().status()).isEqualTo(RunStatus.ABORTED);
            }
            assertThat(first.result().status()).isEqualTo(RunStatus.ABORTED);
        }
    }

    @Test
    void closingTheStreamThatStartedTheRunCancelsIt() {
        try (AgentRuntime runtime = runtime()) {
            RunStream first = stream(runtime, "Hi");
            Waiting.on(begun);
            first.close();

            try (RunStream again = stream(runtime, "Hi")) {
                assertThat(again.runId()).isEqualTo(first.runId());
                assertThat(again.result().status()).isEqualTo(RunStatus.ABORTED);
            }
        }
    }

    @Test
    void aStreamWhoseThreadIsBusyIsStoredAndReadInItsTurn() {
        try (AgentRuntime runtime = runtime()) {
            RunHandle holder = runtime.agent("lead").start("First", o -> o.thread("t"));
            Waiting.on(begun);
            try (RunStream waiting = onThread(runtime);
                    RunStream again = onThread(runtime)) {
                assertThat(runtime.handle(waiting.runId()).status()).isEqualTo(RunStatus.PENDING);
                assertThat(again.runId()).isEqualTo(waiting.runId());
                mayAnswer.countDown();

                assertThat(text(all(waiting))).isEqualTo("Hello, you.");
                assertThat(all(again).getLast().type()).isEqualTo("run-finish");
                assertThat(holder.result().text()).isEqualTo("Hello, you.");
            }
        }
    }

    @Test
    void closingAStreamThatWaitsForItsThreadCancelsItsRun() {
        try (AgentRuntime runtime = runtime()) {
            RunHandle holder = runtime.agent("lead").start("First", o -> o.thread("t"));
            Waiting.on(begun);
            RunStream waiting = onThread(runtime);
            waiting.close();

            assertThat(runtime.handle(waiting.runId()).status()).isEqualTo(RunStatus.ABORTED);
            mayAnswer.countDown();
            assertThat(holder.result().text()).isEqualTo("Hello, you.");
        }
    }

    @Test
    void anInterruptOfAStreamThatWaitsForItsThreadCancelsItsRun() {
        try (AgentRuntime runtime = runtime()) {
            RunHandle holder = runtime.agent("lead").start("First", o -> o.thread("t"));
            Waiting.on(begun);
            RunStream interrupted =
                    runtime.agent("lead").stream("Third", o -> o.thread("t").idempotencyKey("third"));
            Thread.currentThread().interrupt();
            List<RunEvent> read = all(interrupted);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read.getLast().type()).isEqualTo("run-finish");
            assertThat(runtime.handle(interrupted.runId()).status()).isEqualTo(RunStatus.ABORTED);
            mayAnswer.countDown();
            assertThat(holder.result().text()).isEqualTo("Hello, you.");
        }
    }

    private static RunStream onThread(AgentRuntime runtime) {
        return runtime.agent("lead").stream("Second", o -> o.thread("t").idempotencyKey("key"));
    }

    @Test
    void aReaderOfTextThatFallsBehindGetsEveryWordOnce() {
        CountDownLatch mayRead = new CountDownLatch(1);
        StringBuilder whole = new StringBuilder();
        AgentBuilder talks = agent((request, call) -> {
            for (int i = 0; i < 5_000; i++) {
                String word = i + " ";
                whole.append(word);
                call.delta(i % 2 == 0 ? new ModelDelta.Text(word) : new ModelDelta.Reasoning("Hm."));
                if (i % 2 == 1) {
                    call.delta(new ModelDelta.Text(word));
                }
                if (i == 0) {
                    begun.countDown();
                    Waiting.on(mayRead);
                }
            }
            mayAnswer.countDown();
            return ModelResponse.text(whole.toString(), Usage.of(1, 1));
        });
        try (AgentRuntime runtime = runtime(talks, store())) {
            RunHandle run = runtime.agent("lead").start("Hi", o -> o.idempotencyKey("key"));
            Waiting.on(begun);
            try (RunStream behind = stream(runtime, "Hi")) {
                Iterator<String> texts = behind.textStream().iterator();
                StringBuilder read = new StringBuilder(texts.next());
                mayRead.countDown();
                assertThat(run.result().text()).hasSizeGreaterThan(10_000);
                texts.forEachRemaining(read::append);

                assertThat(read.toString()).isEqualTo(whole.toString());
            }
        }
    }

    @Test
    void aReaderOfTextIsToldThatWhatItReadWasReplaced() {
        AgentBuilder breaks = agent((request, call) -> {
            if (asked.incrementAndGet() == 1) {
                call.delta(new ModelDelta.Text("Good"));
                begun.countDown();
                Waiting.on(mayAnswer);
                throw new ModelException(ModelException.Kind.CONNECTION, "Planned.", null);
            }
            call.delta(new ModelDelta.Text("Bye."));
            return ModelResponse.text("Bye.", Usage.of(1, 1));
        });
        try (AgentRuntime runtime = runtime(breaks, store())) {
            RunHandle run = runtime.agent("lead").start("Hi", o -> o.idempotencyKey("key"));
            Waiting.on(begun);
            try (RunStream reads = stream(runtime, "Hi")) {
                Iterator<String> texts = reads.textStream().iterator();
                assertThat(texts.next()).isEqualTo("Good");
                mayAnswer.countDown();

                assertThatThrownBy(texts::next)
                        .isInstanceOfSatisfying(ChargehandException.class, e -> assertThat(e.code())
                                .isEqualTo("text-replaced"));
                assertThat(reads.result().text()).isEqualTo("Bye.");
            }
            assertThat(run.result().text()).isEqualTo("Bye.");
        }
    }

    @Test
    void aSuspendedRunIsReadUntilItWaitsAndLaterBeyond() {
        AgentBuilder asks = Agent.builder("lead")
                .instructions("Go.")
                .model(Scripts.on("lead", Turn.calls("act", "{}"), Turn.says("Done."))
                        .modelFor("lead"))
                .tools(Steps.approvedTool("act", (in, context) -> "acted"));
        try (AgentRuntime runtime = runtime(asks, store())) {
            RunResult waiting = runtime.agent("lead").generate("Hi", o -> o.idempotencyKey("key"));
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            try (RunStream stopped = stream(runtime, "Hi")) {
                assertThat(all(stopped).getLast().type()).isEqualTo("run-suspend");
                assertThat(stopped.result().pendingApprovals()).hasSize(1);
            }

            RunHandle answered = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"));
            assertThat(answered.result().text()).isEqualTo("Done.");
            try (RunStream ended = stream(runtime, "Hi")) {
                assertThat(all(ended))
                        .extracting(RunEvent::type)
                        .containsSubsequence("run-suspend", "run-resume", "run-finish");
            }
        }
    }

    @Test
    void aNetworkWithoutAThreadIsFoundByItsKeyAndIsNoRunOfTheAgent() {
        AgentBuilder routes = Agent.builder("lead")
                .instructions("Route.")
                .model(Scripts.on("lead", Turn.says(Routed.none("Enough.")).forever())
                        .modelFor("lead"))
                .agents(Agent.builder("writer")
                        .description("Writes.")
                        .model("none/none")
                        .build());
        try (AgentRuntime runtime = runtime(routes, store())) {
            RunResult first = network(runtime);
            try (RunStream again = networkStream(runtime)) {
                assertThat(all(again).getLast().type()).isEqualTo("run-finish");
                assertThat(again.runId()).isEqualTo(first.runId());
            }
            assertThat(network(runtime).threadId()).isEqualTo(first.threadId());
            RunResult ordinary = runtime.agent("lead").generate("Hi", o -> o.idempotencyKey("key"));

            assertThat(ordinary.runId()).isNotEqualTo(first.runId());
            assertThat(runtime.runs(RunFilter.ROOTS)).hasSize(2);
            assertThatThrownBy(() -> runtime.agent("lead")
                            .generateNetwork("Hi", o -> o.thread("mine").idempotencyKey("key")))
                    .isInstanceOf(IdempotencyKeyException.class);
        }
    }

    @SuppressWarnings("deprecation") // networks are what is tested
    private static RunResult network(AgentRuntime runtime) {
        return runtime.agent("lead").generateNetwork("Hi", o -> o.idempotencyKey("key"));
    }

    @SuppressWarnings("deprecation") // networks are what is tested
    private static RunStream networkStream(AgentRuntime runtime) {
        return runtime.agent("lead").network("Hi", o -> o.idempotencyKey("key"));
    }

    @Test
    void aRunThatItsStoreHasForgottenIsNotStartedAgain() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime(agent(this::says), InMemoryStore.create())) {
            RunResult first = runtime.agent("lead").generate("Hi", o -> o.idempotencyKey("key"));

            assertThat(first.text()).isEqualTo("Hello, you.");
            try (RunStream late = stream(runtime, "Hi")) {
                assertThat(all(late)).isEmpty();
                assertThatThrownBy(late::result).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                        .isEqualTo(StoreException.Kind.NOT_FOUND));
            }
            assertThat(asked).hasValue(1);
        }
    }

    private static RunStream stream(AgentRuntime runtime, String prompt) {
        return runtime.agent("lead").stream(prompt, o -> o.idempotencyKey("key"));
    }

    private static List<RunEvent> all(RunStream run) {
        List<RunEvent> events = new ArrayList<>();
        run.forEach(events::add);
        return events;
    }

    private static List<EventId> ids(List<RunEvent> events) {
        return events.stream().flatMap(event -> event.origin().id().stream()).toList();
    }

    private static String text(List<RunEvent> events) {
        return String.join(
                "",
                Routed.all(RunEvent.TextDelta.class, events).stream()
                        .map(RunEvent.TextDelta::text)
                        .toList());
    }

    private static <T> CompletableFuture<T> later(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
    }

    private interface Answers {
        ModelResponse to(ModelRequest request, ModelCall call);
    }

    private static AgentBuilder agent(Answers answers) {
        return Agent.builder("lead").instructions("Go.").model(new Model() {
            @Override
            public String name() {
                return "test/lead";
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                return answers.to(request, call);
            }
        });
    }

    private AgentRuntime runtime() {
        return runtime(agent(this::says), store());
    }

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("store.db"));
    }

    private static AgentRuntime runtime(AgentBuilder agent, Store store) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .wakeups(Wakeups.off())
                .agents(agent.build())
                .build();
    }
}
