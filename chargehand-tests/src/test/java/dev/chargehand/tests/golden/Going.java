package dev.chargehand.tests.golden;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.replay.Recording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Goes on with a saved run in a store: resumes it, and answers what it waits for, until it ends. */
final class Going {

    private static final Approver ANN = Approver.of("ann", "acme");

    private Going() {}

    static List<Ending> on(Recording recording, Case asked, Store store) {
        recording.restore(store);
        RunRecord root = recording.runs().getFirst().record();
        AtomicLong count = new AtomicLong();
        IdSource ids = prefix -> prefix + "later" + count.incrementAndGet();
        ManualClock clock = new ManualClock(root.updatedAt().plus(Duration.ofMinutes(1)));
        try (TestRuntime test = runtime(asked, store, ids, clock).unrecorded().build()) {
            List<Ending> endings = new ArrayList<>();
            RunResult first = result(
                    () -> test.runtime().resume(root.runId(), asked.options()).result());
            toTheEnd(
                    test,
                    asked,
                    clock,
                    first,
                    result -> endings.add(
                            Ending.of(result, test, root.resourceId().orElse(null))));
            return endings;
        }
    }

    /** Returns a runtime in which the runs of the corpus are executed. */
    static TestRuntime.Builder runtime(Case asked, Store store, IdSource ids, ManualClock clock) {
        TestRuntime.Builder builder = TestRuntime.builder(Crew.script())
                .store(store)
                .ids(ids)
                .time(clock)
                .agents(Crew.agents().toArray(Agent[]::new));
        return asked.isWorkflow() ? builder.workflows(CorpusWorkflow.workflow()).wakeups(Wakeups.off()) : builder;
    }

    /** Answers what a run waits for, and lets the time come for which it waits. */
    static void toTheEnd(TestRuntime test, Case asked, ManualClock clock, RunResult first, Consumer<RunResult> each) {
        RunResult result = first;
        each.accept(result);
        while (result.status() == RunStatus.SUSPENDED) {
            RunId run = result.runId();
            if (result.pendingApprovals().isEmpty()) {
                clock.advance(Duration.ofHours(4));
                result =
                        result(() -> test.runtime().resume(run, asked.options()).result());
            } else {
                PendingApproval next = result.pendingApprovals().getFirst();
                result = result(() -> test.runtime()
                        .answer(next, answer(next), asked.options())
                        .result());
            }
            each.accept(result);
        }
    }

    private static ApprovalAnswer answer(PendingApproval pending) {
        return switch (pending.kind()) {
            case DATA -> ApprovalAnswer.data(ANN, 42);
            case INTERRUPTED -> ApprovalAnswer.approve(ANN);
            case APPROVAL ->
                pending.path().isRoot() ? ApprovalAnswer.approve(ANN) : ApprovalAnswer.decline(ANN, "Better not.");
        };
    }

    private static RunResult result(Supplier<RunResult> run) {
        try {
            return run.get();
        } catch (RunFailedException e) {
            return e.result();
        }
    }
}
