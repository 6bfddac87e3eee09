package dev.chargehand.tests.golden;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.background.TaskLink;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Plays the rest of a conversation with background tasks: executes the root runs that have not ended, one after the other, and says
 * what has not been said.
 */
final class Turns {

    private final TestRuntime test;
    private final Case asked;
    private final ManualClock clock;

    Turns(TestRuntime test, Case asked, ManualClock clock) {
        this.test = test;
        this.asked = asked;
        this.clock = clock;
    }

    /** Returns the endings of all root runs, those that were stored before too; the clock advances with each act. */
    List<Ending> play() {
        List<String> said = asked.task().lines().toList();
        boolean more = true;
        while (more) {
            RunRecord open = Roots.of(test.store()).stream()
                    .filter(run -> !run.status().isEnded())
                    .findFirst()
                    .orElse(null);
            long turns =
                    Roots.of(test.store()).stream().filter(Turns::hasMessage).count();
            clock.advance(Duration.ofMinutes(1)); // the next attempt of a task is due only now
            if (open != null) {
                execute(open);
            } else if (turns < said.size()) {
                RunResult ignored = test.agent("lead").generate(said.get((int) turns), asked.options());
            } else {
                more = false;
            }
        }
        return endings();
    }

    /** A task has no message of the user, and neither has a turn that follows by itself. */
    private static boolean hasMessage(RunRecord run) {
        return run.task().isEmpty()
                && run.untilIdle().filter(first -> !first.equals(run.runId())).isEmpty();
    }

    private void execute(RunRecord open) {
        RunId run = open.runId();
        RunResult result = Going.result(() -> open.status() == RunStatus.SUSPENDED
                ? Going.answer(
                        test, test.runtime().handle(run).pendingApprovals().getFirst(), o -> {})
                : handle(open).result());
        if (!result.status().isEnded() && result.status() != RunStatus.SUSPENDED) {
            throw new IllegalStateException("Run " + run + " was not executed: " + result.status());
        }
    }

    /** The process that executes a task to its end may already execute the next attempt, or the turn that follows. */
    private RunHandle handle(RunRecord open) {
        try {
            return test.runtime().resume(open.runId(), open.task().isPresent() ? o -> {} : asked.options());
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.FENCED) {
                throw e;
            }
            while (!test.store().find(open.runId()).orElseThrow().status().isEnded()) {
                LockSupport.parkNanos(1_000_000); // the clock of the runtime stands still
            }
            return test.runtime().handle(open.runId());
        }
    }

    private List<Ending> endings() {
        List<Ending> endings = new ArrayList<>();
        List<RunRecord> roots = Roots.of(test.store());
        List<RunId> ids = roots.stream().map(RunRecord::runId).toList();
        for (RunRecord root : roots) {
            RunResult result =
                    Going.result(() -> test.runtime().handle(root.runId()).result());
            TaskLink task = root.task().orElse(null);
            endings.add(
                    task == null
                            ? Ending.of(result, test, root.resourceId().orElse(null))
                            : Ending.of(
                                    result,
                                    List.of(), // its thread is its own
                                    "attempt " + task.attempt() + " of root " + ids.indexOf(task.taskId())
                                            + ", from root " + ids.indexOf(task.originRunId()) + ", read by root "
                                            + ids.indexOf(task.readBy())));
        }
        return endings;
    }
}
