package dev.chargehand.config.internal.file;

import dev.chargehand.RunOptions;
import dev.chargehand.config.internal.key.AgentKeys;
import dev.chargehand.config.internal.key.BoundKeys;
import dev.chargehand.config.internal.key.Key;
import dev.chargehand.config.internal.key.ModelSettingsKeys;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Prices;
import dev.chargehand.run.TimeLimit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads options of runs: those of the file hold for a run and its descendants, those of an agent for its own steps.
 */
final class OptionsReader {

    private final List<Consumer<RunOptions.Builder>> changes = new ArrayList<>();

    private OptionsReader() {}

    static OptionsEntry ofFile(Section file) {
        OptionsReader reader = new OptionsReader();
        reader.limits(file);
        reader.timeLimits(file);
        reader.budget(file);
        reader.prices(file);
        reader.approvals(file);
        return new OptionsEntry(reader.changes);
    }

    static OptionsEntry ofAgent(String id, Section agent) {
        OptionsReader reader = new OptionsReader();
        reader.set(AgentKeys.MAX_STEPS.in(agent), (options, value) -> options.maxSteps(value));
        reader.set(AgentKeys.RETRIES.in(agent), (options, value) -> options.retries(value));
        reader.set(AgentKeys.TOOL_CALL_CONCURRENCY.in(agent), (options, value) -> options.toolCallConcurrency(value));
        reader.set(AgentKeys.MAX_PROCESSOR_RETRIES.in(agent), (options, value) -> options.maxProcessorRetries(value));
        reader.modelSettings(id, agent);
        return new OptionsEntry(reader.changes);
    }

    private <T> void set(@Nullable T value, BiConsumer<RunOptions.Builder, T> setter) {
        if (value != null) {
            changes.add(options -> setter.accept(options, value));
        }
    }

    private void limits(Section file) {
        Section section = file.section("limits", "'limits'").allowing(BoundKeys.Limits.SECTION.names());
        for (Limit limit : Limit.values()) {
            set(BoundKeys.Limits.of(limit).in(section), (options, value) -> options.limit(limit, value));
        }
    }

    private void timeLimits(Section file) {
        Section section = file.section("timeLimits", "'timeLimits'").allowing(BoundKeys.TimeLimits.SECTION.names());
        for (TimeLimit limit : TimeLimit.values()) {
            set(BoundKeys.TimeLimits.of(limit).in(section), (options, value) -> options.timeLimit(limit, value));
        }
    }

    private void budget(Section file) {
        Section section = file.section("budget", "'budget'").allowing(BoundKeys.OfBudget.SECTION.names());
        budget(BoundKeys.OfBudget.TOKENS.in(section), Budget::tokens);
        budget(BoundKeys.OfBudget.COST.in(section), Budget::cost);
        budget(BoundKeys.OfBudget.WALL_TIME.in(section), Budget::wallTime);
        budget(BoundKeys.OfBudget.CALLS.in(section), Budget::calls);
        if (section.has("cost") && !file.has("prices")) {
            file.mistakes()
                    .add(
                            section.at("cost"),
                            "'cost' of 'budget' bounds nothing as long as nothing has a price. Add 'prices' to the file,"
                                    + " such as prices: { openai/gpt-5-mini: { input: 0.25, output: 2 } }.");
        }
    }

    private <T> void budget(@Nullable T value, BiFunction<Budget, T, Budget> setter) {
        set(value, (options, bound) -> options.budget(budget -> setter.apply(budget, bound)));
    }

    private void prices(Section file) {
        Section section = file.section("prices", "'prices'");
        Prices prices = Prices.NONE;
        for (String model : section.keys()) {
            String name = "'" + Section.shown(model) + "' in 'prices'";
            Section price = section.section(model, name).allowing(BoundKeys.Price.SECTION.names());
            BigDecimal input = needed(price, BoundKeys.Price.INPUT, name);
            BigDecimal output = needed(price, BoundKeys.Price.OUTPUT, name);
            BigDecimal cached = BoundKeys.Price.CACHED_INPUT.in(price);
            prices = prices.with(model, new Prices.Price(input, output, cached == null ? input : cached));
        }
        if (!section.keys().isEmpty()) {
            Prices all = prices;
            changes.add(options -> options.prices(all));
        }
    }

    private static BigDecimal needed(Section price, Key<BigDecimal> key, String name) {
        if (!price.has(key.name())) {
            price.mistakes()
                    .add(price.at(), name + " needs '" + key.name() + "': what a million of these tokens costs.");
        }
        BigDecimal value = key.in(price);
        return value == null ? BigDecimal.ZERO : value;
    }

    private void approvals(Section file) {
        Section section = file.section("approvals", "'approvals'").allowing(BoundKeys.Approvals.SECTION.names());
        set(BoundKeys.Approvals.EXPIRY.in(section), RunOptions.Builder::approvalExpiry);
        set(BoundKeys.Approvals.SELF_APPROVAL.in(section), RunOptions.Builder::selfApproval);
    }

    private void modelSettings(String id, Section agent) {
        Section section = agent.section("modelSettings", "'modelSettings' of agent '" + id + "'")
                .allowing(ModelSettingsKeys.SECTION.names());
        model(ModelSettingsKeys.TEMPERATURE.in(section), ModelSettings::temperature);
        model(ModelSettingsKeys.TOP_P.in(section), ModelSettings::topP);
        model(ModelSettingsKeys.MAX_OUTPUT_TOKENS.in(section), ModelSettings::maxOutputTokens);
        model(ModelSettingsKeys.SEED.in(section), ModelSettings::seed);
        List<String> stops =
                section.oneOrMore("stopSequences").stream().map(Setting::text).toList();
        model(stops.isEmpty() ? null : stops, ModelSettings::stopSequences);
        Setting effort = section.text("reasoningEffort");
        model(effort == null ? null : effort.text().strip(), ModelSettings::reasoningEffort);
    }

    private <T> void model(@Nullable T value, BiFunction<ModelSettings, T, ModelSettings> setter) {
        if (value != null) {
            UnaryOperator<ModelSettings> change = settings -> setter.apply(settings, value);
            changes.add(options -> options.modelSettings(change));
        }
    }
}
