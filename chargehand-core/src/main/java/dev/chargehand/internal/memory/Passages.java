package dev.chargehand.internal.memory;

import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.List;

/** Splits messages into the passages that are embedded. Another way to split needs another {@link #RULE}. */
final class Passages {

    /** The version of the rule; vectors of passages of another one are not compared. */
    static final int RULE = 1;

    /** How many characters a passage has at most. */
    static final int LONGEST = 2_000;

    /** How many characters two neighbouring passages share, so that a sentence at their border is whole in one. */
    static final int OVERLAP = 200;

    /** How many passages of one message are embedded; the rest of it cannot be found. */
    static final int MOST = 32;

    private Passages() {}

    /** Return the passages of a message; none if it is not embedded, as internal messages and tool messages are not. */
    static List<String> of(Message message) {
        boolean said = message.role() == Role.USER
                || (message.role() == Role.ASSISTANT && message.toolCalls().isEmpty());
        return said && !message.internal() ? of(message.text()) : List.of();
    }

    /** Return the passages of a text, without blank ones. */
    static List<String> of(String text) {
        String rest = text.strip();
        List<String> passages = new ArrayList<>();
        int from = 0;
        while (from < rest.length() && passages.size() < MOST) {
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
