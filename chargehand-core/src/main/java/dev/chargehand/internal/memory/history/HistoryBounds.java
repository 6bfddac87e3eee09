package dev.chargehand.internal.memory.history;

import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.MemoryOptions;
import java.util.OptionalInt;

/**
 * How much of its thread a run sees.
 *
 * @param lastMessages how many messages at most
 * @param tokens how many tokens at most, if there is such a bound
 */
public record HistoryBounds(int lastMessages, OptionalInt tokens) {

    /** Return the bounds of a run: those of its options, and of its agent where the options have none. */
    public static HistoryBounds of(Memory memory, OptionValues values) {
        MemoryOptions options = values.get(Options.MEMORY);
        return new HistoryBounds(
                options.lastMessages().orElse(memory.lastMessages()),
                options.historyTokens().isPresent() ? options.historyTokens() : memory.historyTokens());
    }
}
