package dev.chargehand.verify.failure;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What must hold whichever call failed. */
final class FailureCheck {

    private final FailureCase failure;
    private final BiConsumer<String, String> fault;

    FailureCheck(FailureCase failure, BiConsumer<String, String> fault) {
        this.failure = failure;
        this.fault = fault;
    }

    /**
     * A runtime is not built only where what it needs for that has failed, and then the error is of that part; a clock
     * that leaps ahead makes a call of the store take too long.
     */
    void refused(RuntimeException e) {
        boolean fits = e instanceof FaultPoint.PlannedException
                || (e instanceof StoreException && (failure.part() == Part.STORE || failure.part() == Part.CLOCK))
                || (e instanceof ConfigurationException && failure.part() == Part.IDS);
        if (!fits) {
            fault.accept("crashes", "the runtime was not built: " + e);
        }
    }

    /** One end, emitted last, and the same that the caller got. */
    void events(Ran ran) {
        RunResult result = ran.result();
        if (result == null) {
            if (!ran.events().isEmpty()) {
                fault.accept("ends", "no result but events: " + ran.refusal() + " " + ran.events());
            }
            return;
        }
        List<RunEvent> events = ran.eventsOf(result.runId());
        List<RunEvent.RunFinish> ends = events.stream()
                .filter(RunEvent.RunFinish.class::isInstance)
                .map(RunEvent.RunFinish.class::cast)
                .filter(end -> end.runId().equals(result.runId()))
                .toList();
        if (ends.size() != 1) {
            fault.accept("ends", ends.size() + " ends of " + result.stopReason());
            return;
        }
        try {
            assertThatEvents(events).arePaired().endWithRunFinish();
        } catch (AssertionError e) {
            fault.accept("ends", e.toString());
        }
        RunEvent.RunFinish end = ends.getFirst();
        if (end.status() != result.status()
                || !end.stopReason().equals(result.stopReason())
                || !end.text().equals(result.text())) {
            fault.accept("disagree", "told " + end + ", returned " + result);
        }
    }

    /**
     * What is stored is what the caller got, or can be resumed with the run's hooks, where the caller was emitted that
     * the store failed.
     */
    void stored(Ran ran, Store store, Function<RunId, RunResult> later) {
        RunResult result = ran.result();
        if (result == null) {
            return;
        }
        Optional<RunRecord> record = store.find(result.runId());
        boolean storeFailed = result.stopReason() instanceof StopReason.Failed failed
                && failed.error().startsWith("store-");
        if (record.isEmpty()) {
            if (!storeFailed) {
                fault.accept("disagree", "nothing is stored of " + result.stopReason());
            }
            return;
        }
        RunStatus status = record.get().status();
        if (status != result.status() && !storeFailed) {
            fault.accept("disagree", "stored as " + status + ", returned as " + result.stopReason());
        }
        RunResult again = resumed(later, result);
        if (again == null) {
            return;
        }
        if (!again.status().isEnded() && !(storeFailed && waitsForAHuman(again))) {
            fault.accept("disagree", "resumed it is " + again.status());
        }
        if (status == result.status()
                && (!again.text().equals(result.text()) || !again.stopReason().equals(result.stopReason()))) {
            fault.accept("disagree", "stored as " + again + ", returned as " + result);
        }
    }

    /**
     * Return whether a run waits since it is not known how a call that may not be executed again has ended: the store failed when that
     * was to be stored. Whether a call of the store that was late is carried out before the run is resumed is a matter of chance.
     */
    private static boolean waitsForAHuman(RunResult result) {
        return !result.pendingApprovals().isEmpty()
                && result.pendingApprovals().stream().allMatch(call -> call.kind() == PendingApproval.Kind.INTERRUPTED);
    }

    private @Nullable RunResult resumed(Function<RunId, RunResult> later, RunResult result) {
        try {
            return later.apply(result.runId());
        } catch (RunFailedException e) {
            return e.result();
        } catch (ChargehandException e) {
            fault.accept("lost", "it cannot be taken up: " + e.getMessage());
            return null;
        }
    }

    /** No call of the tool was executed twice, not by the run that took it up either. */
    void executedOnce(Map<String, Integer> executions) {
        executions.forEach((key, count) -> {
            if (count > 1) {
                fault.accept("twice", "a call was executed " + count + " times");
            }
        });
    }

    /** Return whether both ways of running must come to the same end. */
    boolean isComparable() {
        return failure.kind() != Kind.TASK
                && !failure.part().isCalledSideBySide()
                && failure.fault() != Fault.SLOW
                && failure.fault() != Fault.HANG;
    }
}
