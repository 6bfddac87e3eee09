package dev.chargehand.cli.output;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.result.RunTimes;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reports the events of a run and of its descendants as lines of a history. */
public final class Timeline {

    private final List<RunEvent> events;
    private final Map<String, RunEvent.UsageReport> reports = new HashMap<>();
    private final Map<RunId, String> agents = new HashMap<>();
    private final Map<String, Usage> tokens = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();

    /** Make the timeline of a run's history. */
    public Timeline(List<RunEvent> events) {
        this.events = List.copyOf(events);
        int widest = this.events.stream()
                .mapToInt(event -> event.path().toString().length())
                .max()
                .orElse(0);
        ProgressLines progress = new ProgressLines(Math.min(widest, 60), this::more);
        for (RunEvent event : this.events) {
            count(event);
            progress.of(event).ifPresent(lines::add);
        }
    }

    /** Return a line for each event: the time since the start, the agent and the event. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /**
     * Return the tokens of each agent, in the order of their first steps; those of judges count for whom they judged.
     */
    public Map<String, Usage> tokens() {
        return Collections.unmodifiableMap(tokens);
    }

    /** Return lines that sum the run up: how it stands, how long it was executed, how long it waited, what it used. */
    public List<String> summary(Instant now) {
        List<String> summary = new ArrayList<>();
        RunEvent last = last();
        RunTimes times = RunTimes.of(events, now);
        String active = ", active for " + Amounts.seconds(times.worked())
                + (times.waited().isZero() ? "" : ", waited for " + Amounts.seconds(times.waited()));
        if (last instanceof RunEvent.RunFinish finish) {
            summary.add(finish.status().name().toLowerCase(Locale.ROOT) + active + ": "
                    + Visible.line(explained(finish), 2_000));
        } else if (last instanceof RunEvent.RunSuspend suspend) {
            summary.add("suspended" + active + ": waits for " + awaited(suspend));
        } else {
            summary.add("running, or left behind by a crash" + active);
        }
        summary.add("tokens in+out: "
                + (tokens.isEmpty()
                        ? "none"
                        : tokens.entrySet().stream()
                                .map(entry -> entry.getKey() + " " + Amounts.shortTokens(entry.getValue()))
                                .collect(Collectors.joining(", "))));
        return summary;
    }

    private static String awaited(RunEvent.RunSuspend suspend) {
        return suspend.pending().isEmpty()
                ? "a time"
                : Amounts.count(suspend.pending().size(), "answer");
    }

    /** A workflow has no model of its own that could give an answer. */
    private String explained(RunEvent.RunFinish finish) {
        boolean ofWorkflow = events.stream()
                .anyMatch(event -> event instanceof WorkflowEvent.WorkflowFinish over
                        && over.runId().equals(finish.runId()));
        return ofWorkflow && finish.stopReason() instanceof StopReason.Finished
                ? "All its steps are done."
                : Endings.explain(finish.stopReason());
    }

    /** Return the answer, if the run gave one. */
    public Optional<String> answer() {
        return last() instanceof RunEvent.RunFinish finish && !finish.text().isBlank()
                ? Optional.of(Visible.text(finish.text().strip()))
                : Optional.empty();
    }

    private @Nullable RunEvent last() {
        return events.isEmpty() ? null : events.getLast();
    }

    private void count(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart start -> agents.put(start.runId(), start.agentId());
            case RunEvent.UsageReport report -> {
                reports.put(step(report), report);
                add(report.runId(), report.usage());
            }
            case RunEvent.ScoringComplete scored -> add(scored.runId(), scored.usage());
            case RunEvent.ObjectResult made -> add(made.runId(), made.usage());
            default -> {}
        }
    }

    private void add(RunId run, Usage usage) {
        if (usage.totalTokens() > 0) {
            tokens.merge(agents.getOrDefault(run, "?"), usage, Usage::plus);
        }
    }

    private Optional<String> more(RunEvent event) {
        return switch (event) {
            case RunEvent.RunStart start ->
                Optional.of("starts run " + start.runId()
                        + (start.threadId() == null ? "" : " in thread " + Visible.line(start.threadId(), 80)));
            case RunEvent.StepFinish finish -> Optional.of(stepOver(finish));
            case RunEvent.NetworkStepFinish finish ->
                Optional.of("step " + finish.step() + " in " + Amounts.seconds(finish.duration()) + ", "
                        + Amounts.tokens(finish.usage()));
            case RunEvent.ToolCallApproval asked -> Optional.of(waits("approval of ", asked.approval()));
            case RunEvent.ToolCallSuspended asked -> Optional.of(waits("data for ", asked.approval()));
            case RunEvent.RunSuspend suspend -> Optional.of("is suspended, waiting for " + awaited(suspend));
            case RunEvent.Abort abort -> Optional.of("is cancelled by " + Visible.line(abort.by(), 80));
            case RunEvent.Error error ->
                Optional.of("fails (" + error.code() + "): " + Visible.line(error.message(), 500));
            case RunEvent.RunFinish finish ->
                Optional.of("ends " + finish.status().name().toLowerCase(Locale.ROOT) + " ("
                        + finish.stopReason().code() + ") after " + Amounts.seconds(finish.duration()) + ", "
                        + Amounts.tokens(finish.totalUsage()));
            default -> Optional.empty();
        };
    }

    private String stepOver(RunEvent.StepFinish finish) {
        RunEvent.UsageReport report = reports.get(step(finish));
        return "step " + finish.step() + " in " + Amounts.seconds(finish.duration())
                + (report == null ? "" : " by " + Visible.line(report.model(), 80)) + ", "
                + Amounts.tokens(finish.usage())
                + (finish.toolCalls() == 0 ? "" : ", " + Amounts.count(finish.toolCalls(), "call"))
                + (report == null || report.attempts() < 2 ? "" : ", " + report.attempts() + " attempts") + ": "
                + Visible.line(finish.finishReason(), 80);
    }

    private static String waits(String what, PendingApproval approval) {
        return "waits for " + what + Visible.line(approval.toolName(), 80) + " "
                + Visible.line(approval.arguments().text(), 110) + ", call " + approval.callId();
    }

    private static String step(RunEvent event) {
        return event.runId() + " " + event.step();
    }
}
