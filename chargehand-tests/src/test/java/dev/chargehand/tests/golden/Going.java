package dev.chargehand.tests.golden;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
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
        List<Ending> endings = new ArrayList<>();
        try (TestRuntime test = TestRuntime.builder(Crew.script())
                .store(store)
                .ids(ids)
                .time(new ManualClock(root.updatedAt().plus(Duration.ofMinutes(1))))
                .unrecorded()
                .agents(Crew.agents().toArray(Agent[]::new))
                .build()) {
            RunResult result = result(
                    () -> test.runtime().resume(root.runId(), asked.options()).result());
            endings.add(Ending.of(result, test, root.resourceId().orElse(null)));
            while (result.status() == RunStatus.SUSPENDED) {
                PendingApproval next = result.pendingApprovals().getFirst();
                result = result(() -> test.runtime()
                        .answer(next, answer(next), asked.options())
                        .result());
                endings.add(Ending.of(result, test, root.resourceId().orElse(null)));
            }
        }
        return endings;
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
