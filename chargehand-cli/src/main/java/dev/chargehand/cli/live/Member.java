package dev.chargehand.cli.live;

import dev.chargehand.cli.output.Amounts;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run that has not ended, by its events: what its agent does now, and what it has used. Used by one thread. */
final class Member {

    private static final String AGENT_PREFIX = "agent-";
    private static final int LONGEST = 200;

    private final String agentId;
    private final @Nullable RunId parent;
    private final Instant since;
    private final Map<String, String> calls = new LinkedHashMap<>();
    private final Map<String, String> delegations = new LinkedHashMap<>();
    private final Map<String, String> unanswered = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private String awaited = "approval";
    private String doing = "begins";
    private boolean troubled;
    private Usage usage = Usage.NONE;
    private BigDecimal cost = BigDecimal.ZERO;

    Member(String agentId, @Nullable RunId parent, Instant since) {
        this.agentId = agentId;
        this.parent = parent;
        this.since = since;
    }

    String agentId() {
        return Visible.line(agentId, 60);
    }

    @Nullable
    RunId parent() {
        return parent;
    }

    Instant since() {
        return since;
    }

    Usage usage() {
        return usage;
    }

    BigDecimal cost() {
        return cost;
    }

    /** Return the text of the step as far as it has arrived. */
    String text() {
        return text.toString();
    }

    /** Return whether it works itself, and do not only wait for others. */
    boolean isAtWork() {
        return (delegations.isEmpty() && unanswered.isEmpty()) || !calls.isEmpty();
    }

    /** Return whether a failed attempt is being repeated. */
    boolean isTroubled() {
        return troubled;
    }

    /** Describe its current activity. */
    String doing() {
        if (!unanswered.isEmpty()) {
            return "waits for " + awaited + ": " + listed(unanswered);
        }
        if (!calls.isEmpty()) {
            return "calls " + listed(calls);
        }
        if (!delegations.isEmpty()) {
            return "waits for " + String.join(", ", delegations.values());
        }
        return doing;
    }

    private static String listed(Map<String, String> some) {
        String first = some.values().iterator().next();
        return some.size() == 1 ? first : (some.size() + " at once, " + first);
    }

    void event(RunEvent event, Prices prices) {
        troubled = event instanceof RunEvent.StepRetry || (troubled && event instanceof RunEvent.Data);
        switch (event) {
            case RunEvent.StepStart ignored -> {
                text.setLength(0);
                doing = "asks its model";
            }
            case RunEvent.ReasoningStart ignored -> doing = "reasons";
            case RunEvent.TextStart ignored -> {
                text.setLength(0);
                doing = "writes";
            }
            case RunEvent.TextDelta e -> text.append(e.text());
            case RunEvent.ToolCallInputStart e -> doing = "prepares a call of " + cut(e.toolName());
            case RunEvent.StepRetry e -> {
                text.setLength(0);
                doing = "tries again in " + Amounts.seconds(e.delay()) + " (" + e.code() + ")";
            }
            case RunEvent.UsageReport e -> {
                usage = usage.plus(e.usage());
                cost = cost.add(prices.costOf(e.model(), e.usage()));
            }
            case RunEvent.ScoringStart e -> doing = "is scored: " + cut(String.join(", ", e.scorers()));
            default -> calls(event);
        }
    }

    private void calls(RunEvent event) {
        switch (event) {
            case RunEvent.ToolCall e -> {
                if (!e.toolName().startsWith(AGENT_PREFIX)) {
                    calls.put(e.callId(), cut(e.toolName()) + " " + cut(e.arguments()));
                }
            }
            case WorkflowEvent.WorkflowStepStart e -> calls.put(e.callId(), cut(e.stepPath()));
            case WorkflowEvent.WorkflowStepWaiting e -> delegations.put(e.callId(), "the time of " + cut(e.stepPath()));
            case WorkflowEvent.WorkflowStepSuspended e -> {
                awaited = "an answer";
                calls.remove(e.callId());
                unanswered.put(e.callId(), cut(e.stepPath()));
            }
            case WorkflowEvent.WorkflowStepResumed e -> resumed(e);
            case WorkflowEvent.WorkflowStepResult e -> over(e.callId());
            case RunEvent.ToolResult e -> over(e.callId());
            case RunEvent.ToolError e -> over(e.callId());
            case RunEvent.DelegationStart e -> delegations.put(e.callId(), cut(e.agentId()));
            case RunEvent.DelegationEnd e -> over(e.callId());
            case RunEvent.ToolCallApproval e -> {
                calls.remove(e.approval().callId());
                unanswered.put(e.approval().callId(), cut(e.approval().toolName()));
            }
            case RunEvent.ToolCallSuspended e -> {
                calls.remove(e.approval().callId());
                unanswered.put(e.approval().callId(), cut(e.approval().toolName()));
            }
            case RunEvent.ToolCallAnswered e -> unanswered.remove(e.callId());
            default -> {}
        }
    }

    /** A step is executed again; an entry that slept is over. */
    private void resumed(WorkflowEvent.WorkflowStepResumed event) {
        boolean slept = delegations.remove(event.callId()) != null;
        unanswered.remove(event.callId());
        if (!slept) {
            calls.put(event.callId(), cut(event.stepPath()));
        }
    }

    private void over(String callId) {
        calls.remove(callId);
        delegations.remove(callId);
    }

    private static String cut(String text) {
        return Visible.line(text, LONGEST);
    }
}
