package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/**
 * The prices of models, by names such as {@code openai/gpt-5}; in any one currency.
 *
 * @param byModel the prices
 */
public record Prices(Map<String, Price> byModel) {

    /** Knows no price. */
    public static final Prices NONE = new Prices(Map.of());

    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    public Prices {
        byModel = Map.copyOf(byModel);
    }

    /**
     * The price of one model, per million tokens.
     *
     * @param input of input tokens
     * @param output of output tokens, reasoning included
     * @param cachedInput of input tokens that the provider had cached
     */
    public record Price(BigDecimal input, BigDecimal output, BigDecimal cachedInput) {
        public Price {
            if (input.signum() < 0 || output.signum() < 0 || cachedInput.signum() < 0) {
                throw new ConfigurationException("A price must not be negative.");
            }
        }
    }

    /** Return these prices with one more; cached input costs what other input costs. */
    @CheckReturnValue
    public Prices with(String model, BigDecimal input, BigDecimal output) {
        return with(model, new Price(input, output, input));
    }

    /** Return these prices with one more. */
    @CheckReturnValue
    public Prices with(String model, Price price) {
        Map<String, Price> more = new HashMap<>(byModel);
        more.put(model, price);
        return new Prices(more);
    }

    /** Return what a usage of a model costs; zero if its price is not known. */
    public BigDecimal costOf(String model, Usage usage) {
        Price price = byModel.get(model);
        if (price == null) {
            return BigDecimal.ZERO;
        }
        return price.input()
                .multiply(BigDecimal.valueOf(Math.max(0, usage.inputTokens() - usage.cachedInputTokens())))
                .add(price.cachedInput().multiply(BigDecimal.valueOf(usage.cachedInputTokens())))
                .add(price.output().multiply(BigDecimal.valueOf(usage.outputTokens())))
                .divide(MILLION);
    }
}
