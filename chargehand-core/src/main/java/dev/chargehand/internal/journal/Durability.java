package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.store.RunRecord;
import org.jspecify.annotations.Nullable;

/** Decides which facts must survive a power cut of the machine. One that does keeps all before it, since a store keeps the order. */
final class Durability {

    private Durability() {}

    /**
     * Return whether a power cut may not take back the first facts of a run: those of a root run, which are acknowledged to a caller. A nested
     * run is started again by the call that it belongs to, unless something of it had to survive.
     */
    static boolean isNeeded(@Nullable RunRecord newRun) {
        return newRun != null && newRun.isRoot();
    }

    /**
     * Return whether a power cut may not take a fact back: the intent of a call that is never repeated, and what a
     * caller outside is called or has answered. The work of other lost facts is done again.
     */
    static boolean isNeeded(Fact fact) {
        return switch (fact) {
            case Fact.CallOpened opened -> opened.kind() == CallKind.UNSAFE;
            case Fact.CallParked ignored -> true;
            case Fact.CallDecided ignored -> true;
            default -> false;
        };
    }
}
