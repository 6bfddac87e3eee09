package dev.chargehand.internal.scope;

import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.CallState;
import java.util.List;

/** The ends of the open runs below a run that is about to end, which are stored together with its own. */
public interface ChildEnds {

    /** Return what the run above stores about the child run of one of its calls. */
    ChildEnd of(CallState call);

    /** Return the journals to which the ends were added: a run precedes the one above it. */
    List<Journal> journals();

    /** Emit the ends, once they are stored, and call the hooks of those runs. */
    void narrate();
}
