package dev.chargehand.cli.shell;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A user who can be asked. */
public interface Questioner {

    /** Return how many columns a line may have; {@link Integer#MAX_VALUE} if that is not known. */
    int columns();

    /** Show them a line. */
    void print(String line);

    /** How often it is looked whether a question is over. */
    Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** Ask a question and return the line that is typed then; nothing if it was not answered. */
    default Optional<String> ask(String question) {
        return ask(question, () -> false);
    }

    /**
     * Ask a question that may become useless while it is asked, and return the line that is typed then; nothing if it
     * was not answered before.
     *
     * @param over whether it has become useless; called by any thread, every {@link #BETWEEN_LOOKS}
     */
    Optional<String> ask(String question, BooleanSupplier over);
}
