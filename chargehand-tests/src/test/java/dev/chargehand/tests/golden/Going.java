package dev.chargehand.tests.golden;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.replay.Recording;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Goes on with a saved run in a store: resumes it, and answers what it waits for, until it ends. */
final class Going {

    private static final Approver ANN = Approver.of("ann", "acme");

    private Going() {}

    static List<Ending> on(Recording recording, Map<String, String> readers, Case asked, Store store) {
        if (asked.isConversation()) {
            Roots.restore(recording, readers, store);
        } else {
            recording.restore(store);
        }
        RunRecord root = recording.runs().getFirst().record();
        AtomicLong count = new AtomicLong();
        IdSource ids = prefix -> prefix + "later" + count.incrementAndGet();
        ManualClock clock = new ManualClock(latest(recording).plus(Duration.ofMinutes(1)));
        try (TestRuntime test = runtime(asked, store, ids, clock).unrecorded().build()) {
            if (asked.isConversation()) {
                return new Turns(test, asked, clock).play();
            }
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

    private static Instant latest(Recording recording) {
        return recording.runs().stream()
                .map(run -> run.record())
                .filter(RunRecord::isRoot)
                .map(RunRecord::updatedAt)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Returns a runtime in which the runs of the corpus are executed. */
    static TestRuntime.Builder runtime(Case asked, Store store, IdSource ids, ManualClock clock) {
        boolean tasks = asked.isConversation();
        TestRuntime.Builder builder = TestRuntime.builder(tasks ? TaskCrew.script(clock) : Crew.script())
                .store(store)
                .ids(ids)
                .time(clock)
                .agents(tasks ? new Agent[] {TaskCrew.lead()} : Crew.agents().toArray(Agent[]::new));
        if (asked.isWorkflow()) {
            builder.workflows(CorpusWorkflow.of(asked));
        }
        return tasks || asked.isWorkflow() ? builder.wakeups(Wakeups.off()) : builder;
    }

    /** Answers what a run waits for, and lets the time come for which it waits. */
    static void toTheEnd(TestRuntime test, Case asked, ManualClock clock, RunResult first, Consumer<RunResult> each) {
        RunResult result = first;
        each.accept(result);
        while (result.status() == RunStatus.SUSPENDED) {
            RunId run = result.runId();
            if (result.pendingApprovals().isEmpty()) {
                clock.advance(Duration.ofHours(4));
                result = result(() -> asked == Case.WORKFLOW_PAUSED
                        ? test.runtime().wake(run, pausedBefore(test, run)).result()
                        : test.runtime().resume(run, asked.options()).result());
            } else {
                PendingApproval next = result.pendingApprovals().getFirst();
                result = result(() -> answer(test, next, asked.options()));
            }
            each.accept(result);
        }
    }

    private static String pausedBefore(TestRuntime test, RunId run) {
        return test.runtime().history(run).stream()
                .filter(WorkflowEvent.WorkflowStepWaiting.class::isInstance)
                .map(WorkflowEvent.WorkflowStepWaiting.class::cast)
                .reduce((first, last) -> last)
                .orElseThrow()
                .stepPath();
    }

    static RunResult answer(TestRuntime test, PendingApproval pending, Consumer<RunOptions.Builder> options) {
        return test.runtime().answer(pending, answer(pending), options).result();
    }

    private static ApprovalAnswer answer(PendingApproval pending) {
        return switch (pending.kind()) {
            case DATA -> ApprovalAnswer.data(ANN, 42);
            case INTERRUPTED -> ApprovalAnswer.approve(ANN);
            case APPROVAL ->
                pending.path().isRoot() ? ApprovalAnswer.approve(ANN) : ApprovalAnswer.decline(ANN, "Better not.");
        };
    }

    static RunResult result(Supplier<RunResult> run) {
        try {
            return run.get();
        } catch (RunFailedException e) {
            return e.result();
        }
    }
}
