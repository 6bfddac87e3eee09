package dev.chargehand.testkit.replay;

import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.run.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Shows conversations in lines that can be compared: without ids and times, which no two runs share. */
final class Lines {

    private static final int SHOWN = 240;
    private static final int BEFORE = 60;

    private Lines() {}

    static List<String> of(List<Message> messages) {
        return messages.stream().map(Lines::of).toList();
    }

    private static String of(Message message) {
        return (message.internal() ? "internal " : "")
                + message.role().name().toLowerCase(Locale.ROOT) + ": "
                + message.parts().stream().map(Lines::of).collect(Collectors.joining(" "));
    }

    private static String of(Part part) {
        return switch (part) {
            case Part.Text p -> p.text();
            case Part.Reasoning p -> "(" + p.text() + ")";
            case Part.Image p -> "<" + p.url() + ">";
            case Part.ToolCall p -> "calls " + p.name() + " " + p.arguments();
            case Part.ToolResult p -> p.toolName() + (p.error() ? " failed: " : " gave: ") + p.output();
        };
    }

    /** Show a whole run: its conversation, and how it ended. */
    static List<String> of(ConversationState state) {
        List<String> lines = new ArrayList<>(of(Transcript.conversation(state)));
        lines.add(state.stopReason().map(Lines::of).orElse("ended: not") + ", with the answer: " + state.text());
        return lines;
    }

    private static String of(StopReason reason) {
        return reason instanceof StopReason.Failed failed
                ? "ended: failed, " + failed.error()
                : "ended: " + reason.code();
    }

    /** Say how two lists of lines differ first; empty if they do not. */
    static String difference(List<String> recorded, List<String> played) {
        for (int i = 0; i < Math.max(recorded.size(), played.size()); i++) {
            String before = i < recorded.size() ? recorded.get(i) : "nothing";
            String now = i < played.size() ? played.get(i) : "nothing";
            if (!before.equals(now)) {
                int from = Math.max(0, firstDifference(before, now) - BEFORE);
                return "message " + (i + 1) + "\n  recorded: " + cut(before, from) + "\n  now:      " + cut(now, from);
            }
        }
        return "";
    }

    private static int firstDifference(String one, String other) {
        int i = 0;
        while (i < one.length() && i < other.length() && one.charAt(i) == other.charAt(i)) {
            i++;
        }
        return i;
    }

    private static String cut(String line, int from) {
        String role = from > 0 ? line.substring(0, Math.min(line.length(), line.indexOf(':') + 2)) + "..." : "";
        int start = Math.min(from, line.length());
        int end = Math.min(line.length(), start + SHOWN);
        return role + line.substring(start, end) + (end < line.length() ? "..." : "");
    }
}
