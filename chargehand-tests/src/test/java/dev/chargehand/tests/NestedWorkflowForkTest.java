package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forks that continue before a step of a nested workflow, and before entries that their source run has not reached. */
class NestedWorkflowForkTest {

    @TempDir
    private Path folder;

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    /** 1 becomes 1111. */
    private final Workflow<Integer, Integer> innermost = Workflow.from("innermost", Integer.class)
            .then(step("a", 10))
            .then(step("b", 100))
            .then(step("c", 1000))
            .build(Integer.class);

    private final Workflow<Integer, Integer> inner = Workflow.from("inner", Integer.class)
            .then(step("first", 1))
            .then(innermost)
            .then(step("second", 2))
            .build(Integer.class);

    private final Workflow<Integer, Integer> outer = Workflow.from("outer", Integer.class)
            .then(step("start", 5))
            .parallel("both", inner.asStep(), step("beside", 3))
            .map("one", Integer.class, (out, context) -> out.get(inner.asStep()))
            .foreach(
                    "parts",
                    (in, context) -> List.of(in, in + 1),
                    innermost.asStep().withId("part"),
                    Each.concurrency(2))
            .map("sum", Integer.class, (all, context) -> all.stream()
                    .mapToInt(i -> i)
                    .sum())
            .then(step("end", 0))
            .build(Integer.class);

    private final AgentRuntime runtime = runtime(store, outer);

    private Step<Integer, Integer> step(String id, int plus) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> {
                    done.add(id + " " + in);
                    context.updateState(Map.of(id, context.idempotencyKey()));
                    return in + plus;
                })
                .repeatable();
    }

    private static AgentRuntime runtime(Store store, Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .workflows(workflows)
                .anyoneMayApprove()
                .build();
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    private RunResult source(AgentRuntime in) {
        RunResult result = in.start(outer, 1, o -> {}).result();
        assertThat(result.object()).contains(Json.of(2 * (1119 + 1110) + 1));
        done.clear();
        return result;
    }

    private RunResult fork(RunId from, Consumer<ForkBuilder.WorkflowForkBuilder> changes) {
        return runtime.fork(from, changes).result();
    }

    private static List<List<String>> facts(Store store, RunId root) {
        return store.list(RunFilter.ALL.tree(root)).stream()
                .map(run ->
                        store.read(run.runId(), 0).stream().map(FactEntry::text).toList())
                .toList();
    }

    @Test
    void aNestedRunIsCopiedUpToItsStepAndTheRestIsExecutedAgain() {
        RunResult source = source(runtime);
        List<List<String>> before = facts(store, source.runId());

        RunResult fork = fork(source.runId(), f -> f.before("inner.second"));

        assertThat(done)
                .startsWith("second 1117")
                .contains("end 4459")
                .doesNotContain("start 1", "beside 6", "first 6");
        assertThat(done).filteredOn(call -> call.startsWith("a ")).hasSize(2); // of the items
        assertThat(fork.object()).isEqualTo(source.object());
        assertThat(fork.workflowSteps().stream().map(StepOutcome::path))
                .isEqualTo(
                        source.workflowSteps().stream().map(StepOutcome::path).toList());
        assertThat(facts(store, source.runId())).isEqualTo(before);
        assertThat(store.list(RunFilter.ALL.tree(fork.runId()))).hasSize(4); // not the innermost run that was copied
        RunRecord child = store.list(RunFilter.ALL.tree(fork.runId())).stream()
                .filter(run -> run.path().equals("outer/inner"))
                .findFirst()
                .orElseThrow();
        assertThat(child.parentRunId()).contains(fork.runId());
        assertThat(child.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(fork.forkedFrom()).contains(new ForkOrigin(source.runId(), 1, List.of()));
    }

    @Test
    void aPlaceMayBeSeveralLevelsDownAndInAnItem() {
        RunResult source = source(runtime);
        fork(source.runId(), f -> f.before("inner.innermost.c"));
        assertThat(done).startsWith("c 117", "second 1117").doesNotContain("a 7", "b 17", "first 6");
        done.clear();
        RunResult item = fork(source.runId(), f -> f.before("parts[1].b"));
        assertThat(done).containsExactly("b 1130", "c 1230", "end 4459");
        assertThat(item.object()).isEqualTo(source.object());
        done.clear();
        RunResult first = fork(source.runId(), f -> f.before("inner.first"));
        assertThat(done).startsWith("first 6").doesNotContain("start 1");
        assertThat(first.object()).isEqualTo(source.object());
        done.clear();
        RunResult changed = fork(source.runId(), f -> f.before("parts[0].c").output("parts[0].b", 1));
        assertThat(done).startsWith("c 1");
        assertThat(changed.object()).contains(Json.of(1001 + 2230));
        assertThat(runtime.history(changed.runId()))
                .filteredOn(RunEvent.RunStart.class::isInstance)
                .extracting(event -> Objects.requireNonNull(((RunEvent.RunStart) event).forkedFrom())
                        .replaced())
                .containsExactly(List.of("output parts[0].b"), List.of("output b"));
    }

    @Test
    void aForkOfAForkAndAWaitingNestedRunAreForkedToo() {
        Step<Integer, Integer> asking =
                Step.of("ask", Integer.class, Integer.class, (in, context) -> context.resumeData(Integer.class)
                        .orElseGet(() -> context.suspend("How many?")));
        Workflow<Integer, Integer> below = Workflow.from("below", Integer.class)
                .then(step("x", 1))
                .then(asking)
                .build(Integer.class);
        Workflow<Integer, Integer> above =
                Workflow.from("above", Integer.class).then(below).build(Integer.class);
        try (AgentRuntime other = runtime(store, above)) {
            RunId waiting = other.run(above, 1, o -> {}).runId();
            assertThat(done).containsExactly("x 1");
            RunResult fork = other.fork(waiting, f -> f.before("below.ask")).result();
            assertThat(fork.status()).isEqualTo(RunStatus.SUSPENDED);
            RunResult again =
                    other.fork(fork.runId(), f -> f.before("below.ask")).result();
            assertThat(other.giveData(again.runId(), "below.ask", 3).result().object())
                    .contains(Json.of(3));
            assertThat(other.giveData(fork.runId(), "below.ask", 4).result().object())
                    .contains(Json.of(4));
            assertThat(other.giveData(waiting, "below.ask", 5).result().object())
                    .contains(Json.of(5));
            assertThat(done).containsExactly("x 1");
        }
    }

    @Test
    void whatCannotBeForkedIsRejected() {
        RunId source = source(runtime).runId();
        assertRejected(source, "beside.x", "step 'beside' is not a workflow", "Fork before 'beside'.");
        assertRejected(
                source,
                "inner.nothing",
                "of workflow 'inner' has not reached 'inner.nothing'",
                "inner.first, inner.innermost, inner.second.");
        assertRejected(source, "nothing.first", "has not reached 'nothing'", "start, both, parts, end");
        assertRejected(source, "parts.b", "has several there: parts[0], parts[1]. Name one of them");
        assertRejected(source, "parts[7].b", "has not reached 'parts[7]'");
        assertRejected(source, "parts[1]", "all items of a foreach are one round. Name the entry: 'parts'");
        assertRejected(source, "inner..b", "cannot continue before 'inner..b'");
        assertRejected(source, "", "cannot continue before ''");
        RunId fork = fork(source, f -> f.before("end")).runId();
        assertRejected(fork, "inner.first", "Fork run " + source);
        assertThatThrownBy(
                        () -> runtime.fork(source, f -> f.before("inner.second").output("inner.innermost", "x")))
                .hasMessageStartingWith(
                        "Fork of run " + source + ": the output for 'inner.innermost' breaks the schema of the step")
                .hasMessageEndingWith("The schema is {\"type\":\"integer\"}.");
        assertThatThrownBy(() ->
                        runtime.fork(source, f -> f.before("inner.innermost.b").output("inner.innermost.c", 1)))
                .hasMessageStartingWith("Fork of run " + source + ": no call at 'inner.innermost.c' is copied")
                .hasMessageEndingWith("Outputs can be replaced at: inner.innermost.a.");
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before("end").options(o -> o.from("end", Map.of()))))
                .hasMessageContaining("option 'from' has no meaning in a fork");
    }

    private void assertRejected(RunId source, String place, String... why) {
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before(place)))
                .isInstanceOf(ConfigurationException.class)
                .satisfies(e ->
                        assertThat(e.getMessage()).containsIgnoringCase(why[0]).contains(why[why.length - 1]));
    }

    @Test
    void anOutputThatIsMissingInANestedRunIsNamedByItsPath() {
        Step<Integer, Integer> broken = Step.of("pay", Integer.class, Integer.class, (in, context) -> {
            throw new IllegalStateException("It is broken");
        });
        Workflow<Integer, Integer> paying = Workflow.from("paying", Integer.class)
                .then(broken)
                .then(step("ship", 5))
                .build(Integer.class);
        Workflow<Integer, Integer> selling =
                Workflow.from("selling", Integer.class).then(paying).build(Integer.class);
        try (AgentRuntime other = runtime(store, selling)) {
            RunId failed = other.start(selling, 1, o -> {}).runId();
            assertThatThrownBy(() -> other.handle(failed).result()).isInstanceOf(ChargehandException.class);
            assertThatThrownBy(() -> other.fork(failed, f -> f.before("paying.ship")))
                    .hasMessage("Fork of run " + failed + " cannot start at 'paying.ship' without the output of entry"
                            + " 'paying.pay' before it. Give the output for 'paying.pay'.");
            assertThat(other.fork(failed, f -> f.before("paying.ship").output("paying.pay", 100))
                            .result()
                            .object())
                    .contains(Json.of(105));
        }
    }

    @Test
    void theEventsOfAForkAreThoseOfItsHistory() {
        RunResult source = source(runtime);
        List<String> live = new ArrayList<>();
        RunHandle fork = runtime.fork(source.runId(), f -> f.before("inner.innermost.b")
                .options(o -> o.addListener(event -> {
                    synchronized (live) {
                        live.add(event.path() + " " + event.type()
                                + event.origin().id());
                    }
                })));
        fork.result();
        List<String> stored = runtime.history(fork.runId()).stream()
                .map(event -> event.path() + " " + event.type() + event.origin().id())
                .toList();
        assertThat(stored).containsExactlyInAnyOrderElementsOf(live);
        assertThat(runtime.history(fork.runId()).stream()
                        .filter(event -> event.path().toString().equals("outer/inner"))
                        .map(RunEvent::type))
                .startsWith("run-start", "workflow-start", "workflow-step-start", "workflow-step-result")
                .endsWith("workflow-finish", "run-finish");
    }

    @ParameterizedTest
    @EnumSource(WorkflowRunTest.Kind.class)
    void aForkIsGoneBeforeEachAppendAndEndsAsTheUndisturbedOne(WorkflowRunTest.Kind kind) throws Exception {
        String database = kind == WorkflowRunTest.Kind.POSTGRES ? PostgresServer.newStore() : "";
        Supplier<Store> process =
                switch (kind) {
                    case MEMORY -> () -> store;
                    case SQLITE -> () -> JdbcStore.sqlite(folder.resolve("runs.db"));
                    case POSTGRES -> () -> JdbcStore.postgres(database, PostgresServer.USER, "");
                };
        Store stored = process.get();
        int resumed = 0;
        try (AgentRuntime whole = runtime(stored, outer)) {
            RunResult source = source(whole);
            int most = kind == WorkflowRunTest.Kind.MEMORY ? 40 : 6;
            for (int append = 1; append < most; append++) {
                done.clear();
                try (AgentRuntime dies = runtime(Crashing.goneBefore(append, process.get()), outer)) {
                    RunResult ignored = dies.fork(source.runId(), f -> f.before("inner.innermost.b"))
                            .result();
                } catch (ChargehandException e) {
                    assertThat(e.code()).startsWith("store");
                }
                RunRecord latest = stored.list(RunFilter.ROOTS).getFirst();
                if (!latest.status().isEnded()) {
                    resumed++;
                    RunResult result = whole.resume(latest.runId(), o -> {}).result();
                    assertThat(result.object()).isEqualTo(source.object());
                }
                assertThat(done).doesNotContain("start 1", "beside 6", "first 6", "a 7");
            }
            assertThat(resumed).isGreaterThan(kind == WorkflowRunTest.Kind.MEMORY ? 15 : 3);
        }
    }

    @Test
    void aNestedRunThatDoesNotStartAgainIsCancelledWithTheFork() {
        RunResult source = source(runtime);
        FaultyStore dying = Crashing.goneBefore(2, store);
        try (AgentRuntime dies = runtime(dying, outer)) {
            RunResult ignored =
                    dies.fork(source.runId(), f -> f.before("inner.second")).result();
        } catch (ChargehandException e) {
            assertThat(e.code()).startsWith("store");
        }
        RunId left = store.list(RunFilter.ROOTS).getFirst().runId();
        assertThat(runtime.cancel(left)).isTrue();
        assertThat(store.list(RunFilter.ALL.tree(left))).hasSize(2).allMatch(run -> run.status()
                .isEnded());
    }

    @Test
    void anEntryThatTheSourceRunHasNotReachedIsContinuedBeforeWithGivenOutputs() {
        Step<Integer, Integer> broken = Step.of("pay", Integer.class, Integer.class, (in, context) -> {
            throw new IllegalStateException("It is broken");
        });
        Workflow<Integer, Integer> paying = Workflow.from("paying", Integer.class)
                .then(step("check", 1))
                .then(broken)
                .then(step("ship", 5))
                .build(Integer.class);
        Workflow<Integer, Integer> audited = Workflow.from("paying", Integer.class)
                .version("2")
                .then(step("check", 1))
                .then(step("audit", 50))
                .then(step("pay", 0))
                .then(step("ship", 5))
                .build(Integer.class);
        try (AgentRuntime other = runtime(store, paying, audited)) {
            RunId failed = other.start(paying, 1, o -> {}).runId();
            assertThatThrownBy(() -> other.handle(failed).result()).isInstanceOf(ChargehandException.class);
            done.clear();
            RunResult paid =
                    other.fork(failed, f -> f.before("ship").output("pay", 100)).result();
            assertThat(paid.object()).contains(Json.of(105));
            assertThat(done).containsExactly("ship 100");
            assertThat(paid.forkedFrom()).contains(new ForkOrigin(failed, 1, List.of("output pay")));
            assertThatThrownBy(() -> other.fork(failed, f -> f.before("ship")))
                    .hasMessageContaining("Fork of run " + failed
                            + " cannot start at 'ship' without the output of entry 'pay' before it.");
            done.clear();
            RunResult inserted =
                    other.fork(failed, f -> f.before("audit").workflow(audited)).result();
            assertThat(done).containsExactly("audit 2", "pay 52", "ship 52");
            assertThat(inserted.object()).contains(Json.of(57));
            done.clear();
            RunResult both = other.fork(
                            failed, f -> f.before("pay").workflow(audited).output("check", 3))
                    .result();
            assertThat(done).containsExactly("audit 3", "pay 53", "ship 53");
            assertThat(both.object()).contains(Json.of(58));
        }
    }
}
