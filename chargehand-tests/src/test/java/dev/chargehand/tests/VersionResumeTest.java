package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunResult;
import dev.chargehand.Until;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.version.Version;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs keep the versions that they were started with, in other processes too. */
class VersionResumeTest extends VersionFixture {

    @TempDir
    private Path folder;

    private final Agent deleter1 = deleter("deleter", "1");
    private final Agent deleter2 = deleter("deleter", "2");
    private final Agent boss1 = supervisor("boss", "1", deleter1);

    private RunResult waiting(AgentRuntime runtime, String agent, String version) {
        RunResult waiting = runtime.agent(agent).generate("Go", o -> o.version(agent, id(version)));
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        return waiting;
    }

    private List<RunRecord> all() {
        return store.list(RunFilter.ALL);
    }

    private PendingApproval pending(AgentRuntime runtime, RunId run) {
        return runtime.handle(run).pendingApprovals().getFirst();
    }

    @Test
    void aRunContinuesInItsVersionThoughAnotherIsSelectedToday() {
        RunId run;
        try (AgentRuntime runtime = runtime(boss1, deleter1, deleter2)) {
            run = runtime.agent("boss")
                    .generate("Go", o -> o.version("deleter", id("2")))
                    .runId();
        }
        try (AgentRuntime other = building(supervisor("boss", "3", deleter1), boss1, deleter1, deleter2)
                .versions(v -> v.agent("deleter", id("1")).agent("boss", id("3")))
                .build()) {
            RunResult result = other.approve(pending(other, run), ANN).result();
            assertThat(result.text()).isEqualTo("boss 1 [deleter 2]");
        }
    }

    @Test
    void twoVersionsInOneTreeContinueEachInItsOwn() {
        Agent top = supervisor("top", "", boss1, supervisor("other", "9", deleter2));
        RunId run;
        try (AgentRuntime runtime = runtime(top, deleter1, deleter2)) {
            RunResult waiting = runtime.agent("top").generate("Go");
            run = waiting.runId();
            assertThat(waiting.pendingApprovals()).hasSize(2);
            assertThat(started(runtime.history(run)))
                    .containsExactlyInAnyOrder("top=null", "boss=1", "other=9", "deleter=1", "deleter=2");
        }
        try (AgentRuntime runtime = runtime(top, deleter1, deleter2)) {
            RunResult ignored = runtime.approve(pending(runtime, run), ANN).result();
            assertThat(runtime.approve(pending(runtime, run), ANN).result().text())
                    .isEqualTo("top  [boss 1 [deleter 1], other 9 [deleter 2]]");
        }
    }

    @Test
    void aRunWhoseVersionIsMissingIsLeftAsItIs() {
        RunId run;
        try (AgentRuntime runtime = runtime(deleter1, deleter2)) {
            run = waiting(runtime, "deleter", "2").runId();
        }
        List<RunRecord> before = all();
        try (AgentRuntime without = runtime(deleter1)) {
            PendingApproval approval = pending(without, run);
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> without.approve(approval, ANN))
                    .withMessageContaining("version '2' of agent 'deleter'")
                    .withMessageContaining("version '1'");
            assertThat(store.undrained(run)).as("the answer was not stored").isEmpty();
            assertThat(all()).isEqualTo(before);
        }
        try (AgentRuntime with = runtime(deleter1, deleter2)) {
            assertThat(with.approve(pending(with, run), ANN).result().text()).isEqualTo("deleter 2");
        }
    }

    @Test
    void aRunOfAVersionThatIsMissingBelowItIsLeftAsItIs() {
        Agent top = supervisor("top", "", boss1);
        RunId run;
        try (AgentRuntime runtime = runtime(top, deleter1, deleter2)) {
            run = runtime.agent("top")
                    .generate("Go", o -> o.version("deleter", id("2")))
                    .runId();
        }
        List<RunRecord> before = all();
        assertThat(before).hasSize(3);
        try (AgentRuntime without = runtime(top, deleter1)) {
            PendingApproval approval = pending(without, run);
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> without.approve(approval, ANN))
                    .withMessageContaining("executes version '2' of 'deleter'");
            assertThat(all()).isEqualTo(before);
        }
        Agent top2 = supervisor("top", "", supervisor("boss", "2", deleter1));
        try (AgentRuntime without = runtime(top2, deleter1, deleter2)) {
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> without.approve(pending(without, run), ANN))
                    .withMessageContaining("executes version '1' of 'boss'");
            assertThat(all()).isEqualTo(before);
        }
        try (AgentRuntime with = runtime(top2, boss1, deleter1, deleter2)) {
            assertThat(with.approve(pending(with, run), ANN).result().text()).isEqualTo("top  [boss 1 [deleter 2]]");
        }
    }

    private static RunId submitted(AgentRuntime runtime, String agent, String version) {
        return runtime.submit(runtime.agent(agent), List.of(Message.user("Go")), o -> o.version(agent, id(version)));
    }

    @Test
    void recoverListsRunsWithoutTheirVersion() {
        RunId run;
        try (AgentRuntime runtime = runtime(deleter1, deleter2)) {
            run = submitted(runtime, "deleter", "2");
        }
        List<RunRecord> before = all();
        try (AgentRuntime without = runtime(deleter1)) {
            Recovery recovery = without.recover();
            assertThat(recovery.withoutVersion()).containsExactly(run);
            assertThat(recovery.withoutAgent()).isEmpty();
            assertThat(recovery.runIds()).isEmpty();
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> without.advance(run, Until.never()));
            assertThatExceptionOfType(VersionUnknownException.class).isThrownBy(() -> without.resume(run, o -> {}));
            assertThat(all()).isEqualTo(before);
        }
        try (AgentRuntime none = runtime()) {
            List<Recovery> recovered = new ArrayList<>();
            String log = Logged.during(() -> recovered.add(none.recover()));
            assertThat(recovered.getFirst().withoutAgent()).containsExactly(run);
            assertThat(recovered.getFirst())
                    .hasToString(
                            "Recovery[runIds=0, withoutAgent=1 (" + run + "), withoutVersion=0, withoutDefinition=0,"
                                    + " changed=0, withoutHooks=0, stuck=0, timedOut=0]");
            assertThat(log.lines())
                    .containsOnlyOnce(
                            "WARN 1 run was not recovered, since agent 'deleter' is not in this runtime: " + run);
        }
        try (AgentRuntime with = runtime(deleter1, deleter2)) {
            assertThat(with.recover().await()).extracting(RunResult::status).containsExactly(RunStatus.SUSPENDED);
        }
    }

    @Test
    void recoverListsARunThatWaitedForAnAnswerOnceTheTimeForItIsOver() {
        ManualClock clock = new ManualClock();
        RunId run;
        try (AgentRuntime runtime =
                building(deleter1, deleter2).timeSource(clock).build()) {
            run = waiting(runtime, "deleter", "2").runId();
        }
        List<RunRecord> before = all();
        try (AgentRuntime without = building(deleter1).timeSource(clock).build()) {
            assertThat(without.recover().withoutVersion()).isEmpty(); // there is nothing to continue
            clock.advance(Duration.ofHours(24));
            assertThat(without.recover().withoutVersion()).containsExactly(run);
            assertThat(all()).isEqualTo(before);
        }
        try (AgentRuntime with = building(deleter1, deleter2).timeSource(clock).build()) {
            assertThat(with.recover().await()).extracting(RunResult::text).containsExactly("deleter 2");
        }
    }

    @Test
    void recoverListsAWorkflowWhoseAgentWaitedOnceTheTimeForItsAnswerIsOver() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(deleter1.asStep("delete", String.class, (in, context) -> in))
                .build(String.class);
        ManualClock clock = new ManualClock();
        RunId run;
        try (AgentRuntime runtime =
                building(deleter2).workflows(workflow).timeSource(clock).build()) {
            run = runtime.run(workflow, "x", o -> o.version("deleter", id("2"))).runId();
            assertThat(runtime.handle(run).status()).isEqualTo(RunStatus.SUSPENDED);
        }
        List<RunRecord> before = all();
        try (AgentRuntime without =
                building().workflows(workflow).timeSource(clock).build()) {
            assertThat(without.recover().withoutVersion()).isEmpty();
            clock.advance(Duration.ofHours(24));
            assertThat(without.recover().withoutVersion()).containsExactly(run);
            assertThat(all()).isEqualTo(before);
        }
        try (AgentRuntime with =
                building(deleter2).workflows(workflow).timeSource(clock).build()) {
            assertThat(with.recover().await()).extracting(RunResult::text).containsExactly("deleter 2");
        }
    }

    @Test
    void recoverListsARunThatIsPendingBehindAnotherOnItsThread() {
        RunId first;
        RunId second;
        try (AgentRuntime runtime = runtime(deleter1, deleter2)) {
            first = runtime.agent("deleter")
                    .generate("Go", o -> o.thread("t").resource("ann"))
                    .runId();
            second = runtime.submit(
                    runtime.agent("deleter"),
                    List.of(Message.user("Go")),
                    o -> o.version("deleter", id("2")).thread("t").resource("ann"));
        }
        try (AgentRuntime without = runtime(deleter1)) {
            assertThat(without.recover().withoutVersion()).containsExactly(second);
            assertThat(without.cancel(first)).isTrue();
            assertThat(without.recover().withoutVersion()).containsExactly(second);
        }
        try (AgentRuntime with = runtime(deleter1, deleter2)) {
            assertThat(with.recover().await()).extracting(RunResult::runId).containsExactly(second);
        }
    }

    @Test
    void wakeupsLeaveARunToAProcessThatHasItsVersion() {
        Path file = folder.resolve("runs.db");
        RunId run;
        RunId other;
        try (AgentRuntime submits = building(deleter1, worker("writer", "1"), worker("writer", "2"))
                .store(JdbcStore.sqlite(file))
                .build()) {
            run = submitted(submits, "writer", "2");
            other = submitted(submits, "writer", "1");
        }
        try (AgentRuntime without = building(worker("writer", "1"))
                .store(JdbcStore.sqlite(file))
                .wakeups(Wakeups.all())
                .build()) {
            assertThat(without.handle(other).result().text()).isEqualTo("writer 1");
            RunRecord left = without.store().find(run).orElseThrow();
            assertThat(left.status()).isEqualTo(RunStatus.PENDING);
            assertThat(left.epoch()).as("it was not claimed").isEqualTo(1);
            try (AgentRuntime with = building(worker("writer", "2"))
                    .store(JdbcStore.sqlite(file))
                    .wakeups(Wakeups.all())
                    .build()) {
                assertThat(with.handle(run).result().text()).isEqualTo("writer 2");
            }
        }
    }

    @Test
    void aRunWithoutItsVersionCanBeCancelledAndTheOtherVersionHearsNothing() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Agent noting = builder("deleter", "1")
                .defaultOptions(o -> o.onAbort(result -> heard.add("1")))
                .model("none/none")
                .build();
        RunId run;
        try (AgentRuntime runtime = runtime(deleter1, deleter2)) {
            run = waiting(runtime, "deleter", "2").runId();
        }
        try (AgentRuntime without = runtime(noting)) {
            assertThat(without.cancel(run)).isTrue();
            assertThat(store.find(run).orElseThrow().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void aRunFromBeforeItsAgentHadAVersionContinuesWithTheAgentInCode() {
        RunId run;
        try (AgentRuntime runtime = runtime(deleter("deleter", ""))) {
            run = runtime.agent("deleter").generate("Go").runId();
        }
        try (AgentRuntime runtime = runtime(deleter2, deleter1)) {
            assertThat(runtime.approve(pending(runtime, run), ANN).result().text())
                    .isEqualTo("deleter 2");
        }
    }

    @Test
    void aForkContinuesInTheVersionOfItsSourceOrInAnother() {
        RunId run;
        try (AgentRuntime runtime = runtime(worker("writer", "1"), worker("writer", "2"))) {
            run = runtime.agent("writer")
                    .generate("Go", o -> o.version("writer", id("2")))
                    .runId();
            assertThat(runtime.fork(run, 0, f -> {}).result().text()).isEqualTo("writer 2");
            RunResult forked = runtime.fork(run, 0, f -> f.version(id("1"))).result();
            assertThat(forked.text()).isEqualTo("writer 1");
            assertThat(started(runtime.history(forked.runId()))).containsExactly("writer=1");
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> runtime.fork(run, 0, f -> f.version(Version.published())));
            Steps.assertMisconfigured(
                    () -> runtime.fork(run, 0, f -> f.options(o -> o.version("writer", id("1")))), "version(...)");
            Steps.assertMisconfigured(
                    () -> runtime.fork(run, 0, f -> f.options(o -> o.version("wirter", id("1")))), "wirter");
        }
        int runs = all().size();
        try (AgentRuntime without = runtime(worker("writer", "1"))) {
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> without.fork(run, 0, f -> {}))
                    .withMessageContaining("version(...) of the fork");
            assertThat(without.fork(run, 0, f -> f.version(id("1"))).result().text())
                    .isEqualTo("writer 1");
        }
        assertThat(all()).hasSize(runs + 1);
    }

    @Test
    void aDelegationOpenedAfterTheResumptionUsesTheSelectionOfTheCall() {
        Agent writer1 = worker("writer", "1");
        Agent writer2 = worker("writer", "2");
        Agent asking = Agent.builder("boss")
                .agents(writer1)
                .tools(Steps.approvedTool("delete", (in, ctx) -> "deleted"))
                .model(asksThenDelegates())
                .build();
        RunId run;
        try (AgentRuntime runtime = runtime(asking, writer1, writer2)) {
            run = runtime.agent("boss")
                    .generate("Go", o -> o.version("writer", id("2")))
                    .runId();
        }
        try (AgentRuntime other = runtime(asking, writer1, writer2)) {
            RunResult result = other.approve(pending(other, run), ANN).result();
            assertThat(result.text()).isEqualTo("Done");
            assertThat(other.history(run).stream()
                            .filter(RunEvent.DelegationStart.class::isInstance)
                            .map(event -> ((RunEvent.DelegationStart) event).version()))
                    .containsExactly("2");
        }
    }

    private static Model asksThenDelegates() {
        return Scripts.on("boss", Turn.calls("delete", "{}"), Turn.delegates("writer", "Write"), Turn.says("Done"))
                .modelFor("boss");
    }
}
