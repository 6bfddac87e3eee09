package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.message.Message;
import java.util.List;

/** Reads the texts of threads that a run uses; they are not stored with the run. */
public interface ThreadTexts {

    /** Reads nothing, for callers that need only the state of a run. */
    ThreadTexts NONE = new ThreadTexts() {
        @Override
        public List<Message> tail(Fact.Started started) {
            return List.of();
        }

        @Override
        public Remembered recalled(ConversationState before, Fact.Recalled recalled) {
            return Remembered.withoutTexts(recalled);
        }
    };

    /** Fold a fact, with what it says the run recalled. */
    default State after(State before, Fact fact) {
        return fact instanceof Fact.Recalled recalled
                ? before.conversation().recalled(recalled(before.conversation(), recalled))
                : before.after(fact);
    }

    /** Return the last messages of the thread before the run. */
    List<Message> tail(Fact.Started started);

    /** Return what the run recalled. */
    Remembered recalled(ConversationState before, Fact.Recalled recalled);
}
