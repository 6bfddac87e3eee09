package dev.chargehand.provider.stream;

import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of one event. Filled by {@link ChunkReader}, read by {@link ResponseBuilder}, and used for the next one.
 */
public final class Chunk {

    boolean hasChoice;
    String text = "";
    String reasoning = "";
    String finish = "";
    String reasoningDetails = "";
    final List<CallFragment> calls = new ArrayList<>(1);

    @Nullable
    Usage usage;

    @Nullable
    public ProviderError error;

    /** Return the blocks of reasoning that OpenRouter wants back, as a JSON list; empty if there are none. */
    public String reasoningDetails() {
        return reasoningDetails;
    }

    void clear() {
        hasChoice = false;
        text = "";
        reasoning = "";
        finish = "";
        reasoningDetails = "";
        calls.clear();
        usage = null;
        error = null;
    }

    /** Forget what the model said, which another field says better. */
    void clearContent() {
        text = "";
        reasoning = "";
        reasoningDetails = "";
        calls.clear();
    }

    /** Add text; one event rarely has more than one piece. */
    void addText(String more) {
        text = text.isEmpty() ? more : text + more;
    }

    void addReasoning(String more) {
        reasoning = reasoning.isEmpty() ? more : reasoning + more;
    }
}
