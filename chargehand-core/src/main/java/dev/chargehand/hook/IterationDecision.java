package dev.chargehand.hook;

import java.util.Optional;

/** The decision of {@code onIterationComplete}. */
public sealed interface IterationDecision {

    /** Return the message to the model before it is called again, if anything; a blank text is none. */
    Optional<String> feedback();

    /** Let the run continue as it would without the hook. */
    static IterationDecision proceed() {
        return Proceed.SILENT;
    }

    /** Let the run continue with feedback for the model; a finished answer is then not the last. */
    static IterationDecision proceedWith(String feedback) {
        return new Proceed(Optional.of(feedback));
    }

    /** End the run with what it has. */
    static IterationDecision stop() {
        return Stop.SILENT;
    }

    /** End the run after exactly one more answer that can use the feedback, without tools, hooks or scorers. */
    static IterationDecision stopWith(String feedback) {
        return new Stop(Optional.of(feedback));
    }

    /** The run continues. */
    record Proceed(Optional<String> feedback) implements IterationDecision {
        private static final Proceed SILENT = new Proceed(Optional.empty());

        public Proceed {
            feedback = feedback.orElse("").isBlank() ? Optional.empty() : feedback;
        }
    }

    /** The run ends. */
    record Stop(Optional<String> feedback) implements IterationDecision {
        private static final Stop SILENT = new Stop(Optional.empty());

        public Stop {
            feedback = feedback.orElse("").isBlank() ? Optional.empty() : feedback;
        }
    }
}
