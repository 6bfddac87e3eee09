package dev.chargehand.config.internal.file;

import dev.chargehand.RunOptions;
import java.util.List;
import java.util.function.Consumer;

/**
 * Options of runs that the file sets.
 *
 * @param changes what it sets, and nothing else
 */
public record OptionsEntry(List<Consumer<RunOptions.Builder>> changes) {

    /** Sets nothing. */
    public static final OptionsEntry NONE = new OptionsEntry(List.of());

    public OptionsEntry {
        changes = List.copyOf(changes);
    }

    /** Set the values of the file. */
    public void set(RunOptions.Builder options) {
        changes.forEach(change -> change.accept(options));
    }
}
