package dev.chargehand.run;

/** Where a processor was asked. */
public enum ProcessorPhase {
    /** About the input of a run. */
    INPUT("processInput"),
    /** About the conversation before a model call. */
    INPUT_STEP("processInputStep"),
    /** About a text while it arrived. */
    OUTPUT_STREAM("processOutputStream"),
    /** About the answer of a step. */
    OUTPUT_STEP("processOutputStep"),
    /** About the answer of the run. */
    OUTPUT_RESULT("processOutputResult");

    private final String key;

    ProcessorPhase(String key) {
        this.key = key;
    }

    /** Returns the name of the method that was asked, used in events, errors and stop reasons. */
    public String key() {
        return key;
    }

    /**
     * Returns the phase of a key.
     *
     * @throws IllegalArgumentException if there is none
     */
    static ProcessorPhase of(String key) {
        for (ProcessorPhase phase : values()) {
            if (phase.key.equals(key)) {
                return phase;
            }
        }
        throw new IllegalArgumentException("There is no processor phase '" + key + "'.");
    }
}
