package dev.chargehand.cli;

import java.util.Optional;

/** Somebody who can be asked. */
interface Asked {

    /** Shows them a line. */
    void print(String line);

    /** Asks a question and returns the line that is typed then; nothing if it was not answered. */
    Optional<String> ask(String question);
}
