package dev.chargehand.event;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Scope;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a run.
 *
 * <p>Events of nested runs appear in the stream of the root run as they happen, with their own path. The reported fact is
 * stored before the event is emitted, except for deltas. Starts and ends match over a run; ends carry durations. The last event
 * of a stream is always {@link RunFinish} or {@link RunSuspend}, or {@link RunReleased} if this process left the run before.
 *
 * <p>Later versions add events and components. {@link #type()} is the contract: the stable name on the wire. A {@code switch} over
 * the types needs a {@code default} branch:
 * <pre>{@code
 * switch (event) {
 *     case RunEvent.TextDelta d -> out.print(d.text());
 *     default -> {}
 * }
 * }</pre>
 */
public sealed interface RunEvent {

    /** Return where and when it happened. */
    Origin origin();

    /** Return the name on the wire, such as {@code text-delta}; in a network, many have another than elsewhere. */
    default String type() {
        return WireName.of(this);
    }

    /** Return the run it is about. */
    default RunId runId() {
        return origin().runId();
    }

    /** Return the tenant that the run belongs to. */
    default String tenantId() {
        return origin().tenantId();
    }

    /** Return the agent it is about, from the root. */
    default AgentPath path() {
        return origin().path();
    }

    /** Return the step it belongs to, from 1; 0 before the first. */
    default int step() {
        return origin().step();
    }

    /** Return when it happened. */
    default Instant time() {
        return origin().time();
    }

    /** Return the event as one flat JSON object: its wire name, its origin, then its own fields; durations in ms. */
    default Json toJson() {
        return EventJson.of(this);
    }

    /** A run starts. {@code parentRunId} is null for a root run, {@code forkedFrom} without a fork, {@code version} without one. */
    record RunStart(
            Origin origin,
            String agentId,
            String agentName,
            @Nullable RunId parentRunId,
            @Nullable String threadId,
            @Nullable ForkOrigin forkedFrom,
            @Nullable String version)
            implements RunEvent {}

    /** A run continues after a crash or a suspension; the first event of its stream. */
    record RunResume(Origin origin, String agentId, String agentName) implements RunEvent {}

    /**
     * A run ended; the last event of a stream is the one of its root run. {@code unread} has the ids of the messages to the
     * run that did not become part of its conversation; it is empty if the run ended by itself.
     */
    record RunFinish(
            Origin origin,
            RunStatus status,
            StopReason stopReason,
            String text,
            Usage totalUsage,
            Duration duration,
            List<String> unread)
            implements RunEvent {
        public RunFinish {
            unread = List.copyOf(unread);
        }
    }

    /**
     * A run waits for answers from outside; the last event of the stream, if it is of the root run. {@code pending} is what it
     * and its descendants wait for, {@code duration} the active time so far.
     */
    record RunSuspend(Origin origin, List<PendingApproval> pending, Usage totalUsage, Duration duration)
            implements RunEvent {
        public RunSuspend {
            pending = List.copyOf(pending);
        }
    }

    /** This process left a root run that has not ended: the last event of a stream. It is not stored. */
    record RunReleased(Origin origin) implements RunEvent {}

    /** A reader continues; provisional events that were not superseded are void, with {@code reset} all: they start again. */
    record StreamResumed(Origin origin, boolean reset) implements RunEvent {}

    /**
     * A run failed; its {@link RunFinish} follows.
     *
     * @param providerMessage the provider's own words if a model call failed and the provider explained it, else null;
     *     for the application, which must not forward them to its clients
     */
    record Error(
            Origin origin,
            String code,
            String message,
            boolean retryable,
            @Nullable String providerMessage) implements RunEvent {}

    /** A run was cancelled; its {@link RunFinish} follows. */
    record Abort(Origin origin, String by) implements RunEvent {}

    /** A step of an agent with sub-agents starts. */
    record IterationStart(Origin origin, int maxSteps) implements RunEvent {}

    /**
     * A step of an agent with sub-agents is decided.
     *
     * @param stopReason why the run ends with it, or null if the run continues
     * @param decision {@code proceed} or {@code stop}, as {@code onIterationComplete} decided; null if it did not
     * @param feedback what hooks and scorers report the model before it is called again
     */
    record IterationEnd(
            Origin origin,
            @Nullable StopReason stopReason,
            @Nullable String decision,
            List<String> feedback,
            Duration duration)
            implements RunEvent {
        public IterationEnd {
            feedback = List.copyOf(feedback);
        }
    }

    /** A step starts: the model is called. */
    record StepStart(Origin origin) implements RunEvent {}

    /** A step is decided and stored, or cut short by the end of the run ({@code finishReason} aborted or failed). */
    record StepFinish(Origin origin, String finishReason, int toolCalls, Usage usage, Duration duration)
            implements RunEvent {}

    /** A model call failed and is made again, or the next model is called; what the step streamed so far is void. */
    record StepRetry(Origin origin, int attempt, String model, String code, Duration delay) implements RunEvent {}

    /** A text starts to arrive. */
    record TextStart(Origin origin, String textId) implements RunEvent {}

    /** More of a text. */
    record TextDelta(Origin origin, String textId, String text) implements RunEvent {}

    /** A text is complete, or will not continue. */
    record TextEnd(Origin origin, String textId, Duration duration) implements RunEvent {}

    /** Reasoning starts to arrive. */
    record ReasoningStart(Origin origin, String textId) implements RunEvent {}

    /** More of the reasoning. */
    record ReasoningDelta(Origin origin, String textId, String text) implements RunEvent {}

    /** The reasoning is complete, or will not continue. */
    record ReasoningEnd(Origin origin, String textId, Duration duration) implements RunEvent {}

    /** The arguments of a tool call start to arrive; {@code index} is the call's place in the answer. */
    record ToolCallInputStart(Origin origin, String callId, int index, String toolName) implements RunEvent {}

    /** More of a call's arguments. */
    record ToolCallDelta(Origin origin, String callId, int index, String fragment) implements RunEvent {}

    /** A call's arguments are complete, or will not continue. */
    record ToolCallInputEnd(Origin origin, String callId, int index, Duration duration) implements RunEvent {}

    /** The model called a tool. {@code arguments} is what it wrote, JSON or not. */
    record ToolCall(Origin origin, String callId, String toolName, String arguments) implements RunEvent {}

    /** A call waits for approval. Other calls continue. */
    record ToolCallApproval(Origin origin, PendingApproval approval) implements RunEvent {}

    /** A tool asked for data, and its call waits for it. */
    record ToolCallSuspended(Origin origin, PendingApproval approval) implements RunEvent {}

    /**
     * A waiting call was answered, or has expired. The outcome follows.
     *
     * @param answer what was answered, as one word: approved, declined, data or expired
     * @param approver the approver, or null if the call expired
     * @param reason why it was declined, or approved if a reason was given; else null
     * @param from {@code message} if a model made the data of a message of the conversation, or null
     */
    record ToolCallAnswered(
            Origin origin,
            String callId,
            String toolName,
            String answer,
            @Nullable String approver,
            @Nullable String reason,
            @Nullable String from)
            implements RunEvent {}

    /** A tool finished. {@code output} is the whole result. */
    record ToolResult(Origin origin, String callId, String toolName, Json output, Duration duration)
            implements RunEvent {}

    /** A call failed, was rejected or never ran; {@code message} is for the model, and {@code detail} is not. */
    record ToolError(
            Origin origin,
            String callId,
            String toolName,
            String message,
            @Nullable String detail,
            Duration duration) implements RunEvent {}

    /** A sub-agent is about to start. */
    record DelegationStart(Origin origin, DelegatedCall call, String prompt) implements RunEvent, DelegationEvent {}

    /** A sub-agent has ended. {@code text} is its answer, or the part of it that exists. */
    record DelegationEnd(
            Origin origin, DelegatedCall call, StopReason stopReason, String text, Usage usage, Duration duration)
            implements RunEvent, DelegationEvent {

        /** Return the status of the sub-agent's run. */
        public RunStatus status() {
            return stopReason.status();
        }
    }

    /** A hook rejected a delegation: the sub-agent is not called; the call's {@link ToolError} follows. */
    record DelegationRejected(Origin origin, String callId, String agentId, String agentName, String reason)
            implements RunEvent {}

    /** The text of a delegation is the run's answer. */
    record DelegationBail(Origin origin, String callId, String agentId, String agentName, String text)
            implements RunEvent {}

    /** A hook or a human rejected a call of a tool: nothing is executed; the call's {@link ToolError} follows. */
    record ToolOutputDenied(Origin origin, String callId, String toolName, String reason) implements RunEvent {}

    /** Scorers are about to look at the step's answer. */
    record ScoringStart(Origin origin, List<String> scorers) implements RunEvent {
        public ScoringStart {
            scorers = List.copyOf(scorers);
        }
    }

    /**
     * Scorers have looked at the step's answer, or the run was ended before they had.
     *
     * @param complete whether they found the task complete
     * @param results what each said; empty if the run was ended before
     * @param usage the tokens that judges used
     */
    record ScoringComplete(Origin origin, boolean complete, List<ScorerResult> results, Usage usage, Duration duration)
            implements RunEvent {
        public ScoringComplete {
            results = List.copyOf(results);
        }
    }

    /** More of the structured answer of a run: strings may be cut, arrays and objects lack what has not arrived. */
    record PartialObject(Origin origin, Json object) implements RunEvent {}

    /**
     * The structured answer of a run was validated; emitted with the end of its last step.
     *
     * @param object the object; null if there is none
     * @param fallback whether the object is the fallback value
     * @param problem what was wrong with the answer; null if it fits
     * @param usage the tokens that a structuring model used
     */
    record ObjectResult(
            Origin origin,
            @Nullable Json object,
            boolean fallback,
            @Nullable String problem,
            Usage usage) implements RunEvent {}

    /** A step of a network starts: its router is called. */
    record RoutingAgentStart(Origin origin, int maxSteps) implements RunEvent {}

    /**
     * The router of a network has decided. All is null if it made no decision: its answer was cut, or the last, or none.
     *
     * @param primitiveId the key of a sub-agent, or the name of a tool; the router's text if it chose none
     * @param primitiveType what it chose
     * @param prompt what the primitive is to do; the answer, if it chose none
     */
    record RoutingAgentEnd(
            Origin origin,
            @Nullable String primitiveId,
            @Nullable PrimitiveType primitiveType,
            @Nullable String prompt,
            @Nullable String selectionReason,
            Duration duration)
            implements RunEvent {}

    /**
     * A step of a network is decided and stored, or was cut short by the end of the run; {@code
     * network-execution-event-step-finish} on the wire.
     *
     * @param primitiveId what the router chose, or null if it decided nothing
     * @param text the result of the primitive, or the router's own answer; empty if it failed
     * @param decision the decision about the step
     * @param usage the tokens of the router's decision
     */
    record NetworkStepFinish(
            Origin origin,
            @Nullable String primitiveId,
            @Nullable PrimitiveType primitiveType,
            String text,
            StepDecision decision,
            Usage usage,
            Duration duration)
            implements RunEvent {}

    /** A network is over, and neither failed nor was cancelled; {@code network-execution-event-finish} on the wire. */
    record NetworkFinish(
            Origin origin, String text, StopReason stopReason, int iterations, Usage totalUsage, Duration duration)
            implements RunEvent {}

    /**
     * A processor blocked a text.
     *
     * @param phase the method that was called, such as {@code processOutputStep}
     * @param retry whether the model answers again, or the run ends; the text of the step is void either way
     * @param metadata what the processor had for the application, or null
     */
    record Tripwire(
            Origin origin,
            String processor,
            String phase,
            String reason,
            boolean retry,
            @Nullable Json metadata) implements RunEvent {}

    /** A hook, predicate or listener threw or took too long. */
    record HookError(Origin origin, String hook, String message) implements RunEvent {}

    /**
     * A model call was made, with {@code usage} tokens and so many attempts, those that failed included; {@code model} is
     * empty if the run ended with answers that were no decision of a network.
     */
    record UsageReport(Origin origin, String model, Usage usage, int attempts) implements RunEvent {}

    /** Earlier messages were searched by their meaning; {@code usage} has the tokens of all models of memory before this. */
    record MemoryRecall(Origin origin, List<RecalledMessages> hits, Usage usage, Duration duration)
            implements RunEvent {}

    /** A part of the memory is missing in the run, which continues without it. */
    record MemoryProblem(Origin origin, String problem) implements RunEvent {}

    /** The model changed its working memory; {@code revision} is the number of the text that its call made. */
    record WorkingMemoryUpdate(Origin origin, String callId, long revision, Scope scope) implements RunEvent {}

    /** A model gave the thread of the run a title. It is work after the run, so the event is often too late for it. */
    record ThreadTitle(Origin origin, String threadId, String title) implements RunEvent {}

    /** The run waits for a model that writes observations of messages of its thread; work after the run has no events. */
    record ObservationStart(Origin origin, String threadId, long from, long to) implements RunEvent {}

    /** They are observed, by this model or by another process that was faster; {@code usage} has the tokens of the model. */
    record ObservationEnd(Origin origin, String threadId, long from, long to, Usage usage, Duration duration)
            implements RunEvent {}

    /** They are not, and the run sees the messages, or the last of them. */
    record ObservationFailed(Origin origin, String threadId, long from, long to, String problem) implements RunEvent {}

    /** An event that only the run of a workflow has. */
    sealed interface OfWorkflow extends RunEvent permits WorkflowEvent {}

    /** An event of a background task. */
    sealed interface OfTask extends RunEvent permits BackgroundTaskEvent, Idle {}

    /** Something an application reports, named {@code data-<name>} on the wire. */
    record Data(Origin origin, String name, Json value) implements RunEvent {}
}
