package dev.chargehand.internal.journal.stored;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;

/**
 * A fact as it is stored. Each component of a stored record has the literal key under which it is written, so that the
 * types of the domain can be changed and renamed. A component is never renamed or removed; docs/adr/0025 says how a
 * form is changed.
 */
public sealed interface StoredFact
        permits StoredStarted,
                StoredExecution.ExecutionStarted,
                StoredExecution.Suspended,
                StoredExecution.Resumed,
                StoredSaid,
                StoredRecalled,
                StoredAnswered,
                StoredProcessed,
                StoredCallOpened,
                StoredCallParked,
                StoredCallDecided,
                StoredCallClosed,
                StoredStepClosed,
                StoredStopped,
                StoredRound.Planned,
                StoredRound.CallRetried,
                StoredRound.RoundClosed {

    /** Return the stored form of a fact. */
    static StoredFact of(Fact fact) {
        return switch (fact) {
            case Fact.Started started -> StoredStarted.of(started);
            case Fact.ExecutionStarted execution -> StoredExecution.ExecutionStarted.of(execution);
            case Fact.Suspended suspended -> StoredExecution.Suspended.of(suspended);
            case Fact.Resumed resumed -> StoredExecution.Resumed.of(resumed);
            case Fact.Said said -> StoredSaid.of(said);
            case Fact.Recalled recalled -> StoredRecalled.of(recalled);
            case Fact.Answered answered -> StoredAnswered.of(answered);
            case Fact.Processed processed -> StoredProcessed.of(processed);
            case Fact.CallOpened callOpened -> StoredCallOpened.of(callOpened);
            case Fact.CallParked callParked -> StoredCallParked.of(callParked);
            case Fact.CallDecided callDecided -> StoredCallDecided.of(callDecided);
            case Fact.CallClosed callClosed -> StoredCallClosed.of(callClosed);
            case Fact.StepClosed stepClosed -> StoredStepClosed.of(stepClosed);
            case Fact.Stopped stopped -> StoredStopped.of(stopped);
            case RoundFact.Planned planned -> StoredRound.Planned.of(planned);
            case RoundFact.CallRetried retried -> StoredRound.CallRetried.of(retried);
            case RoundFact.RoundClosed closed -> StoredRound.RoundClosed.of(closed);
        };
    }

    /** Return the fact. Throws any exception if a part is missing or not valid. */
    Fact toFact();
}
