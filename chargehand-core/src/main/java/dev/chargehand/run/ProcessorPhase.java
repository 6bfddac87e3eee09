package dev.chargehand.run;

/** The phase in which a processor was called. */
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

    /** Return the name of the method that was called, used in events, errors and stop reasons. */
    public String key() {
        return key;
    }
}
