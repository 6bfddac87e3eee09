package dev.chargehand.internal.journal.stored;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import java.util.Optional;

/** The types of stored facts: a name, the version that is written, and the record that holds it. */
public enum FactForm {
    STARTED("started", 17, StoredStarted.class),
    EXECUTION_STARTED("begun", 3, StoredExecution.ExecutionStarted.class),
    SUSPENDED("suspended", 1, StoredExecution.Suspended.class),
    RESUMED("resumed", 2, StoredExecution.Resumed.class),
    SAID("said", 2, StoredSaid.class),
    RECALLED("recalled", 3, StoredRecalled.class),
    ANSWERED("answered", 2, StoredAnswered.class),
    PROCESSED("processed", 1, StoredProcessed.class),
    CALL_OPENED("call-opened", 5, StoredCallOpened.class),
    CALL_PARKED("call-parked", 2, StoredCallParked.class),
    CALL_DECIDED("call-decided", 4, StoredCallDecided.class),
    CALL_CLOSED("call-closed", 6, StoredCallClosed.class),
    STEP_CLOSED("step-closed", 5, StoredStepClosed.class),
    STOPPED("stopped", 4, StoredStopped.class),
    PLANNED("planned", 2, StoredRound.Planned.class),
    CALL_RETRIED("call-retried", 3, StoredRound.CallRetried.class),
    ROUND_CLOSED("round-closed", 1, StoredRound.RoundClosed.class);

    private final String key;
    private final int version;
    private final Class<? extends StoredFact> type;

    FactForm(String key, int version, Class<? extends StoredFact> type) {
        this.key = key;
        this.version = version;
        this.type = type;
    }

    /** Return the form of a fact. */
    public static FactForm of(Fact fact) {
        return switch (fact) {
            case Fact.Started ignored -> STARTED;
            case Fact.ExecutionStarted ignored -> EXECUTION_STARTED;
            case Fact.Suspended ignored -> SUSPENDED;
            case Fact.Resumed ignored -> RESUMED;
            case Fact.Said ignored -> SAID;
            case Fact.Recalled ignored -> RECALLED;
            case Fact.Answered ignored -> ANSWERED;
            case Fact.Processed ignored -> PROCESSED;
            case Fact.CallOpened ignored -> CALL_OPENED;
            case Fact.CallParked ignored -> CALL_PARKED;
            case Fact.CallDecided ignored -> CALL_DECIDED;
            case Fact.CallClosed ignored -> CALL_CLOSED;
            case Fact.StepClosed ignored -> STEP_CLOSED;
            case Fact.Stopped ignored -> STOPPED;
            case RoundFact.Planned ignored -> PLANNED;
            case RoundFact.CallRetried ignored -> CALL_RETRIED;
            case RoundFact.RoundClosed ignored -> ROUND_CLOSED;
        };
    }

    /** Return the form of a name, if there is one. */
    public static Optional<FactForm> of(String key) {
        for (FactForm form : values()) {
            if (form.key.equals(key)) {
                return Optional.of(form);
            }
        }
        return Optional.empty();
    }

    /** Return the name under which it is stored. */
    public String key() {
        return key;
    }

    /** Return the version that is written. */
    public int version() {
        return version;
    }

    /** Return the record to which the JSON is bound. */
    public Class<? extends StoredFact> type() {
        return type;
    }
}
