package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.testkit.ChargehandAssertions;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that finds too many messages has them observed before it asks its model, or goes on without the oldest. */
class ObservedRunsTest extends ObservationFixture {

    @TempDir
    Path folder;

    private static String fails(ModelRequest request) {
        throw new IllegalStateException("It is down.");
    }

    /** Return a store with a conversation of which nothing was observed. */
    private Store told(Store store, int last) {
        var works = observe;
        observe = ObservedRunsTest::fails;
        try (AgentRuntime runtime = runtime(store)) {
            sayAll(runtime, 1, last);
        }
        observe = works;
        asked.clear();
        events.clear();
        requests.clear();
        return store;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tooManyMessagesAreObservedBefore(boolean durable) {
        Path file = folder.resolve("runs.db");
        Store told = told(durable ? JdbcStore.sqlite(file) : InMemoryStore.keepingEndedRuns(), 5);
        try (Store store = durable ? JdbcStore.sqlite(file) : told) {
            try (AgentRuntime runtime = runtime(store)) {
                RunResult run = say(runtime, 6);

                assertSeesEverything(6);
                assertThat(asked).hasSize(1);
                assertThat(events(RunEvent.ObservationStart.class)).hasSize(1);
                RunEvent.ObservationEnd end =
                        events(RunEvent.ObservationEnd.class).getFirst();
                assertThat(List.of(end.threadId(), end.from(), end.to(), end.usage()))
                        .isEqualTo(List.of("t", 0L, 9L, Usage.of(7, 3)));
                assertThat(run.usageByAgent().get("memory:")).isEqualTo(Usage.of(7, 3));
                assertThat(run.totalUsage()).isEqualTo(Usage.of(17, 8));
                assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
                ChargehandAssertions.assertThatEvents(events).arePaired();
            }
        }
    }

    @Test
    void aModelThatFailsLeavesTheOldestMessagesOut() {
        Store store = told(InMemoryStore.keepingEndedRuns(), 9);
        observe = ObservedRunsTest::fails;
        try (AgentRuntime runtime = runtime(store)) {
            RunResult run = say(runtime, 10);

            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            List<String> seen = numbers(requests.getLast().messages());
            assertThat(seen).containsExactlyElementsOf(said(7, 10));
            List<Message> before = requests.getLast()
                    .messages()
                    .subList(0, requests.getLast().messages().size() - 1);
            assertThat(before.stream().mapToLong(TokenLimiter::estimate).sum()).isLessThanOrEqualTo(MESSAGE_TOKENS);
            assertThat(events(RunEvent.ObservationFailed.class)).singleElement().satisfies(event -> assertThat(
                            event.problem())
                    .contains("test/observer")
                    .doesNotContain("said"));
            assertThat(events(RunEvent.MemoryProblem.class))
                    .singleElement()
                    .satisfies(event -> assertThat(event.problem()).startsWith("observation-failed: "));
        }
    }

    @Test
    void whatWasObservedBeforeAFailureIsUsed() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AtomicInteger calls = new AtomicInteger();
        tell(store, 40, 800);
        observe = request -> {
            if (calls.incrementAndGet() == 2) {
                throw new IllegalStateException("It is down.");
            }
            return "- observed " + numbers(request.messages().getLast());
        };
        try (AgentRuntime runtime = runtime(store)) {
            RunResult ignored = say(runtime, 41);
            List<String> seen = numbers(requests.getLast().messages());
            assertThat(seen).startsWith("said1", "said2").endsWith("said41").doesNotHaveDuplicates();
            assertThat(seen).hasSizeBetween(8, 15);
            assertThat(runtime.memory().settled(LONG)).isTrue();
            say(runtime, 42);
            assertSeesEverything(42);
        }
    }

    @Test
    void aRunThatIsCancelledMeanwhileEndsSo() throws Exception {
        Store store = told(InMemoryStore.keepingEndedRuns(), 5);
        Held held = new Held();
        observe = held;
        try (AgentRuntime runtime = runtime(store)) {
            var handle = runtime.agent("lead").start(text(6), o -> o.thread("t").resource("ann"));
            held.awaitCall();
            observe = request -> "- observed";
            handle.cancel();
            assertThat(handle.result().status()).isEqualTo(RunStatus.ABORTED);
            ChargehandAssertions.assertThatEvents(events).arePaired();
            held.release();
        }
        assertThat(log(store).observations()).noneMatch(each -> each.text().equals("- late"));
    }

    @Test
    void aRunThatOnlyReadsObservesNothing() {
        Store store = told(InMemoryStore.keepingEndedRuns(), 9);
        try (AgentRuntime runtime = runtime(store)) {
            RunResult run = runtime.agent("lead")
                    .generate(text(10), o -> o.thread("t").resource("ann").memory(m -> m.readOnly()));
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(asked).isEmpty();
            assertThat(numbers(requests.getLast().messages())).containsExactlyElementsOf(said(7, 10));
            assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
            assertThat(log(store).observations()).isEmpty();
        }
    }

    @Test
    void aNumberOfLastMessagesThatIsSetHoldsToo() {
        Store store = told(InMemoryStore.keepingEndedRuns(), 3);
        try (AgentRuntime runtime =
                runtime(store, memory -> memory.observations(this::observing).lastMessages(2))) {
            RunResult ignored = say(runtime, 4);
            assertThat(numbers(requests.getLast().messages())).containsExactlyElementsOf(said(3, 4));
        }
        try (AgentRuntime runtime = runtime(store)) {
            RunResult run = runtime.agent("lead")
                    .generate(text(5), o -> o.thread("t").resource("ann").memory(m -> m.lastMessages(0)));
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(numbers(requests.getLast().messages().stream()
                            .filter(message -> !message.internal())
                            .toList()))
                    .containsExactly("said5");
        }
    }

    @Test
    void aResumedRunSendsTheSameAlthoughMoreWasObserved() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        told(store, 5);
        try (AgentRuntime runtime = calling(store, 1, Tool::requiringApproval)) {
            RunResult waits =
                    runtime.agent("lead").generate(text(6), o -> o.thread("t").resource("ann"));
            assertThat(waits.status()).isEqualTo(RunStatus.SUSPENDED);
            List<Message> first = requests.getLast().messages();
            assertThat(first.getFirst().text()).contains("- observed");
            observeOneMore(store);
            try (AgentRuntime other = calling(store, 1, Tool::requiringApproval)) {
                RunResult done = other.approve(waits.pendingApprovals().getFirst(), Approver.of("boss"))
                        .result();
                assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
                List<Message> second = requests.getLast().messages();
                assertThat(second.subList(0, first.size())).isEqualTo(first);
            }
        }
    }

    /** Its agent had no observations when it started, and has them when it is resumed. */
    @Test
    void aRunOfAnEarlierDefinitionSeesEverything() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, memory -> memory.lastMessages(1_000))) {
            sayAll(runtime, 1, 9);
        }
        RunResult waits;
        try (AgentRuntime runtime =
                waiting(store, memory -> memory.lastMessages(1_000).workingMemory(WorkingMemory.template("- Name:")))) {
            waits = runtime.agent("lead").generate(text(10), o -> o.thread("t").resource("ann"));
            assertThat(waits.status()).isEqualTo(RunStatus.SUSPENDED);
        }
        try (AgentRuntime runtime = calling(
                store, 0, Tool::requiringApproval, memory -> memory.workingMemory(WorkingMemory.template("- Name:")))) {
            RunResult done = runtime.approve(waits.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();
            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(numbers(requests.getLast().messages())).containsExactlyElementsOf(said(1, 10));
            assertThat(requests.getLast().messages().getFirst().text()).contains("- observed said1");
        }
    }

    @Test
    void aForkSeesTheSame() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        told(store, 5);
        try (AgentRuntime runtime = runtime(store)) {
            RunResult run = say(runtime, 6);
            List<String> seen = numbers(requests.getLast().messages());
            int calls = asked.size();
            RunResult fork = runtime.fork(run.runId(), 0, changes -> {}).result();
            assertThat(fork.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(numbers(requests.getLast().messages())).containsExactlyElementsOf(seen);
            assertThat(asked).hasSize(calls + 1); // a fork of the start recalls again
        }
    }

    @Test
    void observationsNeedAModelThatIsThere() {
        assertThatThrownBy(() -> runtime(InMemoryStore.keepingEndedRuns(), observations(o -> {})))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("observations needs a model");
        try (AgentRuntime runtime =
                runtime(InMemoryStore.keepingEndedRuns(), observations(o -> o.model("nowhere/model")))) {
            assertThatThrownBy(() -> say(runtime, 1)).isInstanceOf(ModelException.class);
        }
        try (AgentRuntime runtime = runtime(new ForwardingStore(InMemoryStore.keepingEndedRuns()) {
            @Override
            public Optional<MemoryStore> memory() {
                return Optional.empty();
            }
        })) {
            assertThatThrownBy(() -> say(runtime, 1)).hasMessageContaining("a memory beyond the last messages");
        }
    }

    @Test
    void aLongThreadCostsWhatAShortOneDoes() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            sayAll(runtime, 1, 60);
            FaultyStore counted = FaultyStore.over(store);
            AtomicInteger read = new AtomicInteger();
            try (AgentRuntime other = runtime(new ForwardingStore(counted) {
                @Override
                public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
                    List<ThreadEntry> entries = super.readThread(threadId, owner, before, last);
                    read.addAndGet(entries.size());
                    return entries;
                }
            })) {
                sayAll(other, 61, 61);
                assertThat(read.get()).isBetween(1, 60);
            }
        }
    }

    @Test
    void aRunWaitsAMinuteForAModelThatDoesNotAnswer() throws Exception {
        Store store = told(InMemoryStore.keepingEndedRuns(), 9);
        ManualClock clock = new ManualClock();
        Held held = new Held();
        observe = held;
        try (AgentRuntime runtime = with(store, settings -> settings.timeSource(clock))) {
            RunHandle run =
                    runtime.agent("lead").start(text(10), o -> o.thread("t").resource("ann"));
            held.awaitCall();
            clock.advance(Duration.ofSeconds(59));
            assertThat(requests).isEmpty();
            clock.advance(Duration.ofSeconds(1));

            assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(numbers(requests.getFirst().messages())).containsExactlyElementsOf(said(7, 10));
            assertThat(events(RunEvent.MemoryProblem.class))
                    .singleElement()
                    .satisfies(event -> assertThat(event.problem()).contains("did not answer within"));
            held.release();
        }
    }

    @Test
    void theTokensOfTheObserverCountForTheBudget() {
        Store store = told(InMemoryStore.keepingEndedRuns(), 9);
        try (AgentRuntime runtime = runtime(store)) {
            RunResult run = runtime.agent("lead")
                    .generate(text(10), o -> o.thread("t").resource("ann").budget(budget -> budget.tokens(10)));
            assertThat(run.status()).isEqualTo(RunStatus.INCOMPLETE);
            assertThat(run.totalUsage()).isEqualTo(Usage.of(7, 3));
            assertThat(requests).isEmpty();
        }
    }

    /** Each call has less than a minute, but together they have more. */
    @Test
    void aRunWaitsAMinuteForAllCallsTogether() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        tell(store, 40, 800);
        ManualClock clock = new ManualClock();
        observe = request -> {
            clock.advance(Duration.ofSeconds(40));
            return "- observed " + numbers(request.messages().getLast());
        };
        try (AgentRuntime runtime =
                with(store, settings -> settings.timeSource(clock).wakeups(Wakeups.off()))) {
            RunResult run =
                    runtime.agent("lead").generate(text(41), o -> o.thread("t").resource("ann"));

            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(events(RunEvent.ObservationEnd.class)).hasSizeBetween(1, 2); // of at least 4
            assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
        }
    }
}
