package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls count towards the limit of calls: those that the runs of a tree plan, and not those that they have of others. */
class WorkflowCallsTest {

    private static final StopReason REACHED = new StopReason.LimitReached("workflowCalls");
    private static final StopReason FINISHED = new StopReason.Finished();

    private final Step<Integer, Integer> many = plusOne("many");

    /** Calls three steps, two and one. */
    private final Workflow<Integer, Integer> flat = Workflow.from("flat", Integer.class)
            .foreach("items", (in, context) -> List.of(in, in, in), many, Each.concurrency(1))
            .map("size", Integer.class, (all, context) -> all.size())
            .parallel("both", plusOne("left"), plusOne("right"))
            .map("one", Integer.class, (out, context) -> 1)
            .then(plusOne("last"))
            .build(Integer.class);

    private final Workflow<Integer, Integer> around = Workflow.from("around", Integer.class)
            .parallel("beside", flat.asStep(), plusOne("near"))
            .map("flat-one", Integer.class, (out, context) -> out.get(flat.asStep()))
            .then(plusOne("end"))
            .build(Integer.class);

    /** Calls 18 steps: one that calls the nine of the workflow above, one that calls six, and one. */
    private final Workflow<Integer, Integer> deep = Workflow.from("deep", Integer.class)
            .then(around)
            .then(flat.asStep().withId("again"))
            .then(plusOne("final"))
            .build(Integer.class);

    /** Calls a nested workflow after two steps. */
    private final Workflow<Integer, Integer> late = Workflow.from("late", Integer.class)
            .then(plusOne("one"))
            .then(plusOne("two"))
            .then(flat)
            .build(Integer.class);

    private final AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());

    private AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .workflows(flat, around, deep, late)
                .wakeups(Wakeups.off())
                .build();
    }

    private static Step<Integer, Integer> plusOne(String id) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> in + 1)
                .repeatable();
    }

    private static Consumer<RunOptions.Builder> atMost(int calls) {
        return options -> options.limit(Limit.WORKFLOW_CALLS, calls);
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void outputsThatAStartInTheMiddleIsGivenAreNotCounted() {
        Map<String, List<Integer>> given = Map.of("items", List.of(7, 7, 7));
        assertThat(runtime.run(flat, 1, atMost(3).andThen(o -> o.from("both", given)))
                        .stopReason())
                .isEqualTo(FINISHED);
        assertThat(runtime.run(flat, 1, atMost(2).andThen(o -> o.from("both", given)))
                        .stopReason())
                .isEqualTo(REACHED);
    }

    @Test
    void callsThatAForkHasCopiedAreNotCounted() {
        RunId source = runtime.run(flat, 1, atMost(6)).runId();
        assertThat(forked(source, "last", 1)).isEqualTo(FINISHED);
        assertThat(forked(source, "both", 3)).isEqualTo(FINISHED);
        assertThat(forked(source, "both", 2)).isEqualTo(REACHED);
    }

    @Test
    void outputsThatAForkIsGivenAreNotCounted() {
        RunId source = runtime.run(flat, 1, atMost(4)).runId(); // ends before the parallel steps
        StopReason stop = runtime.fork(source, fork -> fork.before("last")
                        .output("left", 1)
                        .output("right", 1)
                        .options(atMost(1)))
                .result()
                .stopReason();
        assertThat(stop).isEqualTo(FINISHED);
    }

    /** The round of the nested run is planned anew: of its two calls one has ended, and the other is continued. */
    @Test
    void aForkBelowANestedRunCountsWhatItContinues() {
        RunId source = runtime.start(around, 1, o -> {}).result().runId();
        assertThat(forked(source, "flat.last", 3)).isEqualTo(FINISHED);
        assertThat(forked(source, "flat.last", 2)).isEqualTo(REACHED);
    }

    @Test
    void theCallsOfNestedWorkflowsCountTogetherWithThoseOfTheRoot() {
        assertThat(runtime.run(deep, 1, atMost(18)).stopReason()).isEqualTo(FINISHED);
        assertThat(runtime.run(deep, 1, atMost(17)).stopReason()).isEqualTo(REACHED);
        assertThatThrownBy(() -> runtime.run(deep, 1, atMost(16)))
                .hasMessageContaining(
                        "Step 'again' failed: Workflow 'flat' gave no output. The limit 'workflowCalls' is"
                                + " reached: the steps that a root run and its nested runs may call together")
                .hasMessageContaining("Limit.WORKFLOW_CALLS");
    }

    /** Nested runs have ended by then, are open, or have not started. */
    @ParameterizedTest
    @ValueSource(ints = {18, 17})
    void aRestartBetweenAnyTwoFactsCountsTheSame(int calls) {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        StopReason undisturbed;
        try (AgentRuntime runtime = runtime(counted)) {
            undisturbed = runtime.run(deep, 1, atMost(calls)).stopReason();
        }
        assertThat(undisturbed).isEqualTo(calls == 18 ? FINISHED : REACHED);
        for (int append = 2; append <= counted.count(FaultyStore.Operation.APPEND); append++) {
            assertThat(interrupted(append, calls))
                    .as("gone before append %s", append)
                    .isEqualTo(undisturbed);
        }
    }

    private StopReason interrupted(int append, int calls) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        return resumed(store, left(store, append, deep, atMost(calls)));
    }

    /** Return a run whose process is gone before an append, or which has ended if it had no such: ends that come together share one. */
    private RunId left(
            InMemoryStore store, int append, Workflow<Integer, Integer> of, Consumer<RunOptions.Builder> options) {
        try (AgentRuntime dying = runtime(Crashing.goneBefore(append, store))) {
            var ignored = dying.run(of, 1, options);
        } catch (ChargehandException e) {
            assertThat(e.code()).startsWith("store");
        }
        return store.list(RunFilter.ROOTS).getFirst().runId();
    }

    private StopReason resumed(Store store, RunId run) {
        try (AgentRuntime other = runtime(store)) {
            return other.resume(run, o -> {}).result().stopReason();
        }
    }

    @Test
    void givenOutputsAreNotCountedAfterARestart() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        Map<String, List<Integer>> given = Map.of("items", List.of(7, 7, 7));
        RunId run = left(store, 3, flat, atMost(3).andThen(o -> o.from("both", given)));
        assertThat(resumed(store, run)).isEqualTo(FINISHED);
    }

    @Test
    void onlyARunThatHasNestedWorkflowsReadsThemToCount() {
        int lists = listsOfAResumedRun(flat, 4);
        assertThat(listsOfAResumedRun(late, 4)).isEqualTo(lists);
        assertThat(listsOfAResumedRun(deep, 9)).isGreaterThan(lists);
    }

    private int listsOfAResumedRun(Workflow<Integer, Integer> workflow, int append) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        RunId run = left(store, append, workflow, o -> {});
        FaultyStore counted = FaultyStore.over(store);
        assertThat(resumed(counted, run)).isEqualTo(FINISHED);
        return counted.count(FaultyStore.Operation.LIST);
    }

    /** The model calls the workflow twice; the tree may call one of its two steps more than once needs. */
    @Test
    void workflowsBelowAnAgentCountTogether() {
        Workflow<String, String> shouting = Workflow.from("shouting", String.class)
                .description("Shouts.")
                .then(Step.of("loud", String.class, String.class, (text, context) -> text + "!"))
                .then(Step.of("louder", String.class, String.class, (text, context) -> text + "!"))
                .build(String.class);
        Agent clerk = Agent.builder("clerk")
                .instructions("You sell.")
                .model("none/none")
                .workflows(shouting)
                .build();
        Turn shouts = Turn.calls("workflow-shouting", Map.of("input", "Hey"));
        try (TestRuntime test = Crew.playing(Scripts.on("clerk", shouts, shouts, Turn.says("done")), clerk)) {
            RunResult result = test.agent("clerk").generate("Shout.", o -> o.limit(Limit.WORKFLOW_CALLS, 3));
            assertThat(result.steps().stream().flatMap(step -> step.toolResults().stream()))
                    .extracting(outcome -> outcome.error().isPresent())
                    .containsExactly(false, true);
        }
    }

    private StopReason forked(RunId source, String place, int calls) {
        return runtime.fork(source, fork -> fork.before(place).options(atMost(calls)))
                .result()
                .stopReason();
    }
}
