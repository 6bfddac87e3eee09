package dev.chargehand.server.internal.wire;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The calls of a run that its client executes. It has their results, so these are not sent to it. Used by one thread. */
public final class ExternalCalls {

    private final Set<String> ids = new HashSet<>();

    /** Return those that wait in a run that is suspended. */
    public static List<PendingApproval> of(RunEvent.RunSuspend suspend) {
        return suspend.pending().stream().filter(PendingApproval::isExternal).toList();
    }

    /** Return whether a run that is suspended waits for its client. */
    public static boolean areIn(RunEvent.RunSuspend suspend) {
        return areIn(suspend, Set.of());
    }

    /** Return whether a run that is suspended waits for its client to execute a call that is not among some. */
    public static boolean areIn(RunEvent.RunSuspend suspend, Set<String> executed) {
        return of(suspend).stream().anyMatch(call -> !executed.contains(call.callId()));
    }

    /** Return the ids of those that the client has executed, by the events of a run. */
    public static Set<String> executed(List<RunEvent> events) {
        ExternalCalls calls = new ExternalCalls();
        Set<String> executed = new HashSet<>();
        for (RunEvent event : events) {
            calls.note(event);
            if (event instanceof RunEvent.ToolCallAnswered answer && calls.contains(answer.callId())) {
                executed.add(answer.callId());
            }
        }
        return executed;
    }

    /** Note what waits. */
    public void note(RunEvent event) {
        if (event instanceof RunEvent.ToolCallSuspended suspended
                && suspended.approval().isExternal()) {
            ids.add(suspended.approval().callId());
        }
    }

    /** Return whether the client executes a call. */
    public boolean contains(String callId) {
        return ids.contains(callId);
    }
}
