package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.run.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the facts that close what is open: of a run that ends in mid-step, and of calls that a crash interrupted. */
public final class Ending {

    private Ending() {}

    /** Closes every open call, so that no call in the transcript is without its result, and stops the run. */
    public static List<Fact> of(State state, StopReason reason, String partialText, Spent spent, Instant at) {
        List<Fact> facts = new ArrayList<>();
        if (state.open() != null) {
            for (CallState call : state.open().calls()) {
                if (call.isUnopened()) {
                    facts.add(Fact.CallClosed.failed(
                            call.callId(), "The run was ended before this call was executed.", null, at));
                } else if (call.isRunnable()) {
                    facts.add(new Fact.CallClosed(
                            call.callId(),
                            null,
                            null,
                            "The run was ended while this call was being executed; its outcome is unknown.",
                            null,
                            null,
                            endOfChild(call, reason),
                            null,
                            at));
                }
            }
        }
        facts.add(new Fact.Stopped(reason, partialText, spent, at));
        return facts;
    }

    /** A delegation ends for the reason that ended what stands above it, if it could not say its own any more. */
    static Fact.@Nullable ChildEnd endOfChild(CallState call, StopReason reason) {
        Fact.ChildLink child = call.opened() == null ? null : call.opened().child();
        return child == null
                ? null
                : new Fact.ChildEnd(child.runId(), child.agentId(), reason.status(), reason, "", Spent.NOTHING);
    }

    /** Closes the calls that were being executed when their owner died and that may not be executed again. */
    public static List<Fact> ofInterrupted(State state, Instant at) {
        return state.runnable().stream()
                .filter(call -> call.opened() != null && call.opened().kind() == CallKind.UNSAFE)
                .map(call -> (Fact) Fact.CallClosed.failed(
                        call.callId(),
                        "The process died while this call was being executed; its outcome is unknown, and it was not "
                                + "executed again. Find out what it did before you call it again.",
                        null,
                        at))
                .toList();
    }
}
