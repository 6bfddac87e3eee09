package dev.chargehand.config.internal.offline;

import dev.chargehand.json.Json;
import dev.chargehand.model.ToolDefinition;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A tool that can be called with a single text: the only kind that rules can call.
 *
 * @param name its name
 * @param description its description
 * @param property the argument that takes the text; no other one is required
 */
record TextTool(String name, String description, String property) {

    private static final String SUB_AGENT = "agent-";

    private static final List<String> QUERIES =
            List.of("query", "q", "question", "text", "keywords", "search", "terms", "term", "input");

    private static final Pattern SEARCHES = Pattern.compile("(?<!\\w)(search|find|look(s|ing)? ?up)");
    private static final Pattern FINDER = Pattern.compile(
            "(?<!\\w)(find|search|gather|collect|look|retriev|research|fact|passage|source|quot|librar)");
    private static final Pattern WRITER =
            Pattern.compile("(?<!\\w)(writ|article|compos|draft|edit|summar|prose|essay|answer|report|translat)");

    /** The sub-agents among the tools: those that find, then those that do something else, then those that write. */
    static List<TextTool> subAgents(List<ToolDefinition> tools) {
        return tools.stream()
                .filter(tool -> tool.name().startsWith(SUB_AGENT))
                .flatMap(tool -> of(tool, List.of("prompt")).stream())
                .sorted(Comparator.comparingInt(TextTool::rank))
                .toList();
    }

    /** The first tool that searches. */
    static Optional<TextTool> search(List<ToolDefinition> tools) {
        return tools.stream()
                .filter(tool -> SEARCHES.matcher(words(tool.name()) + " " + words(tool.description()))
                        .find())
                .flatMap(tool -> of(tool, QUERIES).stream())
                .findFirst();
    }

    private static Optional<TextTool> of(ToolDefinition tool, List<String> properties) {
        Json schema = tool.input().json();
        List<?> required = schema.at("/required")
                .map(list -> list.as(Object.class))
                .filter(List.class::isInstance)
                .map(List.class::cast)
                .orElse(List.of());
        return properties.stream()
                .filter(property ->
                        takesText(schema, property) && required.stream().allMatch(property::equals))
                .findFirst()
                .map(property -> new TextTool(tool.name(), tool.description(), property));
    }

    private static boolean takesText(Json schema, String property) {
        return schema.at("/properties/" + property + "/type")
                .map(type -> type.as(Object.class))
                .filter(type ->
                        type.equals("string") || (type instanceof Collection<?> types && types.contains("string")))
                .isPresent();
    }

    private int rank() {
        String said = words(name.substring(SUB_AGENT.length())) + " " + words(description);
        long finds = FINDER.matcher(said).results().count();
        long writes = WRITER.matcher(said).results().count();
        return Long.compare(writes, finds);
    }

    /** Split names such as {@code searchWeb} and {@code search_web}, so that a pattern finds their words. */
    private static String words(String text) {
        return text.replaceAll("(\\p{Ll})(\\p{Lu})", "$1 $2")
                .replaceAll("[_-]", " ")
                .toLowerCase(Locale.ROOT);
    }
}
