package dev.chargehand.cli.output;

import dev.chargehand.json.Json;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows what agents remember. */
public final class MemoryLines {

    private static final int BRIEF = 200;

    private MemoryLines() {}

    /** Return the number and the time of a working memory's text. */
    public static String heading(WorkingMemoryRevision revision) {
        return "revision " + revision.revision() + " of " + revision.at().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Return the lines of a working memory's text. */
    public static List<String> of(WorkingMemoryRevision revision) {
        return Visible.text(revision.text().strip()).lines().toList();
    }

    /** Return a working memory's text as one JSON object. */
    public static Json json(WorkingMemoryRevision revision) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("revision", revision.revision());
        fields.put("at", revision.at().toString());
        fields.put("text", revision.text());
        return Json.of(fields);
    }

    /** Return the number and the time of an observation, and the positions of the first and the last message that it is about. */
    public static String heading(Observation observation) {
        return (observation.isReflection() ? "reflection " : "observation ") + observation.number() + " of "
                + observation.at().truncatedTo(ChronoUnit.SECONDS) + ", messages " + observation.from() + " to "
                + (observation.to() - 1);
    }

    /** Return the lines of an observation's text. */
    public static List<String> of(Observation observation) {
        return Visible.text(observation.text().strip()).lines().toList();
    }

    /** Return an observation as one JSON object. */
    public static Json json(Observation observation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", observation.number());
        fields.put("from", observation.from());
        fields.put("to", observation.to());
        fields.put("reflection", observation.isReflection());
        fields.put("tokens", observation.tokens());
        fields.put("at", observation.at().toString());
        fields.put("text", observation.text());
        return Json.of(fields);
    }

    /** Return a line for each message: its similarity, its thread, its time, its role, and its start. */
    public static List<String> of(List<FoundMessage> found) {
        return Table.lines(found.stream()
                .map(each -> List.of(
                        String.format(Locale.ROOT, "%.2f", each.score()),
                        Visible.line(each.threadId(), 80),
                        each.message()
                                .at()
                                .map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString())
                                .orElse(""),
                        ThreadLines.brief(each.message().message(), BRIEF)))
                .toList());
    }

    /** Return a found message as one JSON object. */
    public static Json json(FoundMessage found) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("score", found.score());
        fields.put("threadId", found.threadId());
        fields.put("position", found.message().position());
        found.message().at().ifPresent(at -> fields.put("at", at.toString()));
        fields.put("role", found.message().role().name().toLowerCase(Locale.ROOT));
        fields.put("text", ThreadLines.said(found.message().message()));
        found.message().runId().ifPresent(run -> fields.put("runId", run.value()));
        return Json.of(fields);
    }

    /** Return a line for each record: its day, its part, its model, and its input and output tokens. */
    public static List<String> ofUsage(List<MemoryUsage> used) {
        return Table.lines(used.stream()
                .map(each -> List.of(
                        each.day().toString(),
                        part(each),
                        Visible.line(each.model(), 80),
                        each.usage().inputTokens() + " in",
                        each.usage().outputTokens() + " out"))
                .toList());
    }

    /** Return a record of usage as one JSON object. */
    public static Json json(MemoryUsage used) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("day", used.day().toString());
        fields.put("part", part(used));
        fields.put("model", used.model());
        fields.put("inputTokens", used.usage().inputTokens());
        fields.put("outputTokens", used.usage().outputTokens());
        fields.put("cachedInputTokens", used.usage().cachedInputTokens());
        fields.put("reasoningTokens", used.usage().reasoningTokens());
        return Json.of(fields);
    }

    private static String part(MemoryUsage used) {
        return used.part().name().toLowerCase(Locale.ROOT);
    }
}
