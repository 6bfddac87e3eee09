package dev.chargehand.internal.definition;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelChoice.Candidate;
import dev.chargehand.run.Prices;
import dev.chargehand.run.StructuredOutput;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks before the first model call that a budget of costs can be exceeded: calls of a model without a price cost nothing. It knows the
 * models of the definitions that a run can reach, and not those that functions choose later. Used by one thread.
 */
public final class PricedModels {

    private final Prices prices;
    private final Function<ModelChoice, List<Model>> models;
    private final Set<RunDefinition> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<String> unpriced = new TreeSet<>();

    private PricedModels(Prices prices, Function<ModelChoice, List<Model>> models) {
        this.prices = prices;
        this.models = models;
    }

    /**
     * Require a price for each known model if the options bound the cost.
     *
     * @param instead the names of the models that are called in place of the own ones of the definition, or null
     * @param models makes models of names
     * @throws ConfigurationException if a price is missing
     */
    public static void require(
            RunDefinition definition,
            OptionValues options,
            @Nullable List<String> instead,
            Function<ModelChoice, List<Model>> models) {
        if (options.get(Options.BUDGET).cost() == null) {
            return;
        }
        PricedModels priced = new PricedModels(options.get(Options.PRICES), models);
        priced.look(definition, instead);
        priced.structuring(options);
        if (!priced.unpriced.isEmpty()) {
            String first = priced.unpriced.iterator().next();
            String kind = definition instanceof AgentDefinition ? "Agent" : "Workflow";
            throw new ConfigurationException(kind + " '" + definition.id() + "': the budget bounds the cost, but "
                    + String.join(", ", priced.unpriced) + (priced.unpriced.size() == 1 ? " has" : " have")
                    + " no price, so that calls would count as zero. Add each price for a million tokens to the option 'prices',"
                    + " such as o.prices(prices.with(\"" + first
                    + "\", input, output)) or, in an agents' file, prices: { "
                    + first + ": { input: 1.25, output: 10 } }; prices of 0 are for models that cost nothing.");
        }
    }

    private void look(RunDefinition definition, @Nullable List<String> instead) {
        if (!seen.add(definition)) {
            return;
        }
        if (instead != null) {
            add(ModelChoice.of(instead));
        } else if (definition instanceof AgentDefinition agent
                && agent.functions().model() instanceof FixedModel fixed) {
            add(fixed.choice());
        }
        structuring(definition.defaultOptions());
        definition.children().values().forEach(child -> look(child, null));
    }

    private void structuring(OptionValues options) {
        StructuredOutput wanted = options.get(Options.STRUCTURED_OUTPUT);
        if (wanted != null && !wanted.structuringModels().isEmpty()) {
            add(ModelChoice.of(wanted.structuringModels()));
        }
    }

    private void add(ModelChoice choice) {
        for (Candidate candidate : choice.candidates()) {
            if (!(candidate instanceof Candidate.Named named && hasPrice(named.name()))) {
                try {
                    models.apply(new ModelChoice(List.of(candidate))).stream()
                            .filter(model -> !model.isFree() && !hasPrice(model.name()))
                            .forEach(model -> unpriced.add(model.name()));
                } catch (ModelException e) {
                    // an unknown model is reported when it is to be used, and may be a fallback only
                }
            }
        }
    }

    private boolean hasPrice(String model) {
        return prices.byModel().containsKey(model);
    }
}
