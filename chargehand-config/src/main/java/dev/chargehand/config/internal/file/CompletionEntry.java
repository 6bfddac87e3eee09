package dev.chargehand.config.internal.file;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.document.Position;
import dev.chargehand.error.ConfigurationException;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * When an agent's task is complete.
 *
 * @param at where it is said
 * @param strategy which scorers must pass
 * @param scorers the scorers; at least one
 * @param options everything else that is set
 */
public record CompletionEntry(
        Position at, Completion.Strategy strategy, List<ScorerEntry> scorers, UnaryOperator<Completion> options) {

    public CompletionEntry {
        scorers = List.copyOf(scorers);
    }

    /**
     * Make the completion.
     *
     * @param maker makes a scorer of an entry
     * @throws ConfigurationException if two scorers have the same name
     */
    public Completion with(Function<ScorerEntry, Scorer> maker) {
        List<Scorer> made = scorers.stream().map(maker).toList();
        try {
            return options.apply(Completion.of(strategy, made));
        } catch (ConfigurationException e) {
            throw at.error(e.getMessage());
        }
    }
}
