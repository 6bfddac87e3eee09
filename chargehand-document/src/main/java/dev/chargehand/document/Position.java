package dev.chargehand.document;

import dev.chargehand.error.ConfigurationException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

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

    /** Return the path that is given here, relative to a folder. */
    public Path path(Path folder, String named) {
        try {
            return folder.resolve(named);
        } catch (InvalidPathException e) {
            throw error("'" + Section.shown(named) + "' cannot be a path on this system: " + e.getReason()
                    + ". Give another one.");
        }
    }

    /** Return the place as editors and terminals understand it, such as {@code chargehand.yaml:7:5}. */
    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line + ":" + column;
    }
}
