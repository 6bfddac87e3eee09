package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.TimeBound;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The maximum usage of a run and its descendants; a null part has no bound.
 *
 * <p>A model call is checked against the budget before it is made, and debited after; the overshoot is at most the
 * calls in flight. A spent budget ends the run with {@link StopReason.BudgetExhausted}.
 *
 * @param tokens input and output tokens together
 * @param cost in the currency of the {@link Prices}
 * @param wallTime active time
 * @param calls model calls
 */
public record Budget(
        @Nullable Long tokens,
        @Nullable BigDecimal cost,
        @Nullable Duration wallTime,
        @Nullable Integer calls) {

    /** Bounds nothing. */
    public static final Budget NONE = new Budget(null, null, null, null);

    public Budget {
        positive("tokens", tokens == null ? null : BigDecimal.valueOf(tokens));
        positive("cost", cost);
        if (wallTime != null) {
            TimeBound.aboveZero("Budget 'wallTime'", wallTime, ConfigurationException::new);
        }
        positive("calls", calls == null ? null : BigDecimal.valueOf(calls));
    }

    /** Return this budget with a bound on tokens. */
    @CheckReturnValue
    public Budget tokens(long value) {
        return new Budget(value, cost, wallTime, calls);
    }

    /**
     * Return this budget with a bound on cost. A run with it needs {@link Prices} for every model of its agents, their sub-agents and its
     * structured output: it fails to start if one is missing, since calls without a price count as zero. A model that is only chosen
     * later, such as by {@code modelFrom}, {@code prepareStep} or a scorer, is logged as a warning, once for each run. A price of zero
     * is one, and a {@link dev.chargehand.model.Model#isFree() free} model needs none.
     */
    @CheckReturnValue
    public Budget cost(BigDecimal value) {
        return new Budget(tokens, value, wallTime, calls);
    }

    /** Return this budget with a bound on active time. */
    @CheckReturnValue
    public Budget wallTime(Duration value) {
        return new Budget(tokens, cost, value, calls);
    }

    /** Return this budget with a bound on model calls. */
    @CheckReturnValue
    public Budget calls(int value) {
        return new Budget(tokens, cost, wallTime, value);
    }

    private static void positive(String name, @Nullable BigDecimal value) {
        if (value != null && value.signum() <= 0) {
            throw new ConfigurationException("Budget '" + name + "' must be above zero, but is " + value + ".");
        }
    }
}
