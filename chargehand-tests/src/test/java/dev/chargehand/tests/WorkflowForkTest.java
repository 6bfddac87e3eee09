package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.WorkflowUnknownException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of workflows that continue before an entry of another run. */
class WorkflowForkTest {

    @TempDir
    private Path folder;

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    private final Step<Integer, Integer> check = step("check", 1);
    private final Step<Integer, Integer> reserve = step("reserve", 10);
    private final Step<Integer, Integer> price = step("price", 100);
    private final Step<Integer, Integer> poll = step("poll", 1000);
    private final Step<Integer, Integer> mail = step("mail", 7);

    /** 1 is checked as 2, reserved and priced as 114, polled to 3114, and mailed as 3114 and 3115. */
    private final Workflow<Integer, List<Outcome<Integer>>> ordering = Workflow.from("ordering", Integer.class)
            .then(check)
            .parallel("both", reserve, price)
            .map("sum", Integer.class, (out, context) -> out.get(reserve) + out.get(price))
            .doUntil(poll, (out, context) -> out > 3000, Repeat.atMost(5))
            .foreach(
                    "notify",
                    (out, context) -> List.of(out, out + 1),
                    mail,
                    Each.concurrency(1).collect())
            .build(new JsonType<>() {});

    private final AgentRuntime runtime = runtime(store, ordering);

    private Step<Integer, Integer> step(String id, int plus) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> {
                    done.add(id + " " + in);
                    context.updateState(
                            Map.of(id, in, "runs", Map.of(context.runId().value() + id, context.idempotencyKey())));
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

    private RunResult source() {
        RunResult result = runtime.start(ordering, 1, o -> {}).result();
        assertThat(result.text()).isEqualTo("[{\"ok\":3121},{\"ok\":3122}]");
        done.clear();
        return result;
    }

    private RunResult fork(RunId from, Consumer<ForkBuilder.WorkflowForkBuilder> changes) {
        return runtime.fork(from, changes).result();
    }

    private static List<String> facts(Store store, RunId run) {
        return store.read(run, 0).stream().map(FactEntry::text).toList();
    }

    @Test
    void aForkContinuesBeforeAnEntryAndLeavesTheSourceRunAsItIs() {
        RunResult source = source();
        List<String> before = facts(store, source.runId());

        RunResult fork = fork(source.runId(), f -> f.before("price"));

        assertThat(done)
                .containsExactlyInAnyOrder(
                        "reserve 2", "price 2", "poll 114", "poll 1114", "poll 2114", "mail 3114", "mail 3115");
        assertThat(fork.object()).isEqualTo(source.object());
        assertThat(fork.forkedFrom()).contains(new ForkOrigin(source.runId(), 1, List.of()));
        assertThat(fork.workflowSteps().stream().map(StepOutcome::path))
                .isEqualTo(
                        source.workflowSteps().stream().map(StepOutcome::path).toList());
        assertThat(facts(store, source.runId())).isEqualTo(before);
        Json keys = fork.workflowState().orElseThrow().at("/runs").orElseThrow();
        assertThat(keys.fields().values().stream().distinct())
                .hasSameSizeAs(keys.fields().values());
        assertThat(runtime.history(fork.runId()).stream().map(RunEvent::type))
                .startsWith("run-start", "workflow-start")
                .endsWith("workflow-finish", "run-finish");
    }

    @Test
    void anIterationAndTheFirstEntryAreNamed() {
        RunResult source = source();
        fork(source.runId(), f -> f.before("poll#2"));
        assertThat(done).containsExactly("poll 1114", "poll 2114", "mail 3114", "mail 3115");
        done.clear();
        fork(source.runId(), f -> f.before("poll"));
        assertThat(done).containsExactly("poll 2114", "mail 3114", "mail 3115");
        done.clear();
        fork(source.runId(), f -> f.before("notify"));
        assertThat(done).containsExactly("mail 3114", "mail 3115");
        done.clear();
        RunResult first = fork(source.runId(), f -> f.before("check").input(2));
        assertThat(done).startsWith("check 2").hasSize(8);
        assertThat(first.forkedFrom()).contains(new ForkOrigin(source.runId(), 0, List.of("input")));
    }

    @Test
    void aForkSaysWhatItHasInPlaceOfWhatTheSourceRunHad() {
        RunResult source = source();
        RunHandle fork = runtime.fork(source.runId(), f -> f.before("both")
                .state(source.workflowState().orElseThrow())
                .output("check", 5)
                .input(2)
                .workflow(ordering));

        assertThat(fork.result().forkedFrom())
                .contains(new ForkOrigin(source.runId(), 1, List.of("workflow", "input", "state", "output check")));
        assertThat(runtime.history(fork.runId()).getFirst().toJson().text())
                .contains("\"replaced\":[\"workflow\",\"input\",\"state\",\"output check\"]");
    }

    @Test
    void outputsOfCopiedCallsAreReplaced() {
        RunResult source = source();
        RunResult single = fork(source.runId(), f -> f.before("both").output("check", 5));
        assertThat(done).contains("reserve 5", "price 5").doesNotContain("check 1");
        assertThat(single.workflowSteps().getFirst().output()).contains(Json.of(5));
        done.clear();
        fork(source.runId(), f -> f.before("poll#1").output("price", 1000).output("reserve", 1));
        assertThat(done).startsWith("poll 1001");
        done.clear();
        fork(source.runId(), f -> f.before("poll#3").output("poll", 9));
        assertThat(done).startsWith("poll 9");
        Workflow<Integer, Integer> longer = Workflow.from("ordering", Integer.class)
                .version("2")
                .foreach("notify", (in, context) -> List.of(in, in + 1), mail, Each.concurrency(1))
                .map("sum", Integer.class, (all, context) -> all.stream()
                        .mapToInt(i -> i)
                        .sum())
                .then(step("last", 0))
                .build(Integer.class);
        RunId items = runtime.start(longer, 1, o -> {}).result().runId();
        done.clear();
        assertThat(fork(items, f -> f.before("last").workflow(longer).output("notify[1]", 50))
                        .object())
                .contains(Json.of(58));
        assertThat(done).containsExactly("last 58");
    }

    @Test
    void theStateIsThatOfTheSourceRunThereOrAnother() {
        RunResult source = source();
        Json kept =
                fork(source.runId(), f -> f.before("notify")).workflowState().orElseThrow();
        assertThat(kept.at("/check")).contains(Json.of(1));
        assertThat(kept.at("/poll")).contains(Json.of(2114));
        Json other = fork(source.runId(), f -> f.before("notify").state(Map.of("new", true)))
                .workflowState()
                .orElseThrow();
        assertThat(other.at("/new")).contains(Json.of(true));
        assertThat(other.fields().keySet()).containsExactlyInAnyOrder("new", "mail", "runs");
    }

    @Test
    void aFailedRunContinuesWithACorrectedWorkflow() {
        Step<Integer, Integer> broken = Step.of("pay", Integer.class, Integer.class, (in, context) -> {
            throw new IllegalStateException("It is broken");
        });
        Workflow<Integer, Integer> first =
                Workflow.from("paying", Integer.class).then(check).then(broken).build(Integer.class);
        Workflow<Integer, Integer> corrected = Workflow.from("paying", Integer.class)
                .version("2")
                .then(check)
                .then(step("audit", 0))
                .then(step("pay", 5))
                .build(Integer.class);
        RunId failed = catchThrowableOfType(RunFailedException.class, () -> runtime.run(first, 1, o -> {}))
                .result()
                .runId();
        done.clear();
        assertThatThrownBy(() -> runtime.fork(failed, f -> f.before("pay")))
                .isInstanceOf(WorkflowUnknownException.class)
                .hasMessageContaining("version '1' of workflow 'paying', which is not in this runtime");
        RunResult fork = fork(failed, f -> f.before("pay").workflow(corrected));
        assertThat(fork.object()).contains(Json.of(7));
        assertThat(done).containsExactly("audit 2", "pay 2");
        Workflow<Integer, Integer> other = Workflow.from("paying", Integer.class)
                .version("3")
                .then(step("pay", 5))
                .build(Integer.class);
        assertThatThrownBy(() -> runtime.fork(failed, f -> f.before("pay").workflow(other)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("version '3' has no entry 'check', which the copied rounds of run");
    }

    @Test
    void aRunThatWaitsIsForkedToo() {
        Workflow<Integer, Integer> asking = Workflow.from("asking", Integer.class)
                .then(check)
                .then(Step.of("ask", Integer.class, Integer.class, (in, context) -> context.resumeData(Integer.class)
                        .orElseGet(() -> context.suspend("How many?"))))
                .build(Integer.class);
        RunId waiting = runtime.run(asking, 1, o -> {}).runId();
        RunResult fork = fork(waiting, f -> f.before("ask").workflow(asking));
        assertThat(fork.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(runtime.giveData(fork.runId(), "ask", 9).result().object()).contains(Json.of(9));
        assertThat(runtime.handle(waiting).result().status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(runtime.giveData(waiting, "ask", 8).result().object()).contains(Json.of(8));
        assertThat(done).containsExactly("check 1");
    }

    @Test
    void nestedRunsOfCopiedRoundsAreNeitherExecutedNorCharged() {
        Script script = Scripts.on("writer", Turn.says("One"), Turn.says("Two"));
        Agent writer = Agent.builder("writer").model(script.modelFor("writer")).build();
        Workflow<Integer, Integer> nested =
                Workflow.from("nested", Integer.class).then(check).build(Integer.class);
        Workflow<Integer, String> workflow = Workflow.from("writing", Integer.class)
                .then(nested)
                .then(writer.asStep("write", Integer.class, (in, context) -> "Write " + in))
                .then(Step.of("end", String.class, String.class, (in, context) -> in + "!"))
                .build(String.class);
        RunResult source = runtime.start(workflow, 1, o -> {}).result();
        RunResult fork = fork(source.runId(), f -> f.before("end").workflow(workflow));
        assertThat(fork.text()).isEqualTo("One!");
        assertThat(fork.totalUsage().totalTokens()).isZero();
        assertThat(store.list(RunFilter.ALL.tree(fork.runId()))).hasSize(1);
        RunResult again = fork(source.runId(), f -> f.before("write").workflow(workflow));
        assertThat(again.text()).isEqualTo("Two!");
        assertThat(again.totalUsage()).isEqualTo(source.totalUsage());
        assertThat(runtime.handle(fork.runId()).result().text()).isEqualTo("One!");
        assertThat(runtime.history(fork.runId())).isNotEmpty();
    }

    @Test
    void whatCannotBeForkedIsRejected() {
        RunId source = source().runId();
        assertThatThrownBy(() -> runtime.fork(source, f -> {}))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("say which with before(\"...\")");
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before("poll#4")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has not reached 'poll#4'")
                .hasMessageEndingWith("It has reached: check, both, poll, poll#2, poll#3, notify.");
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before("sum")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'sum' is a map of workflow 'ordering', which has no round")
                .hasMessageEndingWith("It has reached: check, both, poll, poll#2, poll#3, notify.");
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before("both").output("price", 1)))
                .hasMessageContaining("no call at 'price' is copied")
                .hasMessageEndingWith("Outputs can be replaced at: check.");
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before("both").output("check", "x")))
                .hasMessageContaining("the output for 'check' breaks the schema of the step: string found");
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before("both").input("x")))
                .hasMessageContaining("the input breaks its schema: string found, integer expected");
        assertThatThrownBy(() -> runtime.fork(source, 1, f -> {}))
                .hasMessageContaining("is of a workflow, which is forked before an entry");
        RunId agents = Agent.builder("solo")
                .model(Scripts.on("solo", Turn.says("Hi")).modelFor("solo"))
                .build()
                .generate("x")
                .runId();
        assertThat(agents).isNotNull();
        assertThat(done).isEmpty();
        assertThat(store.list(RunFilter.ALL)).hasSize(1);
    }

    @Test
    void aRepeatedForkWithAKeyIsFound() {
        RunId source = source().runId();
        RunHandle first = runtime.fork(source, f -> f.before("notify").options(o -> o.idempotencyKey("k")));
        RunHandle again = runtime.fork(source, f -> f.before("notify").options(o -> o.idempotencyKey("k")));
        assertThat(again.runId()).isEqualTo(first.runId());
        first.result();
        assertThat(done).hasSize(2);
        assertThatThrownBy(() -> runtime.fork(source, f -> f.before("poll").options(o -> o.idempotencyKey("k"))))
                .isInstanceOf(IdempotencyKeyException.class);
    }

    @ParameterizedTest
    @EnumSource(WorkflowRunTest.Kind.class)
    void aForkIsStoredAndContinuesInAnotherProcess(WorkflowRunTest.Kind kind) throws Exception {
        Store stored =
                switch (kind) {
                    case MEMORY -> InMemoryStore.keepingEndedRuns();
                    case SQLITE -> JdbcStore.sqlite(folder.resolve("runs.db"));
                    case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
                };
        try (AgentRuntime whole = runtime(stored, ordering)) {
            RunResult source = whole.start(ordering, 1, o -> {}).result();
            done.clear();
            RunResult fork = whole.fork(
                            source.runId(),
                            f -> f.before("both").output("check", 5).state(Map.of()))
                    .result();
            assertThat(done).hasSize(7).contains("price 5");
            assertThat(whole.handle(fork.runId()).result().workflowSteps()).isEqualTo(fork.workflowSteps());
        }
    }

    @Test
    void aForkWhoseProcessIsGoneBetweenAnyTwoFactsEndsAsTheUndisturbedOne() {
        RunResult source = source();
        RunResult undisturbed = fork(source.runId(), f -> f.before("both").output("check", 5));
        int resumed = 0;
        for (int append = 1; append < 30; append++) {
            done.clear();
            FaultyStore dying = Crashing.goneBefore(append, store);
            RunId run;
            try (AgentRuntime dies = runtime(dying, ordering)) {
                RunHandle fork = dies.fork(source.runId(), f -> f.before("both").output("check", 5));
                run = fork.runId();
                fork.result();
            } catch (ChargehandException e) {
                assertThat(e.code()).startsWith("store");
                run = null;
            }
            RunRecord latest = store.list(RunFilter.ROOTS).getFirst();
            if (run == null && !latest.status().isEnded()) {
                resumed++;
                RunResult result = runtime.resume(latest.runId(), o -> {}).result();
                assertThat(result.object()).isEqualTo(undisturbed.object());
                assertThat(result.workflowSteps().stream()
                                .map(StepOutcome::output)
                                .toList())
                        .isEqualTo(undisturbed.workflowSteps().stream()
                                .map(StepOutcome::output)
                                .toList());
                assertThat(result.forkedFrom()).isEqualTo(undisturbed.forkedFrom());
            }
            assertThat(done).noneMatch(call -> call.startsWith("check"));
        }
        assertThat(resumed).isGreaterThan(6);
    }

    @Test
    void theEventsOfAForkAreThoseOfItsHistory() {
        RunResult source = source();
        List<String> live = new ArrayList<>();
        RunHandle fork = runtime.fork(source.runId(), f -> f.before("poll")
                .options(o -> o.addListener(
                        event -> live.add(event.type() + event.origin().id()))));
        fork.result();
        assertThat(runtime.history(fork.runId()).stream()
                        .map(event -> event.type() + event.origin().id()))
                .containsExactlyElementsOf(live);
    }
}
