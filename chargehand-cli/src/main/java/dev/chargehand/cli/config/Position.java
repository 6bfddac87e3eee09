package dev.chargehand.cli.config;

import dev.chargehand.error.ConfigurationException;

/**
 * Says where a value was given.
 *
 * @param where a line such as {@code chargehand.yaml:7}, or an option such as {@code --model}
 */
public record Position(String where) {

    static Position line(String file, int line) {
        return new Position(file + ":" + line);
    }

    /** Makes an error about what is given here. */
    public ConfigurationException error(String message) {
        return new ConfigurationException(where + ": " + message);
    }

    @Override
    public String toString() {
        return where;
    }
}
