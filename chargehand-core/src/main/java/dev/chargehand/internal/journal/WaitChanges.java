package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.store.WaitingCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which calls wait after the facts of an append, and which do not any more. */
final class WaitChanges {

    private final Map<String, WaitingCall> started = new LinkedHashMap<>(0);
    private final List<String> over = new ArrayList<>(0);

    void add(Journal.Stored stored) {
        switch (stored.fact()) {
            case Fact.CallParked parked -> started.put(parked.callId(), WaitingCalls.listed(stored.after(), parked));
            case Fact.CallDecided decided -> end(decided.callId());
            case Fact.CallClosed closed -> {
                if (stored.after().isOpen()
                        && stored.after().openCall(closed.callId()).parked() != null) {
                    end(closed.callId());
                }
            }
            default -> {}
        }
    }

    private void end(String callId) {
        if (started.remove(callId) == null) {
            over.add(callId);
        }
    }

    List<WaitingCall> started() {
        return List.copyOf(started.values());
    }

    List<String> over() {
        return over;
    }
}
