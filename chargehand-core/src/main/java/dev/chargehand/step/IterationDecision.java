package dev.chargehand.step;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code onIterationComplete} decides. */
public sealed interface IterationDecision {

    /** Returns what the model is told before it is asked again, if anything. */
    Optional<String> feedback();

    /** Lets the run go on as it would without the hook. */
    static IterationDecision proceed() {
        return Proceed.SILENT;
    }

    /** Lets the run go on, and tells the model something first; a finished answer is not the last then. */
    static IterationDecision proceedWith(String feedback) {
        return new Proceed(feedback);
    }

    /** Ends the run with what it has. */
    static IterationDecision stop() {
        return Stop.SILENT;
    }

    /** Ends the run after exactly one more answer that can use the feedback, without tools, hooks or scorers. */
    static IterationDecision stopWith(String feedback) {
        return new Stop(feedback);
    }

    /** The run goes on. */
    record Proceed(@Nullable String text) implements IterationDecision {
        private static final Proceed SILENT = new Proceed(null);

        @Override
        public Optional<String> feedback() {
            return Optional.ofNullable(text);
        }
    }

    /** The run ends. */
    record Stop(@Nullable String text) implements IterationDecision {
        private static final Stop SILENT = new Stop(null);

        @Override
        public Optional<String> feedback() {
            return Optional.ofNullable(text);
        }
    }
}
