package dev.chargehand.hook;

import dev.chargehand.error.DelegationException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.ToolOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A delegation that has ended. The prompt is the one that the sub-agent received. */
public interface DelegationCompleteContext extends DelegationContext {

    /** Return the id of the sub-agent's run. */
    RunId childRunId();

    /** Return why the sub-agent's run ended. */
    StopReason stopReason();

    /** Return the sub-agent's answer; the part that exists if it is not complete. */
    String text();

    /**
     * Return the failure if there is no complete answer. Its message is the text that the supervisor's model receives,
     * and its cause is the exception that made the sub-agent's run fail, if it failed in this process.
     */
    Optional<DelegationException> error();

    /** Return the tokens of the sub-agent's run and its descendants. */
    Usage usage();

    /** Return the outcomes of the sub-agent's own tool calls, in order. */
    List<ToolOutcome> toolResults();

    /** Return the sub-agent's thread, if it has one. */
    Optional<String> threadId();

    /** Return the time from the intent to the end. */
    Duration duration();

    /** Return whether the answer is complete. */
    default boolean isSuccess() {
        return error().isEmpty();
    }

    /** Return the verdict that accepts the result unchanged. */
    default DelegationVerdict accept() {
        return DelegationVerdict.accept();
    }

    /** Return the verdict that makes the sub-agent's text the answer of the supervisor's run. */
    default DelegationVerdict bail() {
        return DelegationVerdict.bail();
    }
}
