package dev.chargehand.internal.memory;

import dev.chargehand.internal.memory.observation.RecallTool;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Splits messages into the passages that are embedded. Another way to split needs other versions of the {@link #rule}. */
final class Passages {

    /** How many characters a passage has at most. */
    static final int LONGEST = 2_000;

    /** How many characters two neighbouring passages share, so that a sentence at their border is whole in one. */
    static final int OVERLAP = 200;

    /** How many passages of one message are embedded; the rest of it cannot be found. */
    static final int MOST = 32;

    /** Their results repeat what the memory holds. */
    private static final Set<String> TOOLS_OF_MEMORY = Set.of(WorkingMemory.TOOL, RecallTool.NAME);

    private Passages() {}

    /** Return the version of the rule; vectors of passages of another one are not compared. */
    static int rule(boolean toolResults) {
        return toolResults ? 2 : 1;
    }

    /**
     * Return the passages of a message; none if it is not embedded, as internal messages are not.
     *
     * @param toolResults whether the results of tools are
     */
    static List<String> of(Message message, boolean toolResults) {
        return embedded(message, toolResults)
                .flatMap(text -> of(text).stream())
                .limit(MOST)
                .toList();
    }

    /** Return how many passages of a message are not embedded, because there are too many. */
    static int leftOut(Message message, boolean toolResults) {
        int all = embedded(message, toolResults)
                .mapToInt(text -> of(text, Integer.MAX_VALUE).size())
                .sum();
        return Math.max(0, all - MOST);
    }

    private static Stream<String> embedded(Message message, boolean toolResults) {
        if (isSaid(message)) {
            return Stream.of(message.text());
        }
        return toolResults ? results(message).stream().map(Part.ToolResult::output) : Stream.empty();
    }

    private static boolean isSaid(Message message) {
        return !message.internal()
                && (message.role() == Role.USER
                        || (message.role() == Role.ASSISTANT
                                && message.toolCalls().isEmpty()));
    }

    /** Return the results of tools that a message holds and that can be recalled. */
    static List<Part.ToolResult> results(Message message) {
        return message.internal()
                ? List.of()
                : message.toolResults().stream()
                        .filter(result -> !result.error() && !TOOLS_OF_MEMORY.contains(result.toolName()))
                        .toList();
    }

    /** Return the passages of a text, without blank ones. */
    static List<String> of(String text) {
        return of(text, MOST);
    }

    private static List<String> of(String text, int most) {
        String rest = text.strip();
        List<String> passages = new ArrayList<>();
        int from = 0;
        while (from < rest.length() && passages.size() < most) {
            int to = border(rest, Math.min(rest.length(), from + LONGEST));
            String passage = rest.substring(from, to);
            if (!passage.isBlank()) {
                passages.add(passage);
            }
            from = to == rest.length() ? to : border(rest, to - OVERLAP);
        }
        return passages;
    }

    /** Return a place that does not split a character in two. */
    private static int border(String text, int at) {
        return at < text.length() && Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }
}
