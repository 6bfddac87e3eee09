package dev.chargehand.internal.memory.observation;

import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.message.Fence;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.NewObservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are observed together.
 *
 * @param from the position of the first one
 * @param to the position after the last one
 * @param messageIds the ids of all of them
 * @param text what a model sees of them; empty if nothing was said
 */
record Batch(long from, long to, List<String> messageIds, String text) {

    /** How many tokens they have together at most, unless one message alone has more. */
    private static final int MOST = 10_000;

    /** How many bytes of a text or of a result a model sees. */
    private static final int MOST_OF_A_TEXT = 100_000;

    private static final int PAGE = 100;

    /** Read the messages after those that were observed, up to a position at the most. A call and its results stay together. */
    static Batch read(ObservedThread thread, long from, long until) {
        Reading reading = new Reading(from, until);
        long next = from;
        while (next < until) {
            List<ThreadEntry> page = thread.store()
                    .readThreadFrom(thread.threadId(), thread.owner(), next, (int) Math.min(PAGE, until - next));
            for (ThreadEntry entry : page) {
                if (entry.position() >= until || !reading.add(entry)) {
                    return reading.batch();
                }
                next = entry.position() + 1;
            }
            if (page.isEmpty()) {
                break;
            }
        }
        return reading.batch();
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    /** Return what a model sees. */
    String data() {
        return Fence.around("conversation", text);
    }

    NewObservation observation(String written, int tokens, Instant at) {
        return new NewObservation(from, to, messageIds, written, tokens, at);
    }

    /** The messages so far. */
    private static final class Reading {

        private final long from;
        private long to;
        private final List<String> messageIds = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private long tokens;

        private Reading(long from, long until) {
            this.from = from;
            this.to = until;
        }

        /** Add a message, if there is room. */
        private boolean add(ThreadEntry entry) {
            Message message = MessageCodec.read(entry.text());
            long more = Transcript.holdsScores(message) ? 0 : TokenLimiter.estimate(message);
            if (!text.isEmpty() && tokens + more > MOST && message.role() != Role.TOOL) {
                to = entry.position();
                return false;
            }
            tokens += more;
            messageIds.add(entry.messageId());
            if (!message.internal()) {
                message.parts().forEach(part -> write(message.role(), entry.at(), part));
            }
            return true;
        }

        private void write(Role role, @Nullable Instant at, Part part) {
            String time = at == null ? "" : ", " + ReadableTime.of(at);
            String line =
                    switch (part) {
                        case Part.Text said ->
                            said.text().isBlank() ? "" : "[" + name(role) + time + "] " + cut(said.text());
                        case Part.ToolCall call -> "[assistant calls " + call.name() + "] " + cut(call.arguments());
                        case Part.ToolResult result ->
                            "[" + result.toolName() + " returns" + time + "] " + cut(result.output());
                        case Part.Image ignored -> "[" + name(role) + time + " shows an image]";
                        case Part.Reasoning ignored -> "";
                    };
            text.append(line).append(line.isEmpty() ? "" : "\n");
        }

        private static String name(Role role) {
            return role.name().toLowerCase(Locale.ROOT);
        }

        private static String cut(String said) {
            return Excerpt.within(said, MOST_OF_A_TEXT);
        }

        private Batch batch() {
            return new Batch(from, to, messageIds, text.toString().strip());
        }
    }
}
