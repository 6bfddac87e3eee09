package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which calls count towards the limit of calls: those that a run plans itself, and not those that it has of others. */
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

    private final AgentRuntime runtime = AgentRuntime.builder()
            .store(InMemoryStore.keepingEndedRuns())
            .workflows(flat, around)
            .build();

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
        assertThat(forked(source, "flat.last", 2)).isEqualTo(FINISHED);
    }

    private StopReason forked(RunId source, String place, int calls) {
        return runtime.fork(source, fork -> fork.before(place).options(atMost(calls)))
                .result()
                .stopReason();
    }
}
