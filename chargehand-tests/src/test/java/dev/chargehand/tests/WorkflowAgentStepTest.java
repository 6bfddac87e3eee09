package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.version.Version;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An agent as a step of a workflow: its run is below the run of the workflow. */
class WorkflowAgentStepTest {

    record Letter(String to, int lines) {}

    private static final Step<String, String> GREET =
            Step.of("greet", String.class, String.class, (name, context) -> "Dear " + name);

    @TempDir
    private Path folder;

    private Store store(WorkflowRunTest.Kind kind) throws Exception {
        return switch (kind) {
            case MEMORY -> InMemoryStore.keepingEndedRuns();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("runs.db"));
            case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
        };
    }

    private static Agent agent(String id, Script script) {
        return Agent.builder(id)
                .instructions("You are " + id + ".")
                .model(script.modelFor(id))
                .build();
    }

    private static Step<String, String> thank(Script script) {
        return agent("writer", script).asStep("thank", String.class, (input, context) -> "Thank " + input);
    }

    private static Workflow<String, String> thanking(Script script) {
        return Workflow.from("thanking", String.class)
                .then(GREET)
                .then(thank(script))
                .build(String.class);
    }

    private static AgentRuntime runtime(Store store, Workflow<?, ?>... workflows) {
        return AgentRuntime.builder().store(store).workflows(workflows).build();
    }

    private static AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return runtime(InMemoryStore.keepingEndedRuns(), workflows);
    }

    @ParameterizedTest
    @EnumSource(WorkflowRunTest.Kind.class)
    void anAgentAnswersTheStep(WorkflowRunTest.Kind kind) throws Exception {
        Script script = Scripts.on("writer", Turn.says("Thanks!"));
        Store store = store(kind);
        Workflow<String, String> workflow = thanking(script);
        try (AgentRuntime runtime = runtime(store, workflow)) {
            List<RunEvent> events = new ArrayList<>();
            RunId run;
            RunResult result;
            try (RunStream stream = runtime.stream(workflow, "Ann", o -> {})) {
                run = stream.runId();
                stream.forEach(events::add);
                result = stream.result();
            }
            assertThat(result.object(String.class)).isEqualTo("Thanks!");
            assertThat(result.usageByAgent()).containsExactly(Map.entry("writer", new Usage(10, 5, 0, 0)));
            assertThat(script.requestsOf("writer")
                            .getFirst()
                            .messages()
                            .getLast()
                            .text())
                    .isEqualTo("Thank Dear Ann");
            assertThat(store.list(RunFilter.ALL.tree(run)))
                    .extracting(each -> each.path().toString())
                    .containsExactlyInAnyOrder("thanking", "thanking/thank");
            assertThatEvents(events).arePaired().endWithRunFinish().haveGrowingIds();
            assertThat(events)
                    .extracting(event -> event.origin().path() + " " + event.type())
                    .containsSubsequence(
                            "thanking workflow-step-start",
                            "thanking workflow-step-result",
                            "thanking workflow-step-start",
                            "thanking/thank run-start",
                            "thanking/thank run-finish",
                            "thanking workflow-step-result",
                            "thanking workflow-finish");
            assertThat(stored(runtime.history(run))).isEqualTo(stored(events));
        }
    }

    private static List<String> stored(List<RunEvent> events) {
        return WorkflowRunTest.told(
                events.stream().filter(event -> event.origin().id().isPresent()).toList());
    }

    @Test
    void aTypedAnswerIsTheOutput() {
        Script script = Scripts.on("writer", Turn.says("{\"to\":\"Ann\",\"lines\":3}"));
        Agent writer = Agent.builder("writer")
                .model(script.modelFor("writer"))
                .output(Letter.class)
                .build();
        Workflow<String, Integer> workflow = Workflow.from("writing", String.class)
                .then(writer.asStep("write", String.class, Letter.class, (name, context) -> "Write to " + name))
                .map("lines", Integer.class, (letter, context) -> letter.lines())
                .build(Integer.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            assertThat(runtime.run(workflow, "Ann", o -> {}).output()).isEqualTo(3);
        }
        assertThatThrownBy(() -> writer.asStep("write", String.class, (name, context) -> name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "Agent 'writer': the output of step 'write' is the answer of the agent, whose type is the one"
                                + " given to output(...); pass that to asStep.");
        assertThatThrownBy(() ->
                        agent("writer", script).asStep("write", String.class, Letter.class, (name, context) -> name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("a text; use String.class, or give the agent an output type.");
    }

    @Test
    void settingsOfFunctionsAreRejected() {
        Step<String, String> step = thank(Scripts.of());
        assertThatThrownBy(step::repeatable)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'thank': repeatable is for functions; 'writer' does the work of the step, and its run"
                        + " continues after a crash; leave it out.");
        assertThatThrownBy(() -> step.timeout(Duration.ofSeconds(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("timeout is for functions");
    }

    @Test
    void anEndWithoutAnAnswerFailsTheStep() {
        Script script = Scripts.on("writer", Turn.failsWith(new IllegalStateException("no model today")));
        Workflow<String, String> workflow = thanking(script);
        try (AgentRuntime runtime = runtime(workflow)) {
            assertThatThrownBy(() -> runtime.run(workflow, "Ann", o -> {}))
                    .isInstanceOfSatisfying(RunFailedException.class, e -> {
                        assertThat(e.code()).isEqualTo("step-failed");
                        assertThat(e)
                                .hasMessageContaining("Step 'thank' failed: Agent 'writer' gave no complete answer.");
                        assertThat(e.result().workflowSteps().getLast().error().orElseThrow())
                                .contains("no model today");
                    });
        }
    }

    @Test
    void aFurtherAttemptIsAnotherRunAndWhatTheFirstUsedCounts() {
        Script script = Scripts.on("writer", Turn.says(""), Turn.says("Thanks!"));
        Workflow<String, String> workflow = Workflow.from("thanking", String.class)
                .then(thank(script).retries(1, Backoff.fixed(Duration.ofMillis(1))))
                .build(String.class);
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, workflow)) {
            RunResult result = runtime.start(workflow, "Ann", o -> {}).result();
            assertThat(result.object(String.class)).isEqualTo("Thanks!");
            assertThat(result.workflowSteps().getFirst().attempts()).isEqualTo(2);
            assertThat(result.usageByAgent().get("writer")).isEqualTo(new Usage(20, 10, 0, 0));
            assertThat(store.list(RunFilter.ALL.tree(result.runId())))
                    .filteredOn(run -> !run.isRoot())
                    .hasSize(2)
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.COMPLETED);
            assertThat(runtime.history(result.runId()))
                    .extracting(RunEvent::type)
                    .contains("workflow-step-retry")
                    .endsWith("run-finish");
        }
    }

    @Test
    void aFailureIsAValue() {
        Script script = Scripts.on("writer", Turn.says("").forever());
        Workflow<String, String> replaced = Workflow.from("replaced", String.class)
                .then(thank(script).fallback((input, error, context) -> error))
                .build(String.class);
        Workflow<String, Boolean> leftOut = Workflow.from("left-out", String.class)
                .then(thank(script).optional())
                .map("there", Boolean.class, (said, context) -> said.isPresent())
                .build(Boolean.class);
        try (AgentRuntime runtime = runtime(replaced, leftOut)) {
            assertThat(runtime.run(replaced, "Ann", o -> {}).output())
                    .isEqualTo("Agent 'writer' gave no complete answer. Its answer was empty.");
            assertThat(runtime.run(leftOut, "Ann", o -> {}).output()).isFalse();
        }
    }

    @Test
    void aRunThatCannotStartIsAFailureOfItsStep() {
        Script script = Scripts.of();
        Step<String, String> blank = agent("writer", script).asStep("thank", String.class, (input, context) -> " ");
        Workflow<String, String> replaced = Workflow.from("replaced", String.class)
                .then(blank.fallback((input, error, context) -> input + ": " + error))
                .build(String.class);
        Workflow<String, List<String>> tooDeep = Workflow.from("too-deep", String.class)
                .foreach((name, context) -> List.of("a", "b"), thank(script).fallback((input, error, context) -> error))
                .build(new JsonType<>() {});
        Workflow<String, Boolean> leftOut = Workflow.from("left-out", String.class)
                .then(thank(script).optional())
                .map("there", Boolean.class, (said, context) -> said.isPresent())
                .build(Boolean.class);
        try (AgentRuntime runtime = runtime(replaced, tooDeep, leftOut)) {
            assertThat(runtime.run(replaced, "Ann", o -> {}).output())
                    .isEqualTo("Ann: The prompt that step 'thank' made is empty.");
            WorkflowResult<List<String>> bounded = runtime.run(tooDeep, "Ann", o -> o.limit(Limit.DEPTH, 1));
            assertThat(bounded.output()).hasSize(2).allSatisfy(error -> assertThat(error)
                    .contains("Agents may be nested 1 deep"));
            assertThat(bounded.steps()).extracting(StepOutcome::status).containsOnly(StepOutcome.Status.COMPLETED);
            assertThat(runtime.run(leftOut, "Ann", o -> o.version("writer", Version.id("9")))
                            .output())
                    .isFalse();
            assertThat(script.requests()).isEmpty();
        }
    }

    @Test
    void anAnswerThatBreaksItsTypeIsNotTriedAgain() {
        Script script = Scripts.on("writer", Turn.says("no json").forever());
        Agent writer = Agent.builder("writer")
                .model(script.modelFor("writer"))
                .output(Letter.class)
                .build();
        Workflow<String, Letter> workflow = Workflow.from("writing", String.class)
                .then(writer.asStep("write", String.class, Letter.class, (name, context) -> "Write to " + name)
                        .retries(3, Backoff.fixed(Duration.ofMillis(1))))
                .build(Letter.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            assertThatThrownBy(() -> runtime.run(workflow, "Ann", o -> {}))
                    .hasMessageContaining("breaks its output schema");
            assertThat(script.requestsOf("writer")).hasSize(1);
        }
    }

    @Test
    void aPromptThatThrowsFailsTheRun() {
        Script script = Scripts.of();
        Workflow<String, String> workflow = Workflow.from("thanking", String.class)
                .then(agent("writer", script).asStep("thank", String.class, (input, context) -> {
                    throw new IllegalStateException("no words");
                }))
                .build(String.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            assertThatThrownBy(() -> runtime.run(workflow, "Ann", o -> {}))
                    .isInstanceOfSatisfying(RunFailedException.class, e -> {
                        assertThat(e.code()).isEqualTo("hook-failed");
                        assertThat(e)
                                .hasMessageContaining("entry 'thank' (prompt)")
                                .hasMessageContaining("no words");
                    });
        }
    }

    @Test
    void cancellingTheWorkflowCancelsItsAgent() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Script script = Scripts.of().on("writer").does(asked::countDown).and().hangs();
        Workflow<String, String> workflow = thanking(script);
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, workflow)) {
            RunHandle run = runtime.start(workflow, "Ann", o -> {});
            asked.await();
            run.cancel();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(store.list(RunFilter.ALL))
                    .hasSize(2)
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.ABORTED);
            assertThat(runtime.history(run.runId()))
                    .extracting(event -> event.origin().path() + " " + event.type())
                    .containsSubsequence(
                            "thanking/thank run-finish", "thanking workflow-step-result", "thanking run-finish");
        }
    }

    @Test
    void theLimitsOfTheTreeHold() {
        Script script = Scripts.on("writer", Turn.says("Thanks!").forever());
        Workflow<String, List<Outcome<String>>> workflow = Workflow.from("many", String.class)
                .foreach(
                        "all",
                        (name, context) -> List.of("a", "b", "c"),
                        thank(script),
                        Each.concurrency(1).collect())
                .build(new JsonType<List<Outcome<String>>>() {});
        try (AgentRuntime runtime = runtime(workflow)) {
            List<Outcome<String>> limited = runtime.run(workflow, "Ann", o -> o.limit(Limit.MODEL_CALLS, 2))
                    .output();
            assertThat(limited.get(1)).isEqualTo(new Outcome.Success<>("Thanks!"));
            assertThat(limited.get(2)).isInstanceOf(Outcome.Failure.class);

            WorkflowResult<List<Outcome<String>>> budgeted =
                    runtime.run(workflow, "Ann", o -> o.budget(b -> b.tokens(20)));
            assertThat(budgeted.output().get(2)).isInstanceOf(Outcome.Failure.class);
            assertThat(budgeted.usageByAgent().get("writer").totalTokens()).isEqualTo(30);
            assertThat(budgeted.totalUsage().totalTokens()).isEqualTo(30);
        }
    }

    @Test
    void runsAreNestedOnlySoDeep() {
        Workflow<String, String> workflow = thanking(Scripts.of());
        try (AgentRuntime runtime = runtime(workflow)) {
            assertThatThrownBy(() -> runtime.run(workflow, "Ann", o -> o.limit(Limit.DEPTH, 1)))
                    .hasMessageContaining("Agents may be nested 1 deep; 'thank' was not called.");
        }
    }

    @Test
    void agentsAreStepsOfEveryEntry() {
        Script script = Scripts.of(
                Turns.of(
                        "writer",
                        Turn.answers(request ->
                                        Steps.said(request.messages().getLast().text()))
                                .forever()),
                Turns.of("critic", Turn.says("Good.").forever()));
        Step<String, String> write = thank(script);
        Step<String, String> judge =
                agent("critic", script).asStep("judge", String.class, (input, context) -> "Judge " + input);
        Workflow<String, String> workflow = Workflow.from("all", String.class)
                .parallel(write, judge)
                .map("both", String.class, (out, context) -> out.get(write) + out.get(judge))
                .doUntil(write.withId("again"), (said, context) -> context.iteration() == 2, Repeat.atMost(3))
                .foreach(
                        "items",
                        (said, context) -> List.of("x", "y"),
                        agent("writer", script)
                                .asStep(
                                        "item",
                                        String.class,
                                        (input, context) ->
                                                input + context.item().orElseThrow()),
                        Each.concurrency(2))
                .map("joined", String.class, (said, context) -> String.join(" ", said))
                .build(String.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            WorkflowResult<String> result = runtime.run(workflow, "a", o -> {});
            assertThat(result.output()).isEqualTo("x0 y1");
            assertThat(result.steps())
                    .filteredOn(step -> step.stepId().equals("again"))
                    .last()
                    .satisfies(step -> assertThat(step.output().orElseThrow().as(String.class))
                            .isEqualTo("Thank Thank Thank aGood."));
        }
    }
}
