package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Forks of runs that have not ended: running, waiting, or answered. */
class ForkOfOpenRunTest extends ForkFixture {

    @Test
    void aRunThatIsStillRunningCanBeForked() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch there = new CountDownLatch(1);
        Script script = Scripts.on(
                "lead",
                Turn.calls("note", Map.of("text", "a")),
                Turn.does(there::countDown).and(Turn.waitsFor(goOn)).and(Turn.says("Old")),
                Turn.says("Fork"));
        try (TestRuntime test = builder(script).build()) {
            try (RunStream running = test.agent("lead").stream("Go")) {
                Thread.ofVirtual().start(() -> running.forEach(event -> {}));
                there.await();
                RunResult fork =
                        test.runtime().fork(running.runId(), 1, f -> {}).result();
                assertThat(fork).hasText("Fork").hasSteps(2);
                refused(
                        "has finished 1 step",
                        () -> test.runtime().fork(running.runId(), 2, f -> {}).result());
                goOn.countDown();
                Waiting.until("the old run has ended", () -> test.store()
                        .find(running.runId())
                        .orElseThrow()
                        .status()
                        .isEnded());
            }
            assertThat(done).hasSize(1);
        }
    }

    @Test
    void aSuspendedRunCanBeForkedAndStillBeAnswered() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult waiting = waitingFor("b", test);
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            RunResult fork = test.runtime()
                    .fork(waiting.runId(), 2, f -> f.withoutHooks())
                    .result();
            assertThat(fork).finished();
            RunResult sameHooks =
                    test.runtime().fork(waiting.runId(), 2, f -> {}).result();
            assertThat(sameHooks.status())
                    .as("with the hooks that are still here")
                    .isEqualTo(RunStatus.SUSPENDED);
            assertThat(done).extracting(Done::text).containsExactly("a", "b");
            RunResult answered = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
            assertThat(answered).finished();
            RunResult other = test.runtime()
                    .approve(sameHooks.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
            assertThat(other).finished().hasText(answered.text());
            assertThat(done).extracting(Done::key).doesNotHaveDuplicates().hasSize(4);
        }
    }

    @Test
    void aForkOfApprovedStepsHasTheAnswersAndAsksNobodyAgain() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult waiting = waitingFor("\"a\"", test);
            RunResult old = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
            assertThat(old).finished();
            RunResult fork =
                    test.runtime().fork(old.runId(), 1, f -> f.withoutHooks()).result();
            assertThat(fork).finished().hasText(old.text());
            assertThat(types(test.store(), fork.runId()))
                    .startsWith("started", "answered", "call-parked", "call-decided", "call-opened", "call-closed")
                    .doesNotContain("suspended", "resumed");
        }
    }

    private static RunResult waitingFor(String arguments, TestRuntime test) {
        return test.agent("lead")
                .generate(
                        "Go",
                        o -> o.requireToolApproval(
                                call -> call.arguments().text().contains(arguments)));
    }

    private static List<String> types(Store store, RunId runId) {
        return store.read(runId, 0).stream().map(FactEntry::type).toList();
    }
}
