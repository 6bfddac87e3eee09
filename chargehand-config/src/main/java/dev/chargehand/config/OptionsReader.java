package dev.chargehand.config;

import dev.chargehand.RunOptions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.ValueKind;
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
        reader.set(agent.value("maxSteps", ValueKind.from(1)), (options, value) -> options.maxSteps(value));
        reader.set(agent.value("retries", ValueKind.from(0)), (options, value) -> options.retries(value));
        reader.set(
                agent.value("toolCallConcurrency", ValueKind.from(1)),
                (options, value) -> options.toolCallConcurrency(value));
        reader.set(
                agent.value("maxProcessorRetries", ValueKind.from(0)),
                (options, value) -> options.maxProcessorRetries(value));
        reader.modelSettings(id, agent);
        return new OptionsEntry(reader.changes);
    }

    private <T> void set(@Nullable T value, BiConsumer<RunOptions.Builder, T> setter) {
        if (value != null) {
            changes.add(options -> setter.accept(options, value));
        }
    }

    private void limits(Section file) {
        Section section = file.section("limits", "'limits'").allowing(Keys.LIMITS);
        for (Limit limit : Limit.values()) {
            set(section.value(limit.key(), ValueKind.fromLong(1)), (options, value) -> options.limit(limit, value));
        }
    }

    private void timeLimits(Section file) {
        Section section = file.section("timeLimits", "'timeLimits'").allowing(Keys.TIME_LIMITS);
        for (TimeLimit limit : TimeLimit.values()) {
            set(section.value(limit.key(), ValueKind.TIME), (options, value) -> options.timeLimit(limit, value));
        }
    }

    private void budget(Section file) {
        Section section = file.section("budget", "'budget'").allowing(Keys.BUDGET);
        budget(section.value("tokens", ValueKind.fromLong(1)), Budget::tokens);
        budget(section.value("cost", ValueKind.SUM), Budget::cost);
        budget(section.value("wallTime", ValueKind.TIME), Budget::wallTime);
        budget(section.value("calls", ValueKind.from(1)), Budget::calls);
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
            Section price = section.section(model, name).allowing(Keys.PRICE);
            BigDecimal input = needed(price, "input", name);
            BigDecimal output = needed(price, "output", name);
            BigDecimal cached = price.value("cachedInput", ValueKind.PRICE);
            prices = prices.with(model, new Prices.Price(input, output, cached == null ? input : cached));
        }
        if (!section.keys().isEmpty()) {
            Prices all = prices;
            changes.add(options -> options.prices(all));
        }
    }

    private static BigDecimal needed(Section price, String key, String name) {
        if (!price.has(key)) {
            price.mistakes().add(price.at(), name + " needs '" + key + "': what a million of these tokens costs.");
        }
        BigDecimal value = price.value(key, ValueKind.PRICE);
        return value == null ? BigDecimal.ZERO : value;
    }

    private void approvals(Section file) {
        Section section = file.section("approvals", "'approvals'").allowing(Keys.APPROVALS);
        set(section.value("expiry", ValueKind.TIME), RunOptions.Builder::approvalExpiry);
        set(section.flag("selfApproval"), RunOptions.Builder::selfApproval);
    }

    private void modelSettings(String id, Section agent) {
        Section section = agent.section("modelSettings", "'modelSettings' of agent '" + id + "'")
                .allowing(Keys.MODEL_SETTINGS);
        model(section.value("temperature", ValueKind.between(0, 2)), ModelSettings::temperature);
        model(section.value("topP", ValueKind.between(0, 1)), ModelSettings::topP);
        model(section.value("maxOutputTokens", ValueKind.from(1)), ModelSettings::maxOutputTokens);
        model(section.value("seed", ValueKind.WHOLE), ModelSettings::seed);
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
