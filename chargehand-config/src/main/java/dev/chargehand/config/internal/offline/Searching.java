package dev.chargehand.config.internal.offline;

import dev.chargehand.message.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What an agent with a tool that searches does: one search, a second one with fewer words, the passages. */
record Searching(Conversation conversation, TextTool tool) {

    private static final int FEWER = 2;

    Reply reply() {
        List<String> keywords = Words.keywords(conversation.question());
        List<Part.ToolResult> results = conversation.results().stream()
                .filter(result -> result.toolName().equals(tool.name()))
                .toList();
        long asked = conversation.calls().stream()
                .filter(call -> call.name().equals(tool.name()))
                .count();
        List<Finding> findings = Findings.distinct(results.stream()
                .filter(result -> !result.error())
                .flatMap(result -> ToolOutput.findings(result).stream())
                .toList());
        if (keywords.isEmpty()) {
            return new Reply.Say("There is nothing to search for: the question has no words.");
        }
        if (asked == 0) {
            return new Reply.Call(tool, Words.query(conversation.question()));
        }
        boolean unsure = results.stream().anyMatch(ToolOutput::isUnsure);
        boolean failed = results.stream().anyMatch(Part.ToolResult::error);
        if (asked == 1 && findings.isEmpty() && !failed && !unsure && keywords.size() > FEWER) {
            return new Reply.Call(tool, String.join(" ", longest(keywords)));
        }
        Optional<String> said = findings.isEmpty() && !failed ? Recollection.answer(conversation) : Optional.empty();
        return new Reply.Say(said.orElseGet(() -> answer(keywords, results, findings)));
    }

    /** Prefer long words, which are more specific; the question's order is kept. */
    private static List<String> longest(List<String> keywords) {
        List<String> longest = keywords.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .limit(FEWER)
                .toList();
        return keywords.stream().filter(longest::contains).toList();
    }

    private static String answer(List<String> keywords, List<Part.ToolResult> results, List<Finding> findings) {
        List<String> parts = new ArrayList<>();
        String words = String.join(" ", keywords);
        if (!findings.isEmpty()) {
            parts.add((findings.size() == 1 ? "1 passage" : findings.size() + " passages") + " found for: " + words);
            parts.add(Findings.list(findings).stripTrailing());
        } else if (results.stream().allMatch(Part.ToolResult::error)) {
            parts.add("The search for '" + words + "' did not work, so there is nothing to answer from.");
        } else {
            parts.add(OfflineModel.NOTHING + " for: " + words);
        }
        results.stream()
                .filter(Part.ToolResult::error)
                .map(ToolOutput::error)
                .distinct()
                .forEach(parts::add);
        return String.join("\n\n", parts);
    }
}
