package dev.chargehand.models.internal;

import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one event says. Filled by {@link ChunkReader}, read by {@link AnswerBuilder}, and used for the next one. */
final class Chunk {

    boolean hasChoice;
    String text = "";
    String reasoning = "";
    String finish = "";
    final List<CallFragment> calls = new ArrayList<>(1);

    @Nullable
    Usage usage;

    @Nullable
    ProviderError error;

    void clear() {
        hasChoice = false;
        text = "";
        reasoning = "";
        finish = "";
        calls.clear();
        usage = null;
        error = null;
    }

    /** Adds text; one event rarely has more than one piece. */
    void addText(String more) {
        text = text.isEmpty() ? more : text + more;
    }

    void addReasoning(String more) {
        reasoning = reasoning.isEmpty() ? more : reasoning + more;
    }
}
