package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.Outcome;
import dev.chargehand.server.internal.wire.RootCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls that wait for data, which a chat gives as the output of the call of the lead agent that it shows. */
final class WaitingData {

    private WaitingData() {}

    /** Return whether a call waits for data of a person, not for a result of the client's tool. */
    static boolean isAsked(PendingApproval waiting) {
        return waiting.kind() == PendingApproval.Kind.DATA && !waiting.isExternal();
    }

    /** Return the part of a message that says what is wanted. */
    static Map<String, Object> part(PendingApproval waiting) {
        Map<String, Object> shown = new LinkedHashMap<>(waiting.toJson().fields());
        shown.put("id", Outcome.waitingId(waiting));
        return Map.of("id", Outcome.waitingId(waiting), "data", shown);
    }

    /**
     * Return the calls that wait for data by the calls of the root run that they are, or are below: the first of each, since a part of a
     * message has one output. The others can be given data when the run waits again.
     *
     * @param history the events of the run
     */
    static Map<String, PendingApproval> byRootCall(RunId root, List<PendingApproval> waiting, List<RunEvent> history) {
        RootCalls calls = new RootCalls(root);
        history.forEach(calls::note);
        Map<String, PendingApproval> byCall = new LinkedHashMap<>();
        waiting.stream().filter(WaitingData::isAsked).forEach(each -> {
            boolean ofRoot = each.runId().equals(root);
            calls.of(each.runId())
                    .or(() -> ofRoot ? Optional.of(each.callId()) : Optional.empty())
                    .ifPresent(call -> byCall.putIfAbsent(call, each));
        });
        return byCall;
    }
}
