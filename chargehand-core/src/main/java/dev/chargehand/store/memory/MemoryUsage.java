package dev.chargehand.store.memory;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.Prices;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.Objects;

/**
 * The tokens that a model has used on one day for memory, after the runs of a resource. Immutable.
 *
 * @param day in UTC, by the clock of the runtime that called the model
 * @param part what the model did
 * @param model its name
 * @param usage the tokens, as the provider reported them
 */
@Experimental
public record MemoryUsage(LocalDate day, Part part, String model, Usage usage) {

    /** The order of answers: the newest day first. */
    public static final Comparator<MemoryUsage> NEWEST_FIRST = Comparator.comparing(MemoryUsage::day)
            .reversed()
            .thenComparing(MemoryUsage::part)
            .thenComparing(MemoryUsage::model);

    public MemoryUsage {
        Objects.requireNonNull(day, "day");
        Objects.requireNonNull(part, "part");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(usage, "usage");
    }

    /** What a model does for memory. */
    public enum Part {
        /** It made vectors of messages. */
        EMBEDDINGS,
        /** It wrote observations, or shortened them. */
        OBSERVATIONS,
        /** It wrote titles. */
        TITLES
    }

    /** Return what this costs by some prices; zero if the model has none. */
    public BigDecimal cost(Prices prices) {
        return prices.costOf(model, usage);
    }
}
