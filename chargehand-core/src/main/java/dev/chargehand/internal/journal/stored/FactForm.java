package dev.chargehand.internal.journal.stored;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import java.util.Optional;

/** The types of stored facts: a name, the version that is written, and the record that holds it. */
public enum FactForm {
    STARTED("started", 17),
    EXECUTION_STARTED("begun", 3),
    SUSPENDED("suspended", 1),
    RESUMED("resumed", 2),
    SAID("said", 2),
    RECALLED("recalled", 3),
    ANSWERED("answered", 2),
    PROCESSED("processed", 1),
    CALL_OPENED("call-opened", 5),
    CALL_PARKED("call-parked", 2),
    CALL_DECIDED("call-decided", 4),
    CALL_CLOSED("call-closed", 6),
    STEP_CLOSED("step-closed", 5),
    STOPPED("stopped", 4),
    PLANNED("planned", 2),
    CALL_RETRIED("call-retried", 3),
    ROUND_CLOSED("round-closed", 1);

    private final String key;
    private final int version;

    FactForm(String key, int version) {
        this.key = key;
        this.version = version;
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

    /** Return the record to which the JSON is bound. Not a field: a process that reads no facts loads none of these. */
    public Class<? extends StoredFact> type() {
        return switch (this) {
            case STARTED -> StoredStarted.class;
            case EXECUTION_STARTED -> StoredExecution.ExecutionStarted.class;
            case SUSPENDED -> StoredExecution.Suspended.class;
            case RESUMED -> StoredExecution.Resumed.class;
            case SAID -> StoredSaid.class;
            case RECALLED -> StoredRecalled.class;
            case ANSWERED -> StoredAnswered.class;
            case PROCESSED -> StoredProcessed.class;
            case CALL_OPENED -> StoredCallOpened.class;
            case CALL_PARKED -> StoredCallParked.class;
            case CALL_DECIDED -> StoredCallDecided.class;
            case CALL_CLOSED -> StoredCallClosed.class;
            case STEP_CLOSED -> StoredStepClosed.class;
            case STOPPED -> StoredStopped.class;
            case PLANNED -> StoredRound.Planned.class;
            case CALL_RETRIED -> StoredRound.CallRetried.class;
            case ROUND_CLOSED -> StoredRound.RoundClosed.class;
        };
    }
}
