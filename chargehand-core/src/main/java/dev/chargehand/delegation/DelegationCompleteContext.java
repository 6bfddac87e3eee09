package dev.chargehand.delegation;

import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.ToolOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A delegation that has ended.
 *
 * @param run the supervisor's run
 * @param step the number of the supervisor's step, from 1
 * @param callId our id of the call
 * @param agentId the sub-agent's id
 * @param key the sub-agent's key in its supervisor
 * @param prompt what the sub-agent was asked for
 * @param childRunId the sub-agent's run
 * @param stopReason exactly why the sub-agent's run ended
 * @param text its answer, or what there is of it
 * @param failure what the supervisor's model is told if there is no complete answer, else null
 * @param usage the tokens of the sub-agent's run and everything below it
 * @param toolResults how the sub-agent's own tool calls ended, in order
 * @param thread the sub-agent's thread, or null
 * @param duration from the intent to the end
 * @param messages the supervisor's conversation so far, without instructions
 */
public record DelegationCompleteContext(
        RunInfo run,
        int step,
        String callId,
        String agentId,
        String key,
        String prompt,
        RunId childRunId,
        StopReason stopReason,
        String text,
        @Nullable String failure,
        Usage usage,
        List<ToolOutcome> toolResults,
        @Nullable String thread,
        Duration duration,
        List<Message> messages) {

    public DelegationCompleteContext {
        toolResults = List.copyOf(toolResults);
        messages = List.copyOf(messages);
    }

    /** Tells whether there is a complete answer. */
    public boolean isSuccess() {
        return failure == null;
    }

    /** Returns what the supervisor's model is told if there is no complete answer. */
    public Optional<String> error() {
        return Optional.ofNullable(failure);
    }

    /** Returns the sub-agent's thread, if it has one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(thread);
    }

    /** Returns the verdict that takes the result as it is. */
    public DelegationVerdict accept() {
        return DelegationVerdict.accept();
    }

    /** Returns the verdict that makes the sub-agent's text the answer of the supervisor's run. */
    public DelegationVerdict bail() {
        return DelegationVerdict.bail();
    }
}
