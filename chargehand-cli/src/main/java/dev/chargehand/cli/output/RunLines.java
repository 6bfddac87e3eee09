package dev.chargehand.cli.output;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists runs, one to a line. */
public final class RunLines {

    private RunLines() {}

    /**
     * A run and additional data about it.
     *
     * @param pending what it waits for
     * @param abandoned whether it is running and no process claims to execute it
     */
    public record Listed(RunRecord run, List<PendingApproval> pending, boolean abandoned) {
        public Listed {
            pending = List.copyOf(pending);
        }
    }

    /** Return a line for each run: its id, where it stands, its agent, when it started and how long it took. */
    public static List<String> of(List<Listed> runs) {
        return Table.lines(runs.stream().map(RunLines::row).toList());
    }

    private static List<String> row(Listed listed) {
        RunRecord run = listed.run();
        return List.of(
                Visible.line(run.runId().value(), 80),
                word(run.status()),
                Visible.line(run.agentId(), 60),
                run.startedAt().truncatedTo(ChronoUnit.SECONDS).toString(),
                Amounts.seconds(Duration.between(run.startedAt(), run.updatedAt())),
                run.threadId()
                                .map(thread -> "thread " + Visible.line(thread, 40) + "  ")
                                .orElse("")
                        + (listed.abandoned() ? "perhaps left behind by a crash" : waits(listed)));
    }

    private static String waits(Listed listed) {
        return listed.pending().isEmpty()
                ? ""
                : listed.pending().stream()
                        .map(ApprovalSheet::brief)
                        .collect(Collectors.joining(", ", "waits for ", ""));
    }

    /** Return a run as one JSON object. */
    public static Json json(Listed listed) {
        RunRecord run = listed.run();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("runId", run.runId().value());
        fields.put("status", word(run.status()));
        fields.put("agentId", run.agentId());
        fields.put("threadId", run.threadId().orElse(null));
        fields.put("resourceId", run.resourceId().orElse(null));
        fields.put("startedAt", text(run.startedAt()));
        fields.put("updatedAt", text(run.updatedAt()));
        fields.put(
                "durationMillis",
                Duration.between(run.startedAt(), run.updatedAt()).toMillis());
        fields.put("expiresAt", run.expiresAt().map(RunLines::text).orElse(null));
        fields.put("abandoned", listed.abandoned());
        fields.put(
                "pending",
                listed.pending().stream().map(PendingApproval::toJson).toList());
        fields.values().removeIf(value -> value == null);
        return Json.of(fields);
    }

    private static String text(Instant instant) {
        return instant.toString();
    }

    private static String word(RunStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
