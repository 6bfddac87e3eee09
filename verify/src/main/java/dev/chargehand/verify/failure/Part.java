package dev.chargehand.verify.failure;

import java.util.List;

/** An interface that is not ours, and of which one call fails. */
enum Part {
    /** The store. */
    STORE(
            "append",
            "read",
            "find",
            "list",
            "claim",
            "claimToWake",
            "release",
            "waiting",
            "deliver",
            "heartbeat",
            "isAlive",
            "findThread",
            "readThread"),
    /** The model. */
    MODEL("ask"),
    /** The tool. */
    TOOL("handle"),
    /** Hooks of every kind. */
    HOOK("apply", "accept", "test"),
    /** The scorer. */
    SCORER("score"),
    /** Processors of every kind. */
    PROCESSOR("process"),
    /** The clock. */
    CLOCK("now", "nanoTime", "schedule"),
    /** What mints ids. */
    IDS("next"),
    /** Who hears events. */
    LISTENER("onEvent");

    private final String methods;

    Part(String... methods) {
        this.methods = String.join(" ", methods);
    }

    /** Return whether calls of a method are counted. */
    boolean counts(String method) {
        return List.of(methods.split(" ", -1)).contains(method);
    }

    /**
     * Return whether a fault can be asked of it. A clock and a source of ids are the runtime's own ground: a run waits
     * for them on its own thread, and there is nothing to measure a limit with when the clock stands. They may be slow
     * or wrong, and throw, but not hang.
     */
    boolean canHave(Fault fault) {
        return switch (this) {
            case CLOCK, IDS -> fault != Fault.HANG;
            case STORE, MODEL, TOOL, HOOK, SCORER, PROCESSOR, LISTENER -> true;
        };
    }

    /** Return whether calls are made by more than one thread, so that which is the nth differs from run to run. */
    boolean isCalledSideBySide() {
        return this == CLOCK || this == STORE;
    }
}
