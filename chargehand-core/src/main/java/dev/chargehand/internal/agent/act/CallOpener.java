package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import java.util.List;

/** Decides whether calls may be executed. Thread-safe: calls of one step may be decided side by side. */
public interface CallOpener {

    /** Return whether deciding about one of the calls calls foreign code, which may take long. */
    boolean callsForeignCode(List<CallState> calls);

    /** Return the intent, the refusal, or that the call must wait. */
    Fact open(State state, CallState call);
}
