package dev.chargehand.cli.shell;

import java.util.Optional;

/** A user who can be asked. */
public interface Questioner {

    /** Return how many columns a line may have; {@link Integer#MAX_VALUE} if that is not known. */
    int columns();

    /** Show them a line. */
    void print(String line);

    /** Ask a question and return the line that is typed then; nothing if it was not answered. */
    Optional<String> ask(String question);
}
