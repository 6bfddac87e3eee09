package dev.chargehand.verify.races;

import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the store has of a run and its descendants.
 *
 * @param status of the root run
 * @param below the path and status of each nested run that has not ended
 * @param decided every answer stored
 * @param closed every end of a call stored
 */
record Recorded(RunStatus status, List<String> below, List<Fact.CallDecided> decided, List<Fact.CallClosed> closed) {

    static Recorded of(Store store, RunId root) {
        RunStatus status = store.find(root).orElseThrow().status();
        List<String> below = new ArrayList<>();
        List<Fact.CallDecided> decided = new ArrayList<>();
        List<Fact.CallClosed> closed = new ArrayList<>();
        for (RunRecord run : store.list(RunFilter.ALL.tree(root))) {
            if (!run.isRoot() && !run.status().isEnded()) {
                below.add(run.path() + " " + run.status());
            }
            store.read(run.runId(), 0).forEach(entry -> {
                switch (FactCodec.read(entry)) {
                    case Fact.CallDecided fact -> decided.add(fact);
                    case Fact.CallClosed fact -> closed.add(fact);
                    default -> {}
                }
            });
        }
        return new Recorded(status, List.copyOf(below), List.copyOf(decided), List.copyOf(closed));
    }

    /** Return the answers to one call. */
    List<CallAnswer> answers(String callId) {
        return decided.stream()
                .filter(fact -> fact.callId().equals(callId))
                .map(Fact.CallDecided::answer)
                .toList();
    }

    /** Return the data of the answers to one call. */
    List<Json> data(String callId) {
        return decided.stream()
                .filter(fact -> fact.callId().equals(callId))
                .map(Fact.CallDecided::data)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Return who gave the answers to one call. */
    List<String> approvers(String callId) {
        return decided.stream()
                .filter(fact -> fact.callId().equals(callId))
                .map(fact -> String.valueOf(fact.approver()))
                .toList();
    }

    /** Return how often a call is said to be over. */
    long ends(String callId) {
        return closed.stream().filter(fact -> fact.callId().equals(callId)).count();
    }
}
