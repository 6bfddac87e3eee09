package dev.chargehand.cli;

import dev.chargehand.cli.live.Typed;
import org.jspecify.annotations.Nullable;

/** Who talks with the agents: types messages, and is told what is no answer of theirs. */
interface Partner {

    /** Returns what is typed next. */
    Typed next();

    /** Tells something; a long line may be broken. */
    void tell(String text);

    /** Returns who can be asked something, or null if nobody can. */
    @Nullable
    Asked asked();

    /** Says what can be done with the keys. */
    String keys();
}
