package dev.chargehand;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunListener;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How one run is to go.
 *
 * <p>The options of a call begin with the defaults of its agent. What is set on the call replaces them; values of the
 * request context and metadata are merged by key.
 *
 * @param settings the part that is plain data and stored with the run
 * @param hooks the part that is code
 * @param threadId the conversation to go on with, or null for a run that stands alone
 * @param resourceId whom the conversation belongs to, or null
 * @param requestContext the values of the request
 */
public record RunOptions(
        RunSettings settings,
        RunHooks hooks,
        @Nullable String threadId,
        @Nullable String resourceId,
        RequestContext requestContext) {

    /** Every option at its default. */
    public static final RunOptions DEFAULT =
            new RunOptions(RunSettings.DEFAULT, RunHooks.NONE, null, null, RequestContext.empty());

    /** Returns these options with changes. */
    public RunOptions with(Consumer<Builder> changes) {
        Builder builder = new Builder(this);
        changes.accept(builder);
        return builder.build();
    }

    /** Collects options. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private @Nullable Integer maxSteps;
        private int toolCallConcurrency;
        private int retries;
        private ToolChoice toolChoice;
        private @Nullable List<String> activeTools;
        private Limits limits;
        private TimeLimits timeLimits;
        private Budget budget;
        private Prices prices;
        private ModelSettings modelSettings;
        private final Map<String, String> metadata;
        private @Nullable Function<StepContext, StepPlan> prepareStep;
        private List<Predicate<StepContext>> stopWhen;
        private @Nullable Consumer<StepResult> onStepFinish;
        private @Nullable Consumer<RunResult> onFinish;
        private @Nullable Consumer<RunResult> onError;
        private @Nullable Consumer<RunResult> onAbort;
        private final List<RunListener> listeners;
        private @Nullable String threadId;
        private @Nullable String resourceId;
        private RequestContext requestContext;

        private Builder(RunOptions from) {
            RunSettings settings = from.settings;
            this.maxSteps = settings.maxSteps();
            this.toolCallConcurrency = settings.toolCallConcurrency();
            this.retries = settings.retries();
            this.toolChoice = settings.toolChoice();
            this.activeTools = settings.activeTools();
            this.limits = settings.limits();
            this.timeLimits = settings.timeLimits();
            this.budget = settings.budget();
            this.prices = settings.prices();
            this.modelSettings = settings.modelSettings();
            this.metadata = new HashMap<>(settings.metadata());
            RunHooks hooks = from.hooks;
            this.prepareStep = hooks.prepareStep();
            this.stopWhen = hooks.stopWhen();
            this.onStepFinish = hooks.onStepFinish();
            this.onFinish = hooks.onFinish();
            this.onError = hooks.onError();
            this.onAbort = hooks.onAbort();
            this.listeners = new ArrayList<>(hooks.listeners());
            this.threadId = from.threadId;
            this.resourceId = from.resourceId;
            this.requestContext = from.requestContext;
        }

        /** Sets the most steps, at least 1; default 10, or 5 for a delegation. */
        public Builder maxSteps(int value) {
            this.maxSteps = positive("maxSteps", value);
            return this;
        }

        /** Sets how many calls of one step run at once, at least 1; default 10. */
        public Builder toolCallConcurrency(int value) {
            this.toolCallConcurrency = positive("toolCallConcurrency", value);
            return this;
        }

        /** Sets how often a model call that failed for a passing reason is made again, from 0; default 2. */
        public Builder retries(int value) {
            if (value < 0) {
                throw new ConfigurationException("Option 'retries' must not be negative, but is " + value + ".");
            }
            this.retries = value;
            return this;
        }

        /** Sets how free the model is to call tools; default auto. */
        public Builder toolChoice(ToolChoice value) {
            this.toolChoice = value;
            return this;
        }

        /** Sets the tools that are offered, by name; default all. */
        public Builder activeTools(String... names) {
            this.activeTools = List.of(names);
            return this;
        }

        /** Sets one limit for the run and its descendants; see {@link Limit} for the defaults. */
        public Builder limit(Limit limit, long value) {
            this.limits = limits.with(limit, value);
            return this;
        }

        /** Sets one time limit for the run and its descendants; see {@link TimeLimit} for the defaults. */
        public Builder timeLimit(TimeLimit limit, Duration value) {
            this.timeLimits = timeLimits.with(limit, value);
            return this;
        }

        /** Sets what the run and its descendants may spend; default nothing is bounded. */
        public Builder budget(UnaryOperator<Budget> change) {
            this.budget = change.apply(budget);
            return this;
        }

        /** Sets what models cost; default no prices, which makes every cost zero. */
        public Builder prices(Prices value) {
            this.prices = value;
            return this;
        }

        /** Sets how models should answer; default up to the provider. */
        public Builder modelSettings(UnaryOperator<ModelSettings> change) {
            this.modelSettings = change.apply(modelSettings);
            return this;
        }

        /** Adds a word that is stored with the run; a key that is there is replaced. */
        public Builder metadata(String key, String value) {
            this.metadata.put(key, value);
            return this;
        }

        /** Sets what changes one step before the model is asked; one that throws fails the run. */
        public Builder prepareStep(Function<StepContext, StepPlan> hook) {
            this.prepareStep = hook;
            return this;
        }

        /** Sets when the run ends early: when the predicate is true after a step. */
        public Builder stopWhen(Predicate<StepContext> predicate) {
            return stopWhen(List.of(predicate));
        }

        /** Sets when the run ends early: when one of the predicates is true after a step. */
        public Builder stopWhen(List<Predicate<StepContext>> predicates) {
            this.stopWhen = List.copyOf(predicates);
            return this;
        }

        /** Sets who hears of every step after it is stored. */
        public Builder onStepFinish(Consumer<StepResult> hook) {
            this.onStepFinish = hook;
            return this;
        }

        /** Sets who hears of the end of the run, unless it failed or was cancelled. */
        public Builder onFinish(Consumer<RunResult> hook) {
            this.onFinish = hook;
            return this;
        }

        /** Sets who hears of a run that failed. */
        public Builder onError(Consumer<RunResult> hook) {
            this.onError = hook;
            return this;
        }

        /** Sets who hears of a run that was cancelled. */
        public Builder onAbort(Consumer<RunResult> hook) {
            this.onAbort = hook;
            return this;
        }

        /** Adds somebody who hears every event of the run and its descendants. */
        public Builder listener(RunListener listener) {
            this.listeners.add(listener);
            return this;
        }

        /** Sets the conversation to go on with. */
        public Builder thread(String id) {
            this.threadId = notBlank("thread", id);
            return this;
        }

        /** Sets whom the conversation belongs to. */
        public Builder resource(String id) {
            this.resourceId = notBlank("resource", id);
            return this;
        }

        /** Adds values of the request; those of the same name are replaced. */
        public Builder requestContext(RequestContext values) {
            this.requestContext = requestContext.merge(values);
            return this;
        }

        RunOptions build() {
            RunSettings settings = new RunSettings(
                    maxSteps,
                    toolCallConcurrency,
                    retries,
                    toolChoice,
                    activeTools,
                    limits,
                    timeLimits,
                    budget,
                    prices,
                    modelSettings,
                    metadata);
            RunHooks hooks = new RunHooks(prepareStep, stopWhen, onStepFinish, onFinish, onError, onAbort, listeners);
            return new RunOptions(settings, hooks, threadId, resourceId, requestContext);
        }

        private static int positive(String option, int value) {
            if (value < 1) {
                throw new ConfigurationException(
                        "Option '" + option + "' must be at least 1, but is " + value + "; there is no unlimited.");
            }
            return value;
        }

        private static String notBlank(String option, String value) {
            if (value.isBlank()) {
                throw new ConfigurationException("Option '" + option + "' must not be blank.");
            }
            return value;
        }
    }
}
