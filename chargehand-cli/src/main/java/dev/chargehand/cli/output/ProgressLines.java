package dev.chargehand.cli.output;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.result.ResultLine;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts the events that matter to a waiting user into one line each. Used by one thread. */
public final class ProgressLines {

    private static final int LONGEST = 110;
    private static final String AGENT_PREFIX = "agent-";

    private final int widest;
    private final Function<RunEvent, Optional<String>> more;
    private final Set<String> reported = new HashSet<>();
    private @Nullable Instant startedAt;
    private Instant latest = Instant.EPOCH;
    private @Nullable Instant suspendedAt;
    private Duration waited = Duration.ZERO;

    /**
     * Make lines.
     *
     * @param widest how many characters the longest agent path has
     */
    public ProgressLines(int widest) {
        this(widest, event -> Optional.empty());
    }

    /** Create lines with more details: the text of {@code more} replaces the usual one. */
    ProgressLines(int widest, Function<RunEvent, Optional<String>> more) {
        this.widest = widest;
        this.more = more;
    }

    /** The duration of the run so far, by its events. */
    public Duration sinceStart() {
        return startedAt == null ? Duration.ZERO : Duration.between(startedAt, latest);
    }

    /** The part of {@link #sinceStart} in which the run was suspended and waited for an answer. */
    public Duration waited() {
        return waited;
    }

    /** The rest of {@link #sinceStart}. */
    public Duration working() {
        return sinceStart().minus(waited);
    }

    private void waits(RunEvent event) {
        if (event.path().isRoot()) {
            if (event instanceof RunEvent.RunSuspend) {
                suspendedAt = event.time();
            } else if (suspendedAt != null) {
                waited = waited.plus(Duration.between(suspendedAt, event.time()));
                suspendedAt = null;
            }
        }
    }

    /** Return the line of an event; nothing for one that matters only to programs. */
    public Optional<String> of(RunEvent event) {
        if (startedAt == null) {
            startedAt = event.time();
        }
        latest = event.time();
        waits(event);
        Optional<String> usual = said(event);
        return more.apply(event)
                .or(() -> usual)
                .map(said -> Amounts.elapsed(sinceStart()) + "  "
                        + padded(Visible.line(event.path().toString(), 200)) + "  " + said);
    }

    private String padded(String path) {
        return path + " ".repeat(Math.max(0, widest - path.length()));
    }

    private Optional<String> said(RunEvent event) {
        return switch (event) {
            case RunEvent.RunResume e -> Optional.of("resumes its run");
            case RunEvent.DelegationStart e -> {
                reported.add(e.callId());
                yield Optional.of("delegates to " + e.agentId() + ": " + cut(e.prompt()));
            }
            case RunEvent.DelegationEnd e -> {
                reported.add(e.callId()); // it may have started before the run was resumed
                yield Optional.of(delegationEnd(e));
            }
            case RunEvent.ToolCall e ->
                e.toolName().startsWith(AGENT_PREFIX) || e.toolName().equals(WorkingMemory.TOOL)
                        ? Optional.empty() // reported when the sub-agent starts or the note is stored, or as an error
                        : Optional.of("calls " + cut(e.toolName()) + " " + cut(e.arguments()));
            case RunEvent.ToolCallApproval e -> Optional.of("waits for approval of " + asked(e.approval()));
            case RunEvent.ToolCallSuspended e ->
                Optional.of("waits for data for " + asked(e.approval())
                        + e.approval()
                                .payload()
                                .map(payload -> ": " + cut(payload.text()))
                                .orElse(""));
            case RunEvent.ToolCallAnswered e -> Optional.of(answered(e));
            case RunEvent.ToolResult e ->
                reported.contains(e.callId())
                        ? Optional.empty()
                        : Optional.of(
                                e.toolName().equals(WorkingMemory.TOOL)
                                        ? "noted something in its working memory"
                                        : cut(e.toolName()) + " answered in " + Amounts.seconds(e.duration()) + ": "
                                                + cut(ResultLine.of(e.output())));
            case RunEvent.ToolError e ->
                reported.contains(e.callId())
                        ? Optional.empty()
                        : Optional.of(cut(e.toolName()) + " failed after " + Amounts.seconds(e.duration()) + ": "
                                + cut(e.detail() == null ? e.message() : e.message() + " (" + e.detail() + ")"));
            case RunEvent.StepRetry e ->
                Optional.of("attempt " + e.attempt() + " with " + cut(e.model()) + " failed (" + e.code()
                        + "); the next one in " + Amounts.seconds(e.delay()));
            case RunEvent.MemoryRecall e ->
                e.hits().isEmpty()
                        ? Optional.empty()
                        : Optional.of("recalled earlier messages at " + e.hits().size()
                                + (e.hits().size() == 1 ? " place" : " places"));
            case RunEvent.WorkingMemoryUpdate e -> {
                reported.add(e.callId());
                yield Optional.of("noted something in its working memory, revision " + e.revision());
            }
            case RunEvent.ThreadTitle e -> Optional.of("the conversation is called: " + cut(e.title()));
            case RunEvent.ObservationStart ignored -> Optional.empty();
            case RunEvent.ObservationEnd e ->
                Optional.of("observed messages " + e.from() + " to " + (e.to() - 1) + " in "
                        + Amounts.seconds(e.duration()));
            case RunEvent.ObservationFailed ignored -> Optional.empty(); // a problem of the memory follows
            case RunEvent.MemoryProblem e -> Optional.of("memory: " + cut(e.problem()));
            case RunEvent.Tripwire e ->
                Optional.of("processor " + cut(e.processor()) + " blocked the text" + (e.retry() ? ", retrying" : "")
                        + ": " + cut(e.reason()));
            case RunEvent.HookError e -> Optional.of("hook " + cut(e.hook()) + " failed: " + cut(e.message()));
            case RunEvent.DelegationRejected e -> {
                reported.add(e.callId());
                yield Optional.of("may not delegate to " + e.agentId() + ": " + cut(e.reason()));
            }
            case RunEvent.ToolOutputDenied e -> {
                reported.add(e.callId());
                yield Optional.of("may not call " + cut(e.toolName()) + ": " + cut(e.reason()));
            }
            case RunEvent.DelegationBail e -> Optional.of("takes the text of " + e.agentId() + " as the answer");
            case RunEvent.ScoringStart ignored -> Optional.empty();
            case RunEvent.ScoringComplete e -> Optional.of(scores(e));
            case RunEvent.ObjectResult e -> misfit(e);
            case RunEvent.Data e ->
                Optional.of("reports " + cut(e.name()) + ": " + cut(e.value().text()));
            case WorkflowEvent.WorkflowStepStart e ->
                Optional.of(
                        "step " + e.stepPath() + " starts with " + cut(e.input().text()));
            case WorkflowEvent.WorkflowStepResult e ->
                Optional.of("step " + e.stepPath() + (e.error() == null ? " ended" : " failed") + " after "
                        + Amounts.seconds(e.duration()) + ": "
                        + cut(e.error() == null ? String.valueOf(e.output()) : e.error()));
            case WorkflowEvent.WorkflowStepRetry e ->
                Optional.of("step " + e.stepPath() + ": attempt " + e.attempt() + " failed (" + cut(e.error())
                        + "); the next one in " + Amounts.seconds(e.delay()));
            case WorkflowEvent.WorkflowStepWaiting e ->
                Optional.of(
                        "entry " + e.stepPath() + " waits until " + e.until().truncatedTo(ChronoUnit.SECONDS));
            case WorkflowEvent.WorkflowStepSuspended e -> Optional.of("step " + e.stepPath() + awaited(e.approval()));
            case WorkflowEvent.WorkflowStepResumed e -> Optional.of(e.stepPath() + " continues");
            case WorkflowEvent.WorkflowStepSkipped e ->
                Optional.of("entry " + e.entryId() + " leaves out " + String.join(", ", e.steps()));
            case WorkflowEvent.WorkflowStart ignored -> Optional.empty();
            case WorkflowEvent.WorkflowFinish ignored -> Optional.empty();
            case BackgroundTaskEvent.BackgroundTaskStarted e ->
                Optional.of(e.agentId() + " works in the background on task " + e.taskId());
            case BackgroundTaskEvent.BackgroundTaskFailed e ->
                Optional.of("task " + e.taskId() + " of " + e.agentId() + " ended: "
                        + e.stopReason().explanation() + (e.retried() ? " It is tried again." : ""));
            case BackgroundTaskEvent ignored -> Optional.empty();
            case Idle ignored -> Optional.empty();
            // What ends the run is in the summary; the rest is more than somebody who waits wants to read.
            case RunEvent.RunStart ignored -> Optional.empty();
            case RunEvent.RunSuspend ignored -> Optional.empty();
            case RunEvent.RunFinish ignored -> Optional.empty();
            case RunEvent.RunReleased ignored -> Optional.empty();
            case RunEvent.StreamResumed ignored -> Optional.empty();
            case RunEvent.Error ignored -> Optional.empty();
            case RunEvent.Abort ignored -> Optional.empty();
            case RunEvent.IterationStart ignored -> Optional.empty();
            case RunEvent.IterationEnd e -> feedback(e.feedback());
            case RunEvent.NetworkStepFinish e -> feedback(e.decision().feedback());
            case RunEvent.RoutingAgentEnd e -> chosen(e);
            case RunEvent.RoutingAgentStart ignored -> Optional.empty();
            case RunEvent.NetworkFinish ignored -> Optional.empty();
            case RunEvent.StepStart ignored -> Optional.empty();
            case RunEvent.StepFinish ignored -> Optional.empty();
            case RunEvent.TextStart ignored -> Optional.empty();
            case RunEvent.TextDelta ignored -> Optional.empty();
            case RunEvent.TextEnd ignored -> Optional.empty();
            case RunEvent.ReasoningStart ignored -> Optional.empty();
            case RunEvent.ReasoningDelta ignored -> Optional.empty();
            case RunEvent.ReasoningEnd ignored -> Optional.empty();
            case RunEvent.ToolCallInputStart ignored -> Optional.empty();
            case RunEvent.ToolCallDelta ignored -> Optional.empty();
            case RunEvent.ToolCallInputEnd ignored -> Optional.empty();
            case RunEvent.PartialObject ignored -> Optional.empty();
            case RunEvent.UsageReport ignored -> Optional.empty();
        };
    }

    /** The question of a workflow of a file is a text; that of a program may be any value. */
    private static String awaited(PendingApproval approval) {
        return switch (approval.kind()) {
            case APPROVAL -> " waits for approval of " + asked(approval);
            case INTERRUPTED -> " waits for its outcome, which a crash left unknown";
            case DATA ->
                " asks: "
                        + cut(approval.payload()
                                .map(payload -> payload.at("/question")
                                        .flatMap(Json::string)
                                        .orElseGet(payload::text))
                                .orElse("for data"));
        };
    }

    private static Optional<String> feedback(List<String> feedback) {
        return feedback.isEmpty() ? Optional.empty() : Optional.of("gets feedback: " + cut(String.join(" ", feedback)));
    }

    private static Optional<String> chosen(RunEvent.RoutingAgentEnd e) {
        return e.primitiveId() == null
                ? Optional.empty()
                : Optional.of("chooses " + cut(e.primitiveId()) + ": " + cut(String.valueOf(e.selectionReason())));
    }

    private static String answered(RunEvent.ToolCallAnswered e) {
        String who = e.approver() == null ? "nobody" : cut(e.approver());
        String call = cut(e.toolName());
        return switch (e.answer()) {
            case "approved" -> who + " approved " + call + (e.reason() == null ? "" : ": " + cut(e.reason()));
            case "declined" -> who + " declined " + call + (e.reason() == null ? "" : ": " + cut(e.reason()));
            case "data" -> who + " gave data for " + call;
            default -> "no answer in time for " + call;
        };
    }

    private static String asked(PendingApproval approval) {
        return cut(approval.toolName()) + " " + cut(approval.arguments().text());
    }

    private static String delegationEnd(RunEvent.DelegationEnd e) {
        String how = e.agentId() + " " + e.status().name().toLowerCase(Locale.ROOT) + " in "
                + Amounts.seconds(e.duration()) + ", " + Amounts.tokens(e.usage());
        return e.status() == RunStatus.COMPLETED ? how : how + ": " + cut(Endings.explain(e.stopReason()));
    }

    /** The object itself is the answer, which is shown at the end. */
    private static Optional<String> misfit(RunEvent.ObjectResult e) {
        return Optional.ofNullable(e.problem())
                .map(problem -> "the answer does not fit its schema"
                        + (e.fallback() ? ", the fallback is taken: " : ": ") + cut(problem));
    }

    private static String scores(RunEvent.ScoringComplete e) {
        if (e.results().isEmpty()) {
            return "scoring was cut short after " + Amounts.seconds(e.duration());
        }
        String scores = cut(Amounts.scores(e.results())) + " in " + Amounts.seconds(e.duration());
        String reasons = e.results().stream()
                .filter(result -> !result.passed() && !result.reason().isBlank())
                .map(ScorerResult::reason)
                .collect(Collectors.joining(" "));
        return e.complete()
                ? "task complete: " + scores
                : "task not complete: " + scores + (reasons.isEmpty() ? "" : ": " + cut(reasons));
    }

    private static String cut(String text) {
        return Visible.line(text, LONGEST);
    }
}
