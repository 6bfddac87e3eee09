package dev.chargehand.cli.output;

import dev.chargehand.cli.result.RunTimes;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.WaitingCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists runs, one to a line. */
public final class RunLines {

    private RunLines() {}

    private static final String UNKNOWN = "–";

    private static final List<String> HEADER =
            List.of("RUN", "STATE", "AGENT", "STARTED", "WORKED", "WAITED", "TOKENS", "THREAD, WAITS FOR, INPUT");

    /** The columns that a narrow terminal does without, first the first; {@code show} has all of them. */
    private static final List<Integer> DISPENSABLE = List.of(6, 5, 4, 3, 2);

    /** How much of the last column a terminal shows at least, if it does without others. */
    private static final int LEAST_DETAILS = 18;

    /** The least that is shown of an id. */
    private static final int SHORTEST_ID = 12;

    /**
     * A run and additional data about it.
     *
     * @param waiting the calls of the run and its nested runs that wait
     * @param abandoned whether it is running and no process claims to execute it
     * @param times how long it was executed and how long it was not
     */
    public record Listed(RunRecord run, List<WaitingCall> waiting, boolean abandoned, RunTimes times) {
        public Listed {
            waiting = List.copyOf(waiting);
        }
    }

    /**
     * Return a line for each run: its id, where it stands, its agent with the version, when it started, how long it was
     * executed and how long it was not, its tokens, its thread, what it waits for, and how its input starts.
     */
    public static List<String> of(List<Listed> runs) {
        return Table.lines(runs.stream().map(RunLines::row).toList());
    }

    /**
     * Return a line with the names of the columns, unless there are no runs, and a line for each run; see {@link #of}.
     * Of ids only the starts are shown, by which commands find them.
     *
     * @param columns the most characters of a line
     */
    public static List<String> withHeader(List<Listed> runs, int columns) {
        int shown = shown(runs);
        if (runs.isEmpty()) {
            return List.of();
        }
        List<List<String>> rows = Stream.concat(
                        Stream.of(HEADER), runs.stream().map(RunLines::row).map(row -> shortened(row, shown)))
                .toList();
        return Table.lines(fitting(rows, columns)).stream()
                .map(line -> cut(line, columns))
                .toList();
    }

    /** Leave out columns until there is room for the last one. */
    private static List<List<String>> fitting(List<List<String>> rows, int columns) {
        List<List<String>> fitting = rows;
        for (int column : DISPENSABLE) {
            if (columns - beforeTheLast(fitting) >= LEAST_DETAILS) {
                break;
            }
            fitting = fitting.stream().map(row -> without(row, column)).toList();
        }
        return fitting;
    }

    private static int beforeTheLast(List<List<String>> rows) {
        int columns = rows.getFirst().size() - 1;
        return Table.lines(rows.stream().map(row -> row.subList(0, columns)).toList()).stream()
                        .mapToInt(String::length)
                        .max()
                        .orElse(0)
                + 2;
    }

    private static List<String> without(List<String> row, int column) {
        List<String> left = new ArrayList<>(row);
        left.remove(column);
        return left;
    }

    private static List<String> shortened(List<String> row, int shown) {
        List<String> shortened = new ArrayList<>(row);
        shortened.set(0, start(row.getFirst(), shown));
        return shortened;
    }

    /** As many characters of the ids as make each of them another one. */
    private static int shown(List<Listed> runs) {
        List<String> ids =
                runs.stream().map(listed -> listed.run().runId().value()).toList();
        int shown = SHORTEST_ID;
        int longest = ids.stream().mapToInt(String::length).max().orElse(0);
        while (shown < longest && areAlike(ids, shown)) {
            shown++;
        }
        return shown;
    }

    private static boolean areAlike(List<String> ids, int shown) {
        return ids.stream().map(id -> start(id, shown)).distinct().count() < ids.size();
    }

    private static String start(String id, int shown) {
        return id.substring(0, Math.min(shown, id.length()));
    }

    private static String cut(String line, int columns) {
        return line.codePointCount(0, line.length()) <= columns
                ? line
                : line.substring(0, line.offsetByCodePoints(0, Math.max(0, columns - 1))) + "…";
    }

    private static List<String> row(Listed listed) {
        RunRecord run = listed.run();
        Duration waited = listed.times().waited();
        return List.of(
                Visible.line(run.runId().value(), 80),
                standing(run),
                agent(run) + (isWorkflow(run) ? " (workflow)" : ""),
                Amounts.local(run.startedAt()),
                Amounts.seconds(listed.times().worked()),
                waited.isZero() ? UNKNOWN : Amounts.seconds(waited),
                run.summary().map(RunSummary::usage).map(Amounts::shortTokens).orElse(UNKNOWN),
                details(listed));
    }

    private static String agent(RunRecord run) {
        return Visible.line(run.agentId(), 60)
                + run.summary()
                        .flatMap(RunSummary::version)
                        .map(version -> "@" + Visible.line(version, 64))
                        .orElse("");
    }

    private static boolean isWorkflow(RunRecord run) {
        return run.summary()
                .filter(summary -> summary.kind().equals("workflow"))
                .isPresent();
    }

    /** The status, and the reason of an end that is not the ordinary one. */
    private static String standing(RunRecord run) {
        return word(run.status())
                + run.summary()
                        .flatMap(RunSummary::stopCode)
                        .filter(code -> !code.equals("finished") && !code.equals(word(run.status())))
                        .map(code -> " (" + code + ")")
                        .orElse("");
    }

    private static String details(Listed listed) {
        List<String> details = new ArrayList<>();
        listed.run().threadId().ifPresent(thread -> details.add("thread " + Visible.line(thread, 40)));
        if (listed.abandoned()) {
            details.add("perhaps left behind by a crash");
        } else if (!listed.waiting().isEmpty()) {
            details.add(
                    listed.waiting().stream().map(RunLines::brief).collect(Collectors.joining(", ", "waits for ", "")));
        }
        details.add(listed.run()
                .summary()
                .map(summary -> Visible.line(summary.firstWords(), 60))
                .orElse(UNKNOWN));
        return String.join("  ", details);
    }

    private static String brief(WaitingCall call) {
        String tool = Revealed.text(call.toolName());
        return switch (call.kind()) {
            case APPROVAL -> "approval of " + tool;
            case DATA -> "data for " + tool;
            case INTERRUPTED -> "a decision about " + tool + ", which a crash interrupted";
            case TIMER -> "the time of " + tool;
        };
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
        fields.put("workedMillis", listed.times().worked().toMillis());
        fields.put("waitedMillis", listed.times().waited().toMillis());
        fields.put("expiresAt", run.expiresAt().map(RunLines::text).orElse(null));
        fields.put("abandoned", listed.abandoned());
        run.summary().ifPresent(summary -> put(summary, fields));
        fields.put("waiting", listed.waiting().stream().map(RunLines::json).toList());
        fields.values().removeIf(value -> value == null);
        return Json.of(fields);
    }

    private static void put(RunSummary summary, Map<String, @Nullable Object> fields) {
        fields.put("kind", summary.kind());
        fields.put("version", summary.version().orElse(null));
        fields.put("step", summary.step());
        fields.put("usage", summary.usage());
        fields.put("cost", summary.cost());
        fields.put("stopReason", summary.stop().orElse(null));
        fields.put("firstWords", summary.firstWords());
    }

    private static Map<String, Object> json(WaitingCall call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", call.runId().value());
        fields.put("callId", call.callId());
        fields.put("kind", call.kind().name().toLowerCase(Locale.ROOT));
        fields.put("toolName", call.toolName());
        fields.put("expiresAt", text(call.expiresAt()));
        return fields;
    }

    private static String text(Instant instant) {
        return instant.toString();
    }

    private static String word(RunStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
