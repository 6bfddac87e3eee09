package dev.chargehand.config.internal.workflow;

import dev.chargehand.document.Position;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Pointer into the values of a run: {@code /input} is its input, {@code /value} what the entry received, {@code
 * /state} the shared state, and {@code /steps/<id>} the output of an earlier step. Immutable.
 */
public final class ValuePointer {

    private static final JsonType<List<@Nullable Json>> LIST = new JsonType<>() {};

    private final Position at;
    private final String text;
    private final Start start;
    private final String rest;

    private ValuePointer(Position at, String text, Start start, String rest) {
        this.at = at;
        this.text = text;
        this.start = start;
        this.rest = rest;
    }

    /** Finds what the first part of a pointer names. */
    @FunctionalInterface
    private interface Start {
        Optional<Json> find(RunValues values);
    }

    /** The result of parsing: a pointer, or why the text is none. */
    record Parsed(@Nullable ValuePointer pointer, String mistake) {}

    /**
     * Parse a pointer.
     *
     * @param kept the outputs that exist at its place
     */
    static Parsed parse(Position at, String text, KeptOutputs kept) {
        String[] parts = text.split("/", -1);
        if (!text.startsWith("/")) {
            return mistake(
                    "'" + text + "' is not a JSON Pointer: it must start with /input, /value, /state or /steps/<id>.");
        }
        if (text.matches(".*~(?![01]).*")) {
            return mistake("'" + text + "' is not a JSON Pointer: '~' is written ~0, and '/' in a key ~1.");
        }
        return switch (parts[1]) {
            case "input" ->
                pointer(at, text, values -> Optional.of(values.context().input()), "/input");
            case "value" -> pointer(at, text, values -> Optional.of(values.value()), "/value");
            case "state" ->
                kept.hasState()
                        ? pointer(
                                at, text, values -> Optional.of(values.context().state()), "/state")
                        : mistake("'" + text + "' names the shared state, but the workflow has no 'state'.");
            case "steps" -> {
                String id = parts.length < 3 ? "" : parts[2];
                yield kept.find(id)
                        .map(source -> pointer(at, text, values -> source.find(values.context()), "/steps/" + id))
                        .orElseGet(() -> mistake("'" + text
                                + "' names no step before this one whose output is kept. There are: "
                                + (kept.names().isEmpty() ? "none" : String.join(", ", kept.names())) + "."));
            }
            default -> mistake("'" + text + "' must start with /input, /value, /state or /steps/<id>.");
        };
    }

    private static Parsed pointer(Position at, String text, Start start, String prefix) {
        return new Parsed(new ValuePointer(at, text, start, text.substring(prefix.length())), "");
    }

    private static Parsed mistake(String why) {
        return new Parsed(null, why);
    }

    /** Return the value in a run; empty if there is none. */
    public Optional<Json> find(RunValues values) {
        return start.find(values).flatMap(json -> json.at(rest));
    }

    /**
     * Return the value in a run.
     *
     * @throws dev.chargehand.error.ConfigurationException if there is none
     */
    public Json get(RunValues values) {
        return find(values).orElseThrow(() -> at.error("there is no value at " + text + " in this run."));
    }

    /**
     * Return the time in a run.
     *
     * @throws dev.chargehand.error.ConfigurationException if there is none, or another kind of value
     */
    public Instant time(RunValues values) {
        Json time = get(values);
        try {
            return OffsetDateTime.parse(time.string().orElse("")).toInstant();
        } catch (DateTimeParseException e) {
            throw at.error("the value at " + text + " is not a time such as 2026-03-01T09:00:00Z in this run.");
        }
    }

    /**
     * Return the items of the list in a run.
     *
     * @throws dev.chargehand.error.ConfigurationException if there is none, or another kind of value
     */
    public List<Json> list(RunValues values) {
        Json list = get(values);
        if (!list.text().startsWith("[")) {
            throw at.error("the value at " + text + " is not a list in this run.");
        }
        return list.as(LIST).stream()
                .map(item -> item == null ? Json.of(null) : item)
                .toList();
    }
}
