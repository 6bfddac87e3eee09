package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.thread.DeletionOptions;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run without a thread may belong to a resource: a workflow's, and an agent's. */
class ResourceOfRunTest {

    record Letter(String words) {}

    @TempDir
    private Path folder;

    private static void ofAnn(RunOptions.Builder options) {
        options.resource("ann");
    }

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final Script script = ScriptedModel.script();
    private final Tool note = Tool.of("note", "Notes words.", Letter.class, (letter, context) -> {
        seen.add("tool for " + context.resourceId().orElse("nobody"));
        return letter.words();
    });
    private final Agent writer =
            Agent.builder("writer").model(script.modelFor("writer")).tools(note).build();
    private final Workflow<String, String> inner = Workflow.from("inner", String.class)
            .then(Step.of("look", String.class, Letter.class, (words, context) -> {
                seen.add("step for " + context.resourceId().orElse("nobody"));
                return new Letter(words);
            }))
            .then(Step.tool(note, Letter.class, String.class))
            .then(Step.of(
                    "ask",
                    String.class,
                    String.class,
                    (words, context) -> words.equals("ask")
                                    && context.resumeData(String.class).isEmpty()
                            ? context.suspend("How many?")
                            : words))
            .build(String.class);
    private final Workflow<String, String> outer = Workflow.from("outer", String.class)
            .then(writer.asStep("write", String.class, (words, context) -> words))
            .then(Step.of("same", String.class, String.class, (words, context) -> words))
            .then(inner.asStep())
            .build(String.class);

    private AgentRuntime runtime(Store runs) {
        return AgentRuntime.builder()
                .agents(writer)
                .workflows(outer, inner)
                .store(runs)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .build();
    }

    private void says(String words) {
        script.on("writer").calls("note", Map.of("words", "noted")).then().says(words);
    }

    private static void assertOfAnn(AgentRuntime runtime, int runs) {
        assertThat(runtime.runs(RunFilter.ALL))
                .hasSize(runs)
                .allMatch(run -> run.resourceId().equals(Optional.of("ann")))
                .allMatch(run -> run.threadId().isEmpty());
        assertThat(runtime.runs(RunFilter.ALL.resource("ann"))).hasSize(runs);
        assertThat(runtime.runs(RunFilter.ALL.resource("bob"))).isEmpty();
    }

    @Test
    void aRunOfAWorkflowAndItsNestedRunsBelongToTheResource() {
        for (Store runs : List.of(store, JdbcStore.sqlite(folder.resolve("runs.db")))) {
            seen.clear();
            says("hello");
            try (AgentRuntime runtime = runtime(runs)) {
                RunId run = runtime.run(outer, "go", ResourceOfRunTest::ofAnn).runId();
                assertThat(runtime.handle(run).result().text()).isEqualTo("hello");
                assertOfAnn(runtime, 3);
                assertThat(seen).containsExactly("tool for ann", "step for ann", "tool for ann");
                assertThat(runtime.memory().forget("bob").runs()).isZero();
                assertThat(runtime.memory().forget("ann").runs()).isEqualTo(1);
                assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
                assertThatThrownBy(() -> runtime.handle(run)).isInstanceOf(StoreException.class);
            }
        }
    }

    @Test
    void aRunOfAnAgentNeedsNoThreadForIt() {
        says("hello");
        try (AgentRuntime runtime = runtime(store)) {
            assertThat(runtime.agent("writer")
                            .generate("go", ResourceOfRunTest::ofAnn)
                            .threadId())
                    .isEmpty();
            assertOfAnn(runtime, 1);
            assertThat(seen).containsExactly("tool for ann");
            assertThat(runtime.memory().forget("ann").runs()).isEqualTo(1);
        }
    }

    @Test
    void aRunWithoutAResourceHasNone() {
        says("hello");
        try (AgentRuntime runtime = runtime(store)) {
            runtime.run(outer, "go", options -> {});
            assertThat(runtime.runs(RunFilter.ALL)).hasSize(3).allMatch(run -> run.resourceId()
                    .isEmpty());
            assertThat(seen).containsExactly("tool for nobody", "step for nobody", "tool for nobody");
        }
    }

    @Test
    void aRunThatAnotherProcessContinuesKeepsIt() {
        says("hello");
        try (AgentRuntime dying = runtime(Crashing.goneBefore(12, store))) {
            assertThatThrownBy(() -> dying.run(outer, "go", ResourceOfRunTest::ofAnn))
                    .isInstanceOf(RunFailedException.class);
        }
        seen.clear();
        try (AgentRuntime runtime = runtime(store)) {
            assertThat(runtime.runs(RunFilter.ALL)).hasSize(2);
            assertThat(runtime.recover().await()).singleElement().satisfies(result -> assertThat(result.text())
                    .isEqualTo("hello"));
            assertOfAnn(runtime, 3);
            assertThat(seen).containsExactly("step for ann", "tool for ann");
        }
    }

    @Test
    void aSubmittedRunHasItBeforeItStarts() {
        try (AgentRuntime runtime = runtime(store)) {
            RunId ignored = runtime.submit(inner, "go", ResourceOfRunTest::ofAnn);
            assertOfAnn(runtime, 1);
            assertThat(runtime.recover().await()).singleElement().satisfies(result -> assertThat(result.status())
                    .isEqualTo(RunStatus.COMPLETED));
            assertThat(seen).containsExactly("step for ann", "tool for ann");
        }
    }

    @Test
    void aQuestionIsListedForItAndKeepsItFromBeingForgotten() {
        says("ask");
        try (AgentRuntime runtime = runtime(store)) {
            RunId run = runtime.run(outer, "go", ResourceOfRunTest::ofAnn).runId();
            assertThat(runtime.pendingApprovals(WaitingFilter.ALL.resource("bob")))
                    .isEmpty();
            PendingApproval asked =
                    runtime.pendingApprovals(WaitingFilter.ALL.resource("ann")).getFirst();
            assertThat(asked.resourceId()).contains("ann");
            assertThat(asked.requester()).contains("ann");
            assertThat(asked.rootRunId()).isEqualTo(run).isNotEqualTo(asked.runId());
            assertThatThrownBy(() -> runtime.memory().forget("ann"))
                    .isInstanceOf(ThreadBusyException.class)
                    .hasMessageContaining("The resource is not deleted, because its run run_")
                    .extracting("code")
                    .isEqualTo("resource-busy");
            assertThat(runtime.memory()
                            .forget("ann", DeletionOptions::cancelRuns)
                            .runs())
                    .isEqualTo(1);
            assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void aForkBelongsToTheResourceOfItsSource() {
        says("hello");
        try (AgentRuntime runtime = runtime(store)) {
            RunId run = runtime.run(outer, "go", ResourceOfRunTest::ofAnn).runId();
            RunId nested = runtime.fork(run, fork -> fork.before("inner.note"))
                    .result()
                    .runId();
            assertThat(runtime.runs(RunFilter.ALL.tree(nested))).hasSize(2).allMatch(each -> each.resourceId()
                    .equals(Optional.of("ann")));
            assertThatThrownBy(() ->
                            runtime.fork(run, fork -> fork.before("same").options(options -> options.resource("bob"))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("belongs to the resource of the run that it copies");
            says("hello");
            RunId talk = runtime.agent("writer")
                    .generate("go", ResourceOfRunTest::ofAnn)
                    .runId();
            script.on("writer").says("again");
            RunId copy = runtime.fork(talk, 1, fork -> {}).result().runId();
            assertThat(runtime.findRun(copy).orElseThrow().resourceId()).contains("ann");
            assertThatThrownBy(() -> runtime.fork(talk, 1, fork -> fork.options(options -> options.resource("bob"))))
                    .isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void anAccessCheckSeesIt() {
        says("hello");
        try (AgentRuntime open = runtime(store)) {
            open.run(outer, "go", ResourceOfRunTest::ofAnn);
        }
        for (String caller : List.of("ann", "bob")) {
            try (AgentRuntime guarded = AgentRuntime.builder()
                    .workflows(outer)
                    .store(store)
                    .accessCheck(access -> access.resourceId().equals(Optional.of(caller)))
                    .build()) {
                assertThat(guarded.runs(RunFilter.ALL)).hasSize(caller.equals("ann") ? 3 : 0);
            }
        }
    }

    @Test
    void aKeyCountsForIt() {
        try (AgentRuntime runtime = runtime(store)) {
            Consumer<RunOptions.Builder> keyed = options -> options.idempotencyKey("k");
            RunId run = runtime.run(inner, "go", keyed.andThen(ResourceOfRunTest::ofAnn))
                    .runId();
            assertThat(runtime.run(inner, "go", keyed.andThen(ResourceOfRunTest::ofAnn))
                            .runId())
                    .isEqualTo(run);
            assertThat(runtime.run(inner, "go", keyed.andThen(options -> options.resource("bob")))
                            .runId())
                    .isNotEqualTo(run);
        }
    }

    @Test
    void anAnswerContinuesItForTheResource() {
        says("ask");
        try (AgentRuntime runtime = runtime(store)) {
            RunId run = runtime.run(outer, "go", ResourceOfRunTest::ofAnn).runId();
            PendingApproval asked = runtime.pendingApprovals(WaitingFilter.ALL).getFirst();
            assertThat(runtime.answer(asked, ApprovalAnswer.data(Approver.of("ann"), "3"), o -> {})
                            .result()
                            .text())
                    .isEqualTo("ask");
            assertThat(runtime.findRun(run).orElseThrow().resourceId()).contains("ann");
        }
    }
}
