package dev.chargehand.internal.state.value;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run recalled, with its texts. Only the fact is stored with the run.
 *
 * @param fact what was recalled, or null if the run has recalled nothing yet
 * @param before the messages that the model sees before the thread
 * @param tail the messages of the thread that it sees as they are, if observations decide that; else null
 * @param after the messages that it sees after the thread
 * @param isWhole whether all that the fact names was found
 */
public record Remembered(
        Fact.@Nullable Recalled fact,
        List<Message> before,
        @Nullable List<Message> tail,
        List<Message> after,
        boolean isWhole) {

    /** Nothing yet. */
    public static final Remembered NOTHING = new Remembered(null, List.of(), null, List.of(), true);

    public Remembered {
        before = List.copyOf(before);
        tail = tail == null ? null : List.copyOf(tail);
        after = List.copyOf(after);
    }

    /** Return a fact without its texts, for callers that need none. */
    public static Remembered withoutTexts(Fact.Recalled fact) {
        return new Remembered(fact, List.of(), null, List.of(), true);
    }

    /** Return which part of its conversation the run sees through observations, or null if its agent has none. */
    public @Nullable ObservedHistory observed() {
        return fact == null ? null : fact.observed();
    }

    /** Return whether a tool of the run is the one that changes its working memory. */
    public boolean isEditedBy(String tool) {
        return fact != null && fact.workingRevision() != null && tool.equals(WorkingMemory.TOOL);
    }

    /** Return how many of its own steps the run sees through observations. */
    public int observedSteps() {
        ObservedHistory observed = observed();
        return observed == null ? 0 : observed.steps();
    }

    /** Return what was recalled. */
    public Fact.Recalled recalled() {
        return Objects.requireNonNull(fact, "The run has recalled nothing.");
    }
}
