package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.event.RunListener;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Entry.Failure;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of concurrent steps that each fit the shared state, but not together. */
class CombinedStateTest {

    /** Each of two fields may be there, both may not. */
    private static final JsonSchema ONE_OF_TWO =
            JsonSchema.of(Json.parse("{\"type\": \"object\", \"maxProperties\": 1}"));

    private static final String LARGE = "x".repeat(200_000);

    @TempDir
    private Path folder;

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    private final CyclicBarrier bothStarted = new CyclicBarrier(2);

    /** A step that sees the state from before the change of the other one. */
    private Step<String, String> sets(String id, String value) {
        return Step.of(id, String.class, String.class, (in, context) -> {
            bothStarted.await();
            context.updateState(Map.of(id, value));
            return id;
        });
    }

    private Step<Outputs, String> after() {
        return Step.of("after", Outputs.class, String.class, (in, context) -> {
            done.add("after");
            return "after";
        });
    }

    private Workflow<String, String> large() {
        return Workflow.from("large", String.class)
                .parallel(sets("left", LARGE), sets("right", LARGE))
                .then(after())
                .build(String.class);
    }

    private Workflow<String, String> broken() {
        return Workflow.from("broken", String.class)
                .state(ONE_OF_TWO, Json.of(Map.of()))
                .parallel(sets("left", "a").optional(), sets("right", "b").optional())
                .onFailure(Failure.CANCEL_SIBLINGS)
                .map("all", Outputs.class, (out, context) -> {
                    done.add("map");
                    return out;
                })
                .then(after())
                .build(String.class);
    }

    private AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return AgentRuntime.builder().store(store).workflows(workflows).build();
    }

    private static RunFailedException failure(AgentRuntime runtime, Workflow<String, String> workflow) {
        RunFailedException e =
                catchThrowableOfType(RunFailedException.class, () -> runtime.run(workflow, "x", options -> {}));
        assertThat(e).isNotNull();
        return e;
    }

    @Test
    void changesThatAreTooLargeTogetherFailTheRunAndNameTheirSteps() {
        try (AgentRuntime runtime = runtime()) {
            assertThat(failure(runtime, large()).result().stopReason().explanation())
                    .contains("after the changes of steps 'left', 'right', but at most 262144 are allowed")
                    .contains("have one step after entry");
        }
        assertThat(done).isEmpty();
    }

    @Test
    void changesThatBreakTheSchemaTogetherFailTheRunAndNameTheirSteps() {
        try (AgentRuntime runtime = runtime()) {
            assertThat(failure(runtime, broken()).result().stopReason().explanation())
                    .contains("The shared state breaks its schema after the changes of steps 'left', 'right':")
                    .contains("Each of these changes fits alone");
        }
        assertThat(done).isEmpty(); // no code of a later entry has seen that state
    }

    /** The state that a step sees does not depend on which of its siblings had ended when the process was gone. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void aRunThatContinuesElsewhereFailsAsItWouldHave(int append) {
        CountDownLatch leftIsStored = new CountDownLatch(1);
        RunListener stored = event -> {
            if (event instanceof WorkflowEvent.WorkflowStepResult end
                    && end.stepPath().equals("left")) {
                leftIsStored.countDown();
            }
        };
        Workflow<String, String> workflow = inTurn(leftIsStored);
        InMemoryStore left = InMemoryStore.keepingEndedRuns();
        RunId run;
        try (AgentRuntime dying = AgentRuntime.builder()
                .store(Crashing.goneBefore(append, left))
                .workflows(workflow)
                .addListener(stored)
                .build()) {
            assertThatThrownBy(() -> dying.run(workflow, "x", options -> {})).isInstanceOf(RunFailedException.class);
            run = left.list(RunFilter.ROOTS).getFirst().runId();
        }
        leftIsStored.countDown();
        String expected;
        try (AgentRuntime runtime = runtime(workflow)) {
            expected = failure(runtime, workflow).result().stopReason().explanation();
        }
        assertThat(expected).contains("'left', 'right'");
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(left).workflows(workflow).build()) {
            assertThatThrownBy(() -> runtime.resume(run, options -> {}).result())
                    .isInstanceOfSatisfying(RunFailedException.class, e -> assertThat(
                                    e.result().stopReason().explanation())
                            .isEqualTo(expected));
        }
        assertThat(done).isEmpty();
    }

    /** The second step ends after the end of the first one is stored. */
    private Workflow<String, String> inTurn(CountDownLatch leftIsStored) {
        Step<String, String> left = Step.of("left", String.class, String.class, (in, context) -> {
                    context.updateState(Map.of("left", LARGE));
                    return in;
                })
                .repeatable();
        Step<String, String> right = Step.of("right", String.class, String.class, (in, context) -> {
                    leftIsStored.await();
                    context.updateState(Map.of("right", LARGE));
                    return in;
                })
                .repeatable();
        return Workflow.from("turns", String.class)
                .parallel(left, right)
                .then(after())
                .build(String.class);
    }

    @Test
    void aChangeThatAStepMakesWhenItAsksCounts() {
        Step<String, String> asking = Step.of("asking", String.class, String.class, (in, context) -> {
            if (context.resumeData(String.class).isEmpty()) {
                bothStarted.await();
                context.updateState(Map.of("asking", LARGE));
                return context.suspend("Well?");
            }
            return in;
        });
        Workflow<String, String> workflow = Workflow.from("asks", String.class)
                .parallel(asking, sets("right", LARGE))
                .then(after())
                .build(String.class);
        RunId run;
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .workflows(workflow)
                .build()) {
            WorkflowResult<String> waiting = runtime.run(workflow, "x", options -> {});
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            run = waiting.runId();
        }
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .workflows(workflow)
                .anyoneMayApprove()
                .build()) {
            assertThatThrownBy(() -> runtime.giveData(run, "asking", "yes").result())
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("'asking'")
                    .hasMessageContaining("'right'")
                    .hasMessageContaining("at most 262144 are allowed");
        }
        assertThat(done).isEmpty();
    }

    @Test
    void ofManyItemsTheFirstAreNamed() throws Exception {
        CyclicBarrier all = new CyclicBarrier(12);
        Step<Integer, String> item = Step.of("item", Integer.class, String.class, (in, context) -> {
            all.await();
            context.updateState(Map.of("field" + in, "x".repeat(30_000)));
            return "ok";
        });
        Workflow<String, String> workflow = Workflow.from("items", String.class)
                .foreach(
                        "all",
                        (in, context) -> IntStream.range(0, 12).boxed().toList(),
                        item,
                        Each.concurrency(12).collect())
                .map("count", String.class, (outcomes, context) -> {
                    done.add("map");
                    return outcomes.size() + " items";
                })
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            assertThat(failure(runtime, workflow).result().stopReason().explanation())
                    .contains("after the changes of steps 'all[")
                    .contains(" and 2 more, but at most 262144 are allowed");
        }
        assertThat(done).isEmpty();
    }

    @Test
    void theConditionOfALoopAndTheRunAboveDoNotSeeIt() {
        Workflow<String, String> inner = Workflow.from("inner", String.class)
                .parallel(sets("left", LARGE), sets("right", LARGE))
                .map("text", String.class, (out, context) -> {
                    done.add("map");
                    return "inner";
                })
                .build(String.class)
                .sharingState();
        Workflow<String, String> outer = Workflow.from("outer", String.class)
                .doWhile(
                        inner.asStep().fallback((in, error, context) -> error),
                        (in, context) -> {
                            done.add("condition " + context.state().text());
                            return false;
                        },
                        Repeat.atMost(3))
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            WorkflowResult<String> result = runtime.run(outer, "x", options -> {});
            assertThat(result.output()).contains("after the changes of steps 'left', 'right'");
            assertThat(result.state()).isEqualTo(Json.of(Map.of()));
        }
        assertThat(done).containsExactly("condition {}");
    }

    @Test
    void whatFitsTogetherOrIsMadeByOneStepIsNotRejected() {
        Step<Outputs, String> twice = Step.of("twice", Outputs.class, String.class, (in, context) -> {
            context.updateState(Map.of("left", "c"));
            return "twice";
        });
        Workflow<String, String> workflow = Workflow.from("fits", String.class)
                .parallel(sets("left", "a"), sets("right", "b"))
                .then(twice)
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            // Which of the two adds its field first is open.
            assertThat(runtime.run(workflow, "x", options -> {}).state().fields())
                    .isEqualTo(Map.of("left", Json.of("c"), "right", Json.of("b")));
        }
    }
}
