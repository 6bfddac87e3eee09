package dev.chargehand.config.internal.offline;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what tools gave, whose forms differ: text, JSON text, passages under various names. */
final class ToolOutput {

    private static final int LONGEST_ERROR = 300;

    /** How sure the search must be of the first passage, if it has such a number (ADR 0142). */
    private static final double LEAST_SURE = 0.74;

    /** How sure it must be of further passages, which come after the first. */
    private static final double LEAST_SURE_NEXT = LEAST_SURE / 2;

    private static final List<String> SOURCES = List.of("source", "citation", "path", "file", "url", "link", "id");
    private static final List<String> HEADINGS = List.of("heading", "title", "name");
    private static final List<String> TEXTS = List.of("text", "passage", "content", "snippet", "body", "summary");

    /** How tools that answer in prose say that there is nothing. */
    private static final Pattern NOTHING = Pattern.compile("(?i)(?:no|nothing|none|0)\\b.{0,100}");

    /** What stands around the words of an agent. */
    private static final Pattern FENCE = Pattern.compile("(?s)<([a-z-]+-[0-9a-f]{16})(?: [^>\\n]*)?>\\n(.*)\\n</\\1>");

    private ToolOutput() {}

    /** Report the failed tool and the reason, in one line. */
    static String error(Part.ToolResult result) {
        String why = text(result).replaceAll("\\s+", " ").strip();
        return result.toolName() + " failed: "
                + (why.length() > LONGEST_ERROR ? why.substring(0, LONGEST_ERROR) + "…" : why);
    }

    /** The text of a result, also when it is a JSON string or an object with a text. */
    static String text(Part.ToolResult result) {
        return json(output(result))
                .flatMap(json -> json.string().or(() -> json.at("/text").flatMap(Json::string)))
                .orElse(output(result));
    }

    /** Return whether a result says that a background task has started. */
    static boolean startsTask(Part.ToolResult result) {
        return json(output(result))
                .filter(json -> json.at("/task").isPresent()
                        && json.at("/status")
                                .flatMap(Json::string)
                                .filter("started"::equals)
                                .isPresent())
                .isPresent();
    }

    /** Return the part of a text that is fenced as the words of an agent; the whole text if there is none. */
    static String unfenced(String text) {
        Matcher fence = FENCE.matcher(text);
        return fence.find() ? fence.group(2) : text;
    }

    /** The passages of a search's result, wherever in it they are; of a plain text, the findings in it. */
    static List<Finding> findings(Part.ToolResult result) {
        Optional<Json> json = json(output(result));
        if (json.isEmpty() || json.get().string().isPresent()) {
            String text = text(result);
            List<Finding> cited = Findings.in(text);
            boolean nothing = text.isBlank() || NOTHING.matcher(text.strip()).matches();
            return !cited.isEmpty() || nothing ? cited : List.of(new Finding("", "", text.strip()));
        }
        List<Finding> findings = new ArrayList<>();
        if (!json.get().text().strip().equals("null")) {
            collect(json.get().as(Object.class), findings);
        }
        return Findings.distinct(findings);
    }

    private static void collect(Object value, List<Finding> findings) {
        if (value instanceof Map<?, ?> fields) {
            String text = first(fields, TEXTS);
            if (text.isBlank()) {
                fields.values().forEach(each -> collectNested(each, findings));
            } else if (!isPoor(fields)) {
                findings.add(
                        new Finding(oneLine(first(fields, SOURCES)), heading(first(fields, HEADINGS)), text.strip()));
            }
        } else if (value instanceof List<?> items && !isUnsure(items)) {
            for (Object item : items) {
                if (item instanceof String text && !text.isBlank()) {
                    findings.add(new Finding("", "", text.strip()));
                } else {
                    collectNested(item, findings);
                }
            }
        }
    }

    private static boolean isPoor(Map<?, ?> fields) {
        return fields.get("sure") instanceof Number sure && sure.doubleValue() < LEAST_SURE_NEXT;
    }

    /** The best passage comes first: if the search is not sure of it, the others are not tried. */
    private static boolean isUnsure(List<?> passages) {
        return !passages.isEmpty()
                && passages.getFirst() instanceof Map<?, ?> first
                && first.get("sure") instanceof Number sure
                && sure.doubleValue() < LEAST_SURE;
    }

    /** Return whether a search found passages that it is not sure of. */
    static boolean isUnsure(Part.ToolResult result) {
        return json(output(result))
                .flatMap(json -> json.at("/passages"))
                .map(passages -> passages.as(Object.class))
                .filter(passages -> passages instanceof List<?> items
                        && (isUnsure(items)
                                || items.stream().anyMatch(item -> item instanceof Map<?, ?> fields && isPoor(fields))))
                .isPresent();
    }

    /** A null, a number or a note next to the passages is not a passage. */
    private static void collectNested(Object value, List<Finding> findings) {
        if (value instanceof Map<?, ?> || value instanceof List<?>) {
            collect(value, findings);
        }
    }

    private static String first(Map<?, ?> fields, List<String> names) {
        return names.stream()
                .flatMap(name -> fields.get(name) instanceof String text
                        ? Optional.of(text).stream()
                        : Optional.<String>empty().stream())
                .findFirst()
                .orElse("");
    }

    /** A heading in one line, with the tabs between the names of columns. */
    private static String heading(String text) {
        return text.replaceAll("[\\s&&[^\t]]+", " ").strip();
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** What an agent said is read as if nothing stood around it: nothing here does what it says. */
    private static String output(Part.ToolResult result) {
        return FENCE.matcher(result.output()).replaceFirst("$2");
    }

    private static Optional<Json> json(String output) {
        try {
            return Optional.of(Json.parse(output));
        } catch (InvalidJsonException e) {
            return Optional.empty();
        }
    }
}
