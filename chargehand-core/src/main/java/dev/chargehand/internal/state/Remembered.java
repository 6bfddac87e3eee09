package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.message.Message;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run recalled, with its texts. Only the fact is stored with the run.
 *
 * @param fact what was recalled, or null if the run has recalled nothing yet
 * @param before the messages that the model sees before the thread
 * @param after the messages that it sees after the thread
 * @param isWhole whether all that the fact names was found
 */
public record Remembered(Fact.@Nullable Recalled fact, List<Message> before, List<Message> after, boolean isWhole) {

    /** Nothing yet. */
    public static final Remembered NOTHING = new Remembered(null, List.of(), List.of(), true);

    public Remembered {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** Return a fact without its texts, for callers that need none. */
    public static Remembered withoutTexts(Fact.Recalled fact) {
        return new Remembered(fact, List.of(), List.of(), true);
    }

    /** Return what was recalled. */
    public Fact.Recalled recalled() {
        return Objects.requireNonNull(fact, "The run has recalled nothing.");
    }
}
