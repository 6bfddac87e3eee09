package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.WorkflowChangedException;
import dev.chargehand.error.WorkflowUnknownException;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The state that steps share, and what is left of a run whose process is gone. */
class WorkflowStateTest {

    record Shared(int count, @Nullable String note) {}

    @TempDir
    private Path folder;

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    private static Step<String, String> step(String id, StepHandler<String, String> handler) {
        return Step.of(id, String.class, String.class, handler);
    }

    private AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return AgentRuntime.builder().store(store).workflows(workflows).build();
    }

    @Test
    void changesOfSiblingsAreKeptAndLaterOnesWin() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .state(Shared.class, new Shared(1, "old"))
                .then(step("first", (in, context) -> {
                    done.add("first sees " + context.state(Shared.class));
                    context.updateState(Map.of("count", 2));
                    context.updateState(new HashMap<>(java.util.Collections.singletonMap("note", null)));
                    done.add("first has " + context.state(Shared.class));
                    return in;
                }))
                .parallel(
                        step("left", (in, context) -> {
                            context.updateState(Map.of("count", 3));
                            return "l";
                        }),
                        step("right", (in, context) -> {
                            context.updateState(Map.of("note", "new"));
                            return "r";
                        }))
                .map("join", String.class, (outputs, context) -> context.state().text())
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            WorkflowResult<String> result = runtime.run(workflow, "x", options -> {});
            assertThat(result.state().as(Shared.class)).isEqualTo(new Shared(3, "new"));
            assertThat(Json.parse(result.output()).as(Shared.class)).isEqualTo(new Shared(3, "new"));
            assertThat(done).containsExactly("first sees " + new Shared(1, "old"), "first has " + new Shared(2, null));
        }
    }

    private Workflow<String, String> counting() {
        return Workflow.from("counting", String.class)
                .state(Shared.class, new Shared(1, "old"))
                .then(step("adds", (in, context) -> {
                    context.updateState(
                            Map.of("count", context.state(Shared.class).count() + 1));
                    return in;
                }))
                .then(Workflow.from("inner", String.class)
                        .state(Shared.class, new Shared(50, "inner"))
                        .then(step(
                                "reads",
                                (in, context) ->
                                        in + context.state(Shared.class).count()))
                        .build(String.class))
                .build(String.class);
    }

    @Test
    void aCallerGivesTheStateThatARunStartsWith() {
        Workflow<String, String> counting = counting();
        try (AgentRuntime runtime = runtime(counting)) {
            WorkflowResult<String> given = runtime.run(counting, "x", o -> o.initialState(new Shared(7, "given")));
            assertThat(given.state().as(Shared.class)).isEqualTo(new Shared(8, "given"));
            assertThat(given.output()).isEqualTo("x50"); // a nested workflow has its own
            RunHandle fork = runtime.fork(given.runId(), changes -> changes.before("inner"));
            assertThat(fork.result().workflowState().orElseThrow().as(Shared.class))
                    .isEqualTo(new Shared(8, "given"));
            assertThat(runtime.run(counting, "x", o -> {}).state().as(Shared.class))
                    .isEqualTo(new Shared(2, "old"));
        }
    }

    @Test
    void aSubmittedRunHasTheStateOfItsCaller() {
        Workflow<String, String> counting = counting();
        RunId run;
        try (AgentRuntime caller = stored()) {
            run = caller.submit(counting, "x", o -> o.initialState(Map.of("count", 7)));
        }
        try (AgentRuntime other = stored(counting)) {
            assertThat(other.resume(run, o -> {}).result().workflowState())
                    .hasValueSatisfying(
                            state -> assertThat(state.as(Shared.class)).isEqualTo(new Shared(8, null)));
        }
    }

    private AgentRuntime stored(Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("state.db")))
                .workflows(workflows)
                .build();
    }

    @Test
    void aRepeatedCallWithAnotherStateIsAMistake() {
        Workflow<String, String> counting = counting();
        try (AgentRuntime runtime = runtime(counting)) {
            RunHandle run = runtime.start(
                    counting, "x", o -> o.idempotencyKey("k").initialState(Map.of("count", 7, "note", "a")));
            Json same = Json.parse("{\"note\": \"a\", \"count\": 7}");
            assertThat(runtime.start(counting, "x", o -> o.idempotencyKey("k").initialState(same))
                            .runId())
                    .isEqualTo(run.runId());
            assertThatThrownBy(() -> runtime.start(counting, "x", o -> o.idempotencyKey("k")))
                    .isInstanceOf(IdempotencyKeyException.class);
            assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void aGivenStateThatDoesNotFitIsRejected() {
        Workflow<String, String> counting = counting();
        try (AgentRuntime runtime = runtime(counting)) {
            Map<Object, String> wrong = Map.of(
                    Map.of("count", "many"),
                    "its initial state breaks its schema",
                    5,
                    "its initial state must be a JSON object",
                    Map.of("count", 1, "note", "x".repeat(300_000)),
                    "at most 262144 are allowed");
            wrong.forEach(
                    (state, message) -> assertThatThrownBy(() -> runtime.run(counting, "x", o -> o.initialState(state)))
                            .isInstanceOf(ConfigurationException.class)
                            .hasMessageContaining(message));
            RunId run = runtime.run(counting, "x", o -> {}).runId();
            assertThatThrownBy(() -> runtime.fork(
                            run, changes -> changes.before("inner").options(o -> o.initialState(Map.of("count", 1)))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("Use state(...) of the fork");
            assertThat(store.list(RunFilter.ROOTS)).hasSize(1);
        }
    }

    @Test
    void aStateThatDoesNotFitFailsItsStep() {
        Workflow<String, String> wrong = Workflow.from("wrong", String.class)
                .state(Shared.class, new Shared(1, "old"))
                .then(step("breaks", (in, context) -> {
                    context.updateState(Map.of("count", "many"));
                    return in;
                }))
                .build(String.class);
        Workflow<String, String> large = Workflow.from("large", String.class)
                .then(step("grows", (in, context) -> {
                    context.updateState(Map.of("text", "x".repeat(300_000)));
                    return in;
                }))
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            assertThat(failure(runtime, wrong)).contains("The shared state breaks its schema after step 'breaks'");
            assertThat(failure(runtime, large)).contains("at most 262144 are allowed");
        }
    }

    private static String failure(AgentRuntime runtime, Workflow<String, String> workflow) {
        RunFailedException e =
                catchThrowableOfType(RunFailedException.class, () -> runtime.run(workflow, "x", options -> {}));
        assertThat(e.result().workflowState()).isPresent();
        return e.result().stopReason().explanation();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunThatWaitsForItsNextAttemptIsReleasedAndContinuesElsewhere(boolean repeatable) throws Exception {
        Workflow<String, String> workflow =
                Workflow.from("flow", String.class).then(waiting(repeatable)).build(String.class);
        Path file = folder.resolve("runs.db");
        RunId run;
        CountDownLatch retried = new CountDownLatch(1);
        try (AgentRuntime first = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .workflows(workflow)
                .addListener(event -> {
                    if (event instanceof WorkflowEvent.WorkflowStepRetry) {
                        retried.countDown();
                    }
                })
                .build()) {
            run = first.start(workflow, "x", options -> {}).runId();
            retried.await();
        }
        assertThat(done).containsExactly("attempt 1"); // closing the runtime is no attempt
        try (AgentRuntime second = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .workflows(workflow)
                .build()) {
            assertThat(second.handle(run).status()).isNotEqualTo(RunStatus.FAILED);
            assertThat(second.resume(run, options -> {}).result().text()).isEqualTo("done");
        }
        assertThat(done).containsExactly("attempt 1", "attempt 2");
    }

    private Step<String, String> waiting(boolean repeatable) {
        Step<String, String> step = step("flaky", (in, context) -> {
                    done.add("attempt " + context.attempt());
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return "done";
                })
                .retries(1, Backoff.fixed(Duration.ofSeconds(3)));
        return repeatable ? step.repeatable() : step;
    }

    @ParameterizedTest
    @CsvSource({
        "3, 'attempt 1, attempt 2', true", // gone in the wait: the next attempt has not started
        "4, 'attempt 1, attempt 2', false" // gone while it was executed: nobody knows what it did
    })
    void anAttemptThatMayNotBeRepeatedStartsOnce(int append, String attempts, boolean completes) throws Exception {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(step("flaky", (in, context) -> {
                            done.add("attempt " + context.attempt());
                            if (context.attempt() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                            return "done";
                        })
                        .retries(2, Backoff.fixed(Duration.ofMillis(1)))
                        .failIfInterrupted())
                .build(String.class);
        RunId run;
        try (AgentRuntime dying = AgentRuntime.builder()
                .store(Crashing.goneBefore(append, store))
                .workflows(workflow)
                .build()) {
            assertThatThrownBy(() -> dying.run(workflow, "x", options -> {})).isInstanceOf(RunFailedException.class);
            run = store.list(RunFilter.ROOTS).getFirst().runId();
        }
        try (AgentRuntime runtime = runtime(workflow)) {
            RunHandle resumed = runtime.resume(run, options -> {});
            if (completes) {
                assertThat(resumed.result().text()).isEqualTo("done");
            } else {
                assertThatThrownBy(resumed::result)
                        .isInstanceOf(RunFailedException.class)
                        .hasMessageContaining("outcome is unknown");
            }
        }
        assertThat(String.join(", ", done)).isEqualTo(attempts);
    }

    @Test
    void whatHasNoMeaningForAWorkflowIsRejected() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(step("works", (in, context) -> {
                    begun.countDown();
                    go.await();
                    return in;
                }))
                .build(String.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            RunHandle run = runtime.start(workflow, "x", options -> {});
            begun.await();
            assertThatThrownBy(() -> runtime.tell(run.runId(), "Hurry."))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("no model reads messages");
            go.countDown();
            assertThat(run.result().text()).isEqualTo("x");
            assertThatThrownBy(() -> runtime.fork(run.runId(), 1, fork -> {}))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("is forked before an entry");
        }
    }

    @Test
    void aBailKeepsTheChangesOfTheState() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(step("early", (in, context) -> {
                    context.updateState(Map.of("why", "enough"));
                    return context.bail("early");
                }))
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            WorkflowResult<String> result = runtime.run(workflow, "x", options -> {});
            assertThat(result.state()).isEqualTo(Json.parse("{\"why\":\"enough\"}"));
        }
    }

    private static Workflow<String, String> changed(String... steps) {
        WorkflowBuilder<String, String> builder = Workflow.from("flow", String.class);
        for (String id : steps) {
            builder = builder.then(step(id, (in, context) -> in + " " + id).repeatable());
        }
        return builder.build(String.class);
    }

    @ParameterizedTest
    @CsvSource({
        "a b, true, x a b", // as it was
        "a b c, true, x a b c", // something after what the run has reached
        "z a b, false, 'where the definition has ''then z: z'' today'",
        "a c, false, 'where the definition has ''then c: c'' today'",
        "a, false, 'where the definition has ''nothing'' today'"
    })
    void aDefinitionMayChangeAfterWhatARunHasReached(String steps, boolean continues, String expected) {
        Workflow<String, String> before = changed("a", "b");
        RunId run;
        // the end of the last step is lost
        try (AgentRuntime dying = AgentRuntime.builder()
                .store(Crashing.goneBefore(4, store))
                .workflows(before)
                .build()) {
            assertThatThrownBy(() -> dying.run(before, "x", options -> {})).isInstanceOf(RunFailedException.class);
            run = store.list(RunFilter.ROOTS).getFirst().runId();
        }
        long facts = store.read(run, 0).size();
        try (AgentRuntime runtime = runtime(changed(steps.split(" ")))) {
            if (continues) {
                assertThat(runtime.resume(run, options -> {}).result().text()).isEqualTo(expected);
            } else {
                assertThatThrownBy(() -> runtime.resume(run, options -> {}).result())
                        .isInstanceOf(WorkflowChangedException.class)
                        .hasMessageContaining(expected);
                assertThat(store.read(run, 0)).hasSize((int) facts);
            }
        }
    }

    @Test
    void aRunIsLeftAloneWhereItsWorkflowIsNotKnown() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(step("works", (in, context) -> in))
                .build(String.class);
        RunId run;
        try (AgentRuntime runtime = runtime(workflow)) {
            run = runtime.submit(workflow, "x", options -> {});
        }
        try (AgentRuntime other = runtime()) {
            assertThatThrownBy(() -> other.resume(run, options -> {}))
                    .isInstanceOf(WorkflowUnknownException.class)
                    .hasMessageContaining("'flow'");
        }
        assertThat(store.list(RunFilter.ROOTS)).singleElement().satisfies(left -> assertThat(left.status())
                .isEqualTo(RunStatus.PENDING));
        assertThatThrownBy(() ->
                        AgentRuntime.builder().workflows(workflow, workflow).build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("Workflow 'flow' is given twice");
    }
}
