package dev.chargehand.internal.state;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a tool call stands.
 *
 * @param call what the model asked for
 * @param opened the intent, or null if there is none yet, or none since it last waited
 * @param parked what it waits or last waited for, or null if it never did
 * @param decided the answer to that, or null if there is none yet
 * @param closed the end, or null if there is none yet
 * @param reference the id under which later delegations may name the result, or null if it has none
 * @param retried the last attempt that failed and that another one follows, or null if there is none
 * @param answered the last question for data that was answered, and the answer, or null if there is none
 */
public record CallState(
        RequestedCall call,
        Fact.@Nullable CallOpened opened,
        Fact.@Nullable CallParked parked,
        Fact.@Nullable CallDecided decided,
        Fact.@Nullable CallClosed closed,
        @Nullable String reference,
        RoundFact.@Nullable CallRetried retried,
        @Nullable Answered answered) {

    /** What the name of a sub-agent's tool starts with. */
    public static final String AGENT_PREFIX = "agent-";

    /** What the name of a workflow's tool starts with. */
    public static final String WORKFLOW_PREFIX = "workflow-";

    /** Until when a call waits that pauses: until it is woken. */
    public static final Instant NO_TIME = Instant.ofEpochSecond(253_402_214_400L); // 9999-12-31T00:00:00Z

    /** A question of a call, and the data that it got. */
    public record Answered(Fact.CallParked question, Fact.CallDecided answer) {}

    static CallState of(RequestedCall call) {
        return new CallState(call, null, null, null, null, null, null, null);
    }

    CallState after(Fact.CallOpened fact) {
        return new CallState(call, fact, parked, decided, null, null, retried, answered);
    }

    CallState after(Fact.CallParked fact) {
        return new CallState(call, null, fact, null, null, null, retried, answered);
    }

    CallState after(Fact.CallDecided fact) {
        Answered last = parked != null && fact.answer() == CallAnswer.DATA ? new Answered(parked, fact) : answered;
        return new CallState(call, null, parked, fact, null, null, retried, last);
    }

    CallState after(Fact.CallClosed fact, @Nullable String newReference) {
        return new CallState(call, opened, parked, decided, fact, newReference, retried, answered);
    }

    CallState after(RoundFact.CallRetried fact) {
        return new CallState(call, null, parked, decided, null, null, fact, answered);
    }

    /** Return the number of the attempt that is being made, or is the next, from 1. */
    public int attempt() {
        return retried == null ? 1 : retried.attempt() + 1;
    }

    /** Return the revision of a working memory that the result of an edit says; versions before this one stored a sentence. */
    public static Optional<Long> revisionIn(Json output) {
        return output.at("/revision")
                .map(Json::text)
                .filter(number -> number.matches("[0-9]{1,18}"))
                .map(Long::parseLong);
    }

    /** Return the call's id. */
    public String callId() {
        return call.callId();
    }

    /** Return whether nothing has been decided about the call, or nothing yet about what was answered. */
    public boolean isUnopened() {
        return opened == null && closed == null && !isParked();
    }

    /** Return whether the call waits: for an answer from outside, or for a time. */
    public boolean isParked() {
        return parked != null && decided == null && closed == null;
    }

    /** Return whether a wait of the call is over by a decision; it may have waited again since. */
    public boolean isDecided(int waitNumber) {
        return parked != null
                && (parked.waitNumber() > waitNumber || (parked.waitNumber() == waitNumber && decided != null));
    }

    /** Return whether the call waits for a time. */
    public boolean isTimed() {
        return isParked() && parked != null && parked.kind() == WaitKind.TIMER;
    }

    /** Return whether the call pauses, or has paused and did not wait for anything since. */
    public boolean isPaused() {
        return parked != null && parked.expiresAt().equals(NO_TIME);
    }

    /** Return whether the call is over and is that of an entry which only waits for a time. */
    public boolean isSleep() {
        return closed != null
                && opened == null
                && retried == null
                && (parked == null ? !closed.hasFailed() : parked.kind() == WaitKind.TIMER && !isPaused());
    }

    /** Return the answer if it is that the call is not to be executed. */
    public Optional<Fact.CallDecided> refusal() {
        return Optional.ofNullable(decided)
                .filter(answer -> answer.answer() == CallAnswer.DECLINED || answer.answer() == CallAnswer.EXPIRED);
    }

    /** Return whether the call waits and has done so for too long. */
    public boolean isExpired(Instant now) {
        return parked != null && isParked() && !parked.expiresAt().isAfter(now);
    }

    /** Return whether the call has been executed, or started, before it last waited. */
    public boolean hasStarted() {
        return parked != null && (parked.kind() == WaitKind.DATA || parked.kind() == WaitKind.INTERRUPTED);
    }

    /** Return whether the call may be executed. */
    public boolean isRunnable() {
        return opened != null && closed == null;
    }

    /** Return whether the call is over. */
    public boolean isClosed() {
        return closed != null;
    }

    /** Return whether the call is not over. */
    public boolean isPending() {
        return closed == null;
    }

    /** Return whether the call is a delegation that has started and is not over. */
    public boolean isOpenDelegation() {
        return isRunnable() && opened != null && opened.child() != null && opened.kind() != CallKind.TASK;
    }

    /** Return whether the call starts a background task, whose run is not below this one. */
    public boolean isTask() {
        return opened != null && opened.kind() == CallKind.TASK;
    }

    /** Return whether the call, or an earlier attempt of it, may have started a nested run. */
    boolean mayHaveNestedRun() {
        return retried != null || (opened != null && opened.child() != null && !isTask());
    }

    /** Return whether a call of a model asks for a delegation. */
    public boolean isDelegation() {
        return call.name().startsWith(AGENT_PREFIX);
    }

    /** Return the key of the sub-agent that a delegation asks for. */
    public String agentKey() {
        return call.name().substring(AGENT_PREFIX.length());
    }

    /** Return the key of the sub-agent or workflow that a call of a model asks for. */
    public String childKey() {
        return isDelegation() ? agentKey() : call.name().substring(WORKFLOW_PREFIX.length());
    }

    /** Return the name of the sub-agent of an opened delegation, else the key of the sub-agent. */
    public String agentName() {
        return opened == null || opened.child() == null
                ? agentKey()
                : opened.child().displayName();
    }

    /** Return the time from the intent to the end; zero if the call was never executed or is not over. */
    public Duration duration() {
        return closed == null ? Duration.ZERO : durationUntil(closed.at());
    }

    /** Return the time from the intent until then; zero if there is no intent. */
    public Duration durationUntil(Instant end) {
        return opened == null || end.isBefore(opened.at()) ? Duration.ZERO : Duration.between(opened.at(), end);
    }

    /** Return the opened delegation's run and what the hooks decided about it. */
    public ChildLink child() {
        if (opened == null || opened.child() == null) {
            throw new IllegalStateException("Call " + callId() + " is no opened delegation.");
        }
        return opened.child();
    }
}
