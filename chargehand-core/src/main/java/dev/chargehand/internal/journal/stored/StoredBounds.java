package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.Prices;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored forms of what bounds a run. */
final class StoredBounds {

    private StoredBounds() {}

    /** The stored form of {@link Limits}. */
    record Counts(@JsonProperty("changed") Map<Limit, Long> changed) {

        static Counts of(Limits limits) {
            return new Counts(limits.changed());
        }

        Limits toLimits() {
            return new Limits(changed);
        }
    }

    /** Earlier versions stored longer durations, and most runs with them continue. */
    private static Duration bounded(Duration stored) {
        return stored.compareTo(TimeLimit.LONGEST) > 0 ? TimeLimit.LONGEST : stored;
    }

    /** The stored form of {@link TimeLimits}. */
    record Times(@JsonProperty("changed") Map<TimeLimit, Duration> changed) {

        static Times of(TimeLimits limits) {
            return new Times(limits.changed());
        }

        TimeLimits toLimits() {
            Map<TimeLimit, Duration> bounded = new EnumMap<>(TimeLimit.class);
            changed.forEach((limit, value) -> bounded.put(limit, bounded(value)));
            return new TimeLimits(bounded);
        }
    }

    /** The stored form of {@link Budget}. */
    record Spendable(
            @JsonProperty("tokens") @Nullable Long tokens,
            @JsonProperty("cost") @Nullable BigDecimal cost,
            @JsonProperty("wallTime") @Nullable Duration wallTime,
            @JsonProperty("calls") @Nullable Integer calls) {

        static Spendable of(Budget budget) {
            return new Spendable(budget.tokens(), budget.cost(), budget.wallTime(), budget.calls());
        }

        Budget toBudget() {
            return new Budget(tokens, cost, wallTime == null ? null : bounded(wallTime), calls);
        }
    }

    /** The stored form of {@link Prices}. */
    record PriceList(@JsonProperty("byModel") Map<String, ModelPrice> byModel) {

        static PriceList of(Prices prices) {
            Map<String, ModelPrice> byModel =
                    LinkedHashMap.newLinkedHashMap(prices.byModel().size());
            prices.byModel().forEach((model, price) -> byModel.put(model, ModelPrice.of(price)));
            return new PriceList(byModel);
        }

        Prices toPrices() {
            Map<String, Prices.Price> prices = new HashMap<>();
            byModel.forEach((model, price) -> prices.put(model, price.toPrice()));
            return new Prices(prices);
        }
    }

    /** The stored form of {@link Prices.Price}. */
    record ModelPrice(
            @JsonProperty("input") BigDecimal input,
            @JsonProperty("output") BigDecimal output,
            @JsonProperty("cachedInput") BigDecimal cachedInput) {

        static ModelPrice of(Prices.Price price) {
            return new ModelPrice(price.input(), price.output(), price.cachedInput());
        }

        Prices.Price toPrice() {
            return new Prices.Price(input, output, cachedInput);
        }
    }
}
