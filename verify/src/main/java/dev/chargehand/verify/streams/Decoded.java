package dev.chargehand.verify.streams;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.models.internal.ChatResponseBody;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was built from bytes.
 *
 * @param deltas the deltas that were emitted while they were read
 * @param answer the answer; null if there is none
 * @param failure the failure without the provider's words; null if there is an answer
 */
record Decoded(
        List<ModelDelta> deltas,
        @Nullable ModelResponse answer,
        @Nullable String failure) {

    /** Read bytes; unexpected exceptions are propagated. */
    static Decoded of(InputStream bytes, String mediaType) {
        Deltas deltas = new Deltas();
        try {
            ModelResponse answer = new ChatResponseBody("verify/model", deltas).read(bytes, mediaType);
            return new Decoded(deltas.told, answer, null);
        } catch (ModelException e) {
            return new Decoded(deltas.told, null, e.kind() + ": " + e.publicMessage());
        } catch (IOException e) {
            return new Decoded(deltas.told, null, "broken off: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts here.", e);
        }
    }

    /** Return whether a run would execute the answer's calls. */
    boolean runsTools() {
        return answer != null
                && !answer.toolCalls().isEmpty()
                && (answer.finish() == FinishReason.STOP || answer.finish() == FinishReason.TOOL_CALLS);
    }

    /** Remembers deltas. */
    private static final class Deltas implements ModelCall {

        private final List<ModelDelta> told = new ArrayList<>();

        @Override
        public void delta(ModelDelta delta) {
            told.add(delta);
        }

        @Override
        public void onCancel(Runnable close) {
            // Nothing is cancelled.
        }

        @Override
        public Duration connectTimeout() {
            return Duration.ofSeconds(10);
        }
    }
}
