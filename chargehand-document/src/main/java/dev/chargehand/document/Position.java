package dev.chargehand.document;

import dev.chargehand.error.ConfigurationException;

/**
 * The place where a value was given.
 *
 * @param source a file such as {@code chargehand.yaml}, or an option such as {@code --model}
 * @param line the line of the file, from 1; 0 if there is none to name
 * @param column the character of the line, from 1; 0 if there is none to name
 */
public record Position(String source, int line, int column) {

    /** Name a whole file or an option. */
    public Position(String source) {
        this(source, 0, 0);
    }

    /** Make an error about what is given here. */
    public ConfigurationException error(String message) {
        return new ConfigurationException(this + ": " + message);
    }

    /** Return the place as editors and terminals understand it, such as {@code chargehand.yaml:7:5}. */
    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line + ":" + column;
    }
}
