package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.Fact;

/** Decides which facts must survive a power cut of the machine. */
final class Durability {

    private Durability() {}

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
