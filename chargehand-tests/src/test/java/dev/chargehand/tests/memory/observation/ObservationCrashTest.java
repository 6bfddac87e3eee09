package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.tests.Turn;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * A process is gone between any two writes of a run that has messages observed before and during it. The resumed run sends the same
 * requests again, and in the end each message was observed once or is still there to be.
 */
class ObservationCrashTest extends ObservationFixture {

    /** More writes than the run makes. */
    private static final int MANY = 200;

    private static final int STEPS = 6;

    /** How many requests were sent again. */
    private int repeated;

    /** The requests of the run, by the number of the step. */
    private final Map<Integer, ModelRequest> sent = new ConcurrentHashMap<>();

    private ModelResponse answer(ModelRequest request) {
        int step = 1 + (int) results(request).stream().distinct().count();
        ModelRequest before = sent.putIfAbsent(step, request);
        repeated += before == null ? 0 : 1;
        assertThat(request.messages()).isEqualTo(before == null ? request.messages() : before.messages());
        return step > STEPS
                ? ModelResponse.text("Noted.", Usage.of(10, 5))
                : new ModelResponse(
                        "",
                        "",
                        List.of(new ModelResponse.RequestedCall("c" + step, "look", "{\"place\":" + step + "}")),
                        FinishReason.TOOL_CALLS,
                        Usage.of(10, 5));
    }

    /** Return the results that a request has, as they were returned or as they were observed. */
    private static List<String> results(ModelRequest request) {
        List<String> results = shown(request);
        results.removeIf(number -> Integer.parseInt(number.substring(4)) < 100);
        return results;
    }

    private AgentRuntime calling(Store store) {
        Tool look = Tool.builder("look", "Looks.")
                .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
                .repeatable()
                .handler((in, context) -> text(
                        100 + Integer.parseInt(in.at("/place").orElseThrow().text())))
                .build();
        return runtime(
                store,
                memory -> memory.observations(this::observing),
                agent -> agent.tools(look).defaultOptions(o -> o.maxSteps(30)),
                runtime -> runtime.wakeups(Wakeups.off()).closeGrace(Duration.ZERO),
                Turn.answers(this::answer).forever());
    }

    /** A conversation of which nothing was observed, so that the next run has it observed before. */
    private InMemoryStore prepared() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        var works = observe;
        observe = request -> {
            throw new IllegalStateException("It is down.");
        };
        try (AgentRuntime runtime = runtime(store)) {
            sayAll(runtime, 1, 5);
        }
        observe = works;
        return store;
    }

    @Test
    void aResumedRunSendsTheSameRequests() {
        for (FaultyStore.Operation operation : List.of(FaultyStore.Operation.APPEND, FaultyStore.Operation.OBSERVE)) {
            sent.clear();
            FaultyStore whole = FaultyStore.over(prepared());
            int before = whole.count(operation);
            try (AgentRuntime runtime = calling(whole)) {
                assertThat(say(runtime, 6).status()).isEqualTo(RunStatus.COMPLETED);
                assertEachMessageWasObservedOnce(whole);
            }
            int writes = whole.count(operation) - before;
            assertThat(writes).isGreaterThan(1);
            // without its first append there is no run
            for (int write = operation == FaultyStore.Operation.APPEND ? 2 : 1; write <= writes; write++) {
                sent.clear();
                goneBefore(operation, write);
            }
        }
        assertThat(repeated).isPositive();
    }

    private void goneBefore(FaultyStore.Operation operation, int write) {
        InMemoryStore healthy = prepared();
        FaultyStore dying = FaultyStore.over(healthy);
        for (int nth = write; nth < write + MANY; nth++) {
            dying.failOn(operation, nth);
        }
        try (AgentRuntime runtime = calling(dying)) {
            RunResult ignored =
                    runtime.agent("lead").generate(text(6), o -> o.thread("t").resource("ann"));
        } catch (RunFailedException e) {
            assertThat(e.code()).startsWith("store-");
        }
        try (AgentRuntime other = calling(healthy)) {
            for (RunRecord run : healthy.list(RunFilter.ROOTS.thread("t"))) {
                if (run.status().isEnded()) {
                    continue;
                }
                assertThat(other.resume(run.runId(), o -> {}).result().status()).isEqualTo(RunStatus.COMPLETED);
            }
            other.recover();
            assertThat(other.memory().settled(LONG)).isTrue();
            assertEachMessageWasObservedOnce(healthy);
            assertThat(due(healthy)).isZero();
        }
    }

    /** Without gaps and without a message that was observed twice. */
    private static void assertEachMessageWasObservedOnce(Store store) {
        assertThat(contiguous(store)).isTrue();
        assertThat(log(store).end())
                .isLessThanOrEqualTo(store.findThread("t").orElseThrow().length());
    }
}
