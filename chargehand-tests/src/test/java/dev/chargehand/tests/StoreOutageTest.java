package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run whose store fails is not ended: it stays in the store as it is, and any process may resume it. */
@Timeout(60)
class StoreOutageTest {

    private static final String THREAD = "t";

    private final AtomicInteger effects = new AtomicInteger();

    private static final class OddException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** How many appends a run makes whose two calls end together; one more if they do not. */
    private static final int FEWEST_APPENDS = 8;

    /** In what ways an append may fail. */
    enum Way {
        NOTHING_STORED((store, nth) -> store.failOn(Operation.APPEND, nth)),
        NOT_KNOWN_AND_NOT_STORED((store, nth) -> store.failOn(
                Operation.APPEND,
                nth,
                () -> new StoreException(StoreException.Kind.TIMEOUT, "Planned: nobody knows.", null))),
        NO_TYPE((store, nth) -> store.failOn(Operation.APPEND, nth, OddException::new)),
        NOT_KNOWN_AND_STORED((store, nth) -> store.failAfter(Operation.APPEND, nth));

        @SuppressWarnings("ImmutableEnumChecker") // plans keep nothing
        private final ObjIntConsumer<FaultyStore> plan;

        Way(ObjIntConsumer<FaultyStore> plan) {
            this.plan = plan;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whateverAppendFailsAnyProcessResumesTheRunAndNothingIsDoubled(Way way) throws InterruptedException {
        List<Role> undisturbed = roles(undisturbed());
        for (int nth = 1; ; nth++) {
            effects.set(0);
            InMemoryStore whole = InMemoryStore.keepingEndedRuns();
            FaultyStore faulty = FaultyStore.over(whole);
            WatchedStore watched = new WatchedStore(faulty);
            way.plan.accept(faulty, nth);
            try (AgentRuntime failing = runtime(watched);
                    AgentRuntime other = runtime(watched)) {
                RunResult result = resultOf(failing, nth, watched, other);
                if (faulty.count(Operation.APPEND) < nth) {
                    assertThat(nth).isGreaterThan(FEWEST_APPENDS);
                    return;
                }
                assertThat(result.text()).as("append %s", nth).isEqualTo("Done");
                assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(effects).as("append %s", nth).hasValueLessThanOrEqualTo(1);
                assertThat(roles(whole)).as("append %s", nth).isEqualTo(undisturbed);
                assertThat(whole.list(RunFilter.ALL)).hasSize(2).allMatch(run -> run.status() == RunStatus.COMPLETED);
            }
        }
    }

    /** Runs, and where that fails lets another runtime go on as soon as it may. */
    private RunResult resultOf(AgentRuntime failing, int nth, WatchedStore store, AgentRuntime other)
            throws InterruptedException {
        try {
            return failing.agent("supervisor").generate("Go", o -> o.thread(THREAD));
        } catch (StoreException e) {
            assertThat(nth).as("only the first append rejects the call itself").isEqualTo(1);
            assertThat(store.list(RunFilter.ALL)).isEmpty();
            return failing.agent("supervisor").generate("Go", o -> o.thread(THREAD));
        } catch (RunFailedException e) {
            assertThat(e.code()).startsWith("store-");
            assertThat(e.retryable()).isTrue();
            assertThat(store.list(RunFilter.ROOTS).getFirst().status()).isEqualTo(RunStatus.RUNNING);
            assertThat(store.list(RunFilter.ALL))
                    .as("append %s", nth)
                    .noneMatch(run -> run.status() == RunStatus.FAILED || run.status() == RunStatus.ABORTED);
            store.released.await();
            List<RunResult> recovered = other.recover().await();
            assertThat(recovered).as("append %s", nth).hasSize(1);
            return recovered.getFirst();
        }
    }

    @Test
    void aWriteThatIsStoredThoughItFailedIsNoFailure() {
        for (int nth = 1; nth < 10; nth++) {
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            store.failAfter(Operation.APPEND, nth);
            try (AgentRuntime runtime = runtime(store)) {
                assertThat(runtime.agent("supervisor").generate("Go").text()).isEqualTo("Done");
            }
            assertThat(store.count(Operation.RELEASE)).isZero();
        }
    }

    @Test
    void theNextTurnOfTheThreadRunsAtOnce() {
        for (int nth = 2; nth <= FEWEST_APPENDS; nth++) {
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            store.failOn(Operation.APPEND, nth);
            try (AgentRuntime runtime = runtime(store)) {
                failed(runtime);

                RunResult next = runtime.agent("supervisor")
                        .generate("Again", o -> o.thread(THREAD).busyThread(BusyThreadPolicy.REJECT));

                assertThat(next.text()).isEqualTo("Done");
            }
        }
    }

    @Test
    void theSameRuntimeResumesItAtOnceAndEndsIt() {
        for (int nth = 2; nth <= FEWEST_APPENDS; nth++) {
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            store.failOn(Operation.APPEND, nth);
            try (AgentRuntime runtime = runtime(store)) {
                RunId failed = failed(runtime).result().runId();

                assertThat(runtime.resume(failed, o -> {}).result().text()).isEqualTo("Done");
                assertThat(roles(store)).isEqualTo(roles(undisturbed()));
            }
        }
    }

    @Test
    void theReleaseIsTriedEverySecondUntilTheStoreAnswers() throws InterruptedException {
        ManualClock clock = new ManualClock();
        FaultyStore faulty = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        WatchedStore store = new WatchedStore(faulty);
        faulty.failOn(Operation.APPEND, 2);
        for (int nth = 1; nth <= 5; nth++) {
            faulty.failOn(Operation.RELEASE, nth);
        }
        try (AgentRuntime runtime = builder(store).timeSource(clock).build()) {
            RunId failed = failed(runtime).result().runId();
            for (int nth = 1; nth <= 5; nth++) {
                clock.awaitAlarm(Duration.ofSeconds(1));
                assertThat(faulty.count(Operation.RELEASE)).isEqualTo(nth);
                clock.advance(Duration.ofSeconds(1));
            }
            store.released.await();

            assertThat(faulty.count(Operation.RELEASE)).isEqualTo(6);
            RunRecord run = store.find(failed).orElseThrow();
            assertThat(run.owner()).isEmpty();
            assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
            assertThat(run.epoch()).isEqualTo(2);
        }
    }

    @Test
    void aRunThatIsResumedIsNotReleasedUnderItsNewClaim() throws Exception {
        ManualClock clock = new ManualClock();
        FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        store.failOn(Operation.APPEND, 2).failOn(Operation.CLAIM, 1);
        for (int nth = 1; nth <= 4; nth++) {
            store.failOn(Operation.RELEASE, nth);
        }
        try (AgentRuntime runtime = builder(store).timeSource(clock).build()) {
            RunId failed = failed(runtime).result().runId();
            assertThatThrownBy(() -> runtime.resume(failed, o -> {}).result()).isInstanceOf(StoreException.class);
            store.hangOn(Operation.APPEND, store.count(Operation.APPEND) + 2);
            CompletableFuture<RunResult> resumed = CompletableFuture.supplyAsync(
                    () -> runtime.resume(failed, o -> {}).result());
            store.awaitHanging(1);

            clock.advance(Duration.ofSeconds(1));
            clock.advance(Duration.ofSeconds(1));
            store.release();

            assertThat(resumed.get().text()).isEqualTo("Done");
            assertThat(store.find(failed).orElseThrow().owner()).isNotEmpty();
        }
    }

    @Test
    void closingTheRuntimeEndsTheTries() {
        ManualClock clock = new ManualClock();
        FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        store.failOn(Operation.APPEND, 2);
        for (int nth = 1; nth < 100; nth++) {
            store.failOn(Operation.RELEASE, nth);
        }
        try (AgentRuntime runtime =
                builder(store).timeSource(slowToSetAlarms(clock)).build()) {
            failed(runtime);
            clock.awaitAlarm(Duration.ofSeconds(1));
        }
        assertThat(clock.pending()).isEmpty();
        int tried = store.count(Operation.RELEASE);
        clock.advance(Duration.ofSeconds(5));
        assertThat(store.count(Operation.RELEASE)).isEqualTo(tried);
    }

    /** Return a clock that has set the alarm of a second long before it returns to the thread that asked for it. */
    private static TimeSource slowToSetAlarms(ManualClock clock) {
        return new TimeSource() {
            @Override
            public Instant now() {
                return clock.now();
            }

            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public Alarm schedule(Duration delay, Runnable task) {
                Alarm alarm = clock.schedule(delay, task);
                if (delay.equals(Duration.ofSeconds(1))) {
                    LockSupport.parkNanos(300_000_000); // so long it takes to see an alarm that close() has missed
                }
                return alarm;
            }
        };
    }

    @Test
    void aHeartbeatThatFailedIsTriedAgain() {
        FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        store.failOn(Operation.HEARTBEAT, 1);
        try (AgentRuntime runtime = runtime(store)) {
            assertThatThrownBy(() -> runtime.agent("supervisor").generate("Go")).isInstanceOf(StoreException.class);

            RunId run = runtime.agent("supervisor").generate("Go").runId();

            assertThat(store.isAlive(store.find(run).orElseThrow().owner())).isTrue();
        }
    }

    private static RunFailedException failed(AgentRuntime runtime) {
        return catchThrowableOfType(RunFailedException.class, () -> {
            RunResult ignored = runtime.agent("supervisor").generate("Go", o -> o.thread(THREAD));
        });
    }

    private Store undisturbed() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            assertThat(runtime.agent("supervisor")
                            .generate("Go", o -> o.thread(THREAD))
                            .text())
                    .isEqualTo("Done");
        }
        effects.set(0);
        return store;
    }

    private static List<Role> roles(Store store) {
        List<ThreadEntry> entries = store.readThread(THREAD, new ThreadOwner(null, null), Long.MAX_VALUE, 100);
        return entries.stream()
                .map(entry -> Message.fromJson(Json.parse(entry.text())).role())
                .toList();
    }

    private AgentRuntime runtime(Store store) {
        return builder(store).build();
    }

    /** Models that are functions of the conversation, so that they go on after a failure. */
    private AgentRuntimeBuilder builder(Store store) {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.answers(request -> hasResults(request) ? says("Done") : calls("agent-clerk", "note"))
                                .forever()),
                Turns.of(
                        "clerk",
                        Turn.answers(request -> hasResults(request) ? says("Noted") : calls("note"))
                                .forever()));
        Tool note = Steps.tool("note", (in, context) -> "noted");
        Tool once = Steps.tool("note", (in, context) -> effects.incrementAndGet());
        Agent clerk = Agent.builder("clerk")
                .description("Notes.")
                .model(script.modelFor("clerk"))
                .tools(once)
                .build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .agents(Agent.builder("supervisor")
                        .model(script.modelFor("supervisor"))
                        .agents(clerk)
                        .tools(note)
                        .build());
    }

    private static boolean hasResults(ModelRequest request) {
        return request.messages().getLast().role() == Role.TOOL;
    }

    private static ModelResponse says(String text) {
        return ModelResponse.text(text, Usage.NONE);
    }

    private static ModelResponse calls(String... tools) {
        List<RequestedCall> calls = new ArrayList<>();
        for (String tool : tools) {
            calls.add(new RequestedCall("c-" + tool, tool, "{\"prompt\":\"Do it\"}"));
        }
        return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, Usage.NONE);
    }
}
