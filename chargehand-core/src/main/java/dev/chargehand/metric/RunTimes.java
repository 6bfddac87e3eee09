package dev.chargehand.metric;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.metric.RunMetrics.Durations;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long the runs of one process take to their first text, and their tools: what no record of a run has. It is a listener of a runtime
 * ({@link dev.chargehand.AgentRuntimeBuilder#addListener}), and keeps the newest 10,000 of both times in memory, those of all tenants
 * together. Thread-safe.
 */
@Experimental
public final class RunTimes implements RunListener {

    private static final int KEPT = 10_000;

    private final Map<RunId, Instant> silent = new ConcurrentHashMap<>();
    private final Times firstTexts = new Times();
    private final Times tools = new Times();

    /** Create a listener that has heard nothing. */
    public RunTimes() {}

    @Override
    public void onEvent(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart start -> {
                if (start.parentRunId() == null) {
                    silent.put(start.runId(), start.time());
                }
            }
            case RunEvent.TextDelta delta -> {
                Instant started = silent.remove(delta.runId());
                if (started != null) {
                    firstTexts.add(delta, Duration.between(started, delta.time()));
                }
            }
            case RunEvent.ToolResult result -> tools.add(result, result.duration());
            case RunEvent.ToolError failed -> tools.add(failed, failed.duration());
            case RunEvent.RunFinish finish -> silent.remove(finish.runId());
            case RunEvent.RunSuspend suspend -> silent.remove(suspend.runId());
            case RunEvent.RunReleased released -> silent.remove(released.runId());
            default -> {}
        }
    }

    /**
     * Return the times from the start of root runs to the first text that their own agent wrote, of those that wrote it before they waited
     * for a human; empty if there are none.
     *
     * @param since from when on it was written
     */
    public Optional<Durations> firstText(String tenantId, Instant since) {
        return firstTexts.of(tenantId, since);
    }

    /**
     * Return the times of calls of tools and sub-agents that have ended, also of those that failed; empty if there are none.
     *
     * @param since from when on they have ended
     */
    public Optional<Durations> tools(String tenantId, Instant since) {
        return tools.of(tenantId, since);
    }

    /** The newest times. Thread-safe. */
    private static final class Times {

        private final Deque<Time> newest = new ArrayDeque<>();

        private record Time(String tenantId, Instant at, Duration took) {}

        synchronized void add(RunEvent event, Duration took) {
            if (newest.size() == KEPT) {
                newest.removeFirst();
            }
            newest.addLast(new Time(event.tenantId(), event.time(), took));
        }

        Optional<Durations> of(String tenantId, Instant since) {
            Objects.requireNonNull(tenantId, "tenantId");
            Objects.requireNonNull(since, "since");
            List<Time> all;
            synchronized (this) {
                all = List.copyOf(newest);
            }
            return Durations.of(all.stream()
                    .filter(time ->
                            time.tenantId().equals(tenantId) && !time.at().isBefore(since))
                    .map(Time::took));
        }
    }
}
