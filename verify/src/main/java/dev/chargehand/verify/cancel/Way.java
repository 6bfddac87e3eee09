package dev.chargehand.verify.cancel;

/** How a run is cancelled. */
enum Way {
    /** {@code RunStream.cancel}. */
    STREAM_CANCEL("caller", false),
    /** {@code AgentRuntime.cancel}. */
    RUNTIME_CANCEL("caller", false),
    /** {@code RunStream.close}. */
    STREAM_CLOSE("stream-closed", false),
    /** An interrupt of the thread that reads the events. */
    INTERRUPT_READER("interrupt", true),
    /** An interrupt of the thread that waits in {@code generate}. */
    INTERRUPT_GENERATE("interrupt", true);

    private final String by;
    private final boolean interrupts;

    Way(String by, boolean interrupts) {
        this.by = by;
        this.interrupts = interrupts;
    }

    /** Return what the stop reason says. */
    String by() {
        return by;
    }

    /** Return whether the caller must find its interrupt flag set. */
    boolean interrupts() {
        return interrupts;
    }
}
