package dev.chargehand.config.internal.file;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.processor.Processor;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What looks at what goes into an agent and comes out of it.
 *
 * @param input in the order in which they are called
 * @param output in the order in which they are called
 */
public record ProcessorsEntry(List<One> input, List<One> output) {

    /** Nothing does. */
    public static final ProcessorsEntry NONE = new ProcessorsEntry(List.of(), List.of());

    public ProcessorsEntry {
        input = List.copyOf(input);
        output = List.copyOf(output);
    }

    /** A processor, as far as the file alone can make it. */
    public sealed interface One {}

    /** A processor that needs nothing else. */
    public record Plain(Processor processor) implements One {}

    /**
     * A processor that asks a model.
     *
     * @param at where it is given
     * @param model which one, or null for the agent's
     */
    public record Judged(Position at, @Nullable Setting model, Function<ModelChoice, Processor> maker) implements One {

        /**
         * Make it.
         *
         * @throws ConfigurationException if it rejects its settings
         */
        public Processor by(ModelChoice choice) {
            return ScorerEntry.blaming(at, () -> maker.apply(choice));
        }
    }
}
