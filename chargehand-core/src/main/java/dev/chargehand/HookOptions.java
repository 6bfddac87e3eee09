package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Tasks;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunListener;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationStartContext;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.MessageFilterContext;
import dev.chargehand.hook.StepContext;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.option.EntryStart;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.step.StepResult;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A builder of the hooks and listeners of a run, and of what only runs of workflows, or runs with background tasks, have; part of {@link RunOptions.Builder}. Not thread-safe; every method
 * returns the builder.
 *
 * @param <B> the builder
 */
public abstract sealed class HookOptions<B extends HookOptions<B>> permits RunOptions.Builder {

    private OptionValues values;

    HookOptions(OptionValues from) {
        this.values = from;
    }

    abstract B self();

    final OptionValues values() {
        return values;
    }

    final <T extends @Nullable Object> B set(Option<T> option, T value) {
        values = values.with(option, value);
        return self();
    }

    final <T extends @Nullable Object> B clear(Option<T> option) {
        values = values.without(option);
        return self();
    }

    final <T extends @Nullable Object> B add(Option<T> option, T more) {
        values = values.plus(option, more);
        return self();
    }

    final <E> B addOne(Option<List<E>> option, E value) {
        return add(option, Collections.singletonList(value));
    }

    final <T> B change(Option<T> option, UnaryOperator<T> change) {
        return set(option, Given.value("Option '" + option + "'", change).apply(values.get(option)));
    }

    /** Set a hook that changes each step before the model is called. If it fails, the run fails. */
    public B prepareStep(Function<StepContext, StepPlan> hook) {
        return set(Options.PREPARE_STEP, hook);
    }

    /** Add a predicate that ends the run early if it is true after a step. */
    public B addStopWhen(Predicate<StepContext> predicate) {
        return addOne(Options.STOP_WHEN, predicate);
    }

    /** Set the predicate that ends the run early if it is true after a step. Default: none. */
    public B stopWhen(Predicate<StepContext> predicate) {
        return stopWhen(Collections.singletonList(predicate));
    }

    /** Set predicates that end the run early if one of them is true after a step. Default: none. */
    public B stopWhen(List<Predicate<StepContext>> predicates) {
        return set(Options.STOP_WHEN, predicates);
    }

    /**
     * Set a guard of every call of a tool or sub-agent. If it fails, the call is rejected. Default: none.
     *
     * <p>Its decision is stored with the call. After a crash between both, it is called again.
     */
    public B beforeToolCall(Function<ToolCallRequest, ToolCallDecision> hook) {
        return set(Options.BEFORE_TOOL_CALL, hook);
    }

    /**
     * Set a guard of every delegation, which can also change it. If it fails, the delegation is rejected. Default:
     * none.
     *
     * <p>Its decision is stored with the delegation. After a crash between both, it is called again.
     */
    public B onDelegationStart(Function<DelegationStartContext, DelegationDecision> hook) {
        return set(Options.ON_DELEGATION_START, hook);
    }

    /**
     * Set the hook that chooses the messages that a sub-agent sees, after {@link RunOptions.Builder#subAgentContext}.
     * If it fails, the delegation is rejected. System and tool messages are never forwarded, even if it returns some.
     * Default: none.
     */
    public B messageFilter(Function<MessageFilterContext, List<Message>> hook) {
        return set(Options.MESSAGE_FILTER, hook);
    }

    /** Register an observer of delegation starts. It runs concurrently with the delegation. Default: none. */
    public B observeDelegationStart(Consumer<DelegationStartContext> hook) {
        return set(Options.OBSERVE_DELEGATION_START, hook);
    }

    /**
     * Set the hook that decides about the result of every delegation. If it fails, the result is accepted. Default:
     * none.
     *
     * <p>Its verdict is stored with the result. After a crash between both, it is called again.
     */
    public B onDelegationComplete(Function<DelegationCompleteContext, DelegationVerdict> hook) {
        return set(Options.ON_DELEGATION_COMPLETE, hook);
    }

    /**
     * Set the hook that decides after every step whether the run continues. If it fails, it decided nothing. Default:
     * none.
     *
     * <p>Its decision is stored with the step. After a crash between both, it is called again.
     */
    public B onIterationComplete(Function<IterationContext, IterationDecision> hook) {
        return set(Options.ON_ITERATION_COMPLETE, hook);
    }

    /** Register an observer of steps, called after each is stored. Default: none. */
    public B onStepFinish(Consumer<StepResult> hook) {
        return set(Options.ON_STEP_FINISH, hook);
    }

    /** Register an observer of the run's end, unless it failed or was cancelled. Default: none. */
    public B onFinish(Consumer<RunResult> hook) {
        return set(Options.ON_FINISH, hook);
    }

    /** Register an observer of the run's failure. Default: none. */
    public B onError(Consumer<RunResult> hook) {
        return set(Options.ON_ERROR, hook);
    }

    /**
     * Register an observer of the run's cancellation. Default: none.
     *
     * <p>The process that executes the run invokes it. For a run that waits, it is the runtime that cancels the run,
     * if it has the agent or still holds the hooks of the run.
     */
    public B onAbort(Consumer<RunResult> hook) {
        return set(Options.ON_ABORT, hook);
    }

    /** Add a listener that receives every event of the run and its descendants. */
    public B addListener(RunListener listener) {
        return addOne(Options.LISTENERS, listener);
    }

    /** Set the listeners that receive every event of the run and its descendants. Default: none. */
    public B listeners(List<RunListener> listeners) {
        return set(Options.LISTENERS, listeners);
    }

    /**
     * Start before an entry of the workflow, with outputs that no run has made. Default: before the first entry.
     *
     * <p>The entry before that one, apart from maps, needs its outputs; other entries before it may have theirs, for code that
     * reads {@code context.output(step)}. A given output is validated against the schema of its step, and its step is not
     * executed.
     *
     * @param entry the id of an entry or of one of its steps
     * @param outputs by the ids of steps; that of a {@code foreach} by the id of the entry, as the list of the outputs of its step; that of a
     *     {@code sleep}, and of a {@code branch} that passes, by the id of the entry
     * @throws ConfigurationException if an output is null or has no JSON form; the call that starts the run throws it if the
     *     workflow has no such entry, an output is missing, or does not fit
     */
    @Experimental
    public B from(String entry, Map<String, ?> outputs) {
        Map<String, Json> given = new LinkedHashMap<>();
        Given.value("Option 'from': the outputs", outputs)
                .forEach((path, output) -> given.put(
                        Given.value("Option 'from': the id of an output", path),
                        Json.of(Given.value("Option 'from': the output of '" + path + "'", output))));
        return set(Options.FROM, new EntryStart(Given.value("Option 'from': the entry", entry), given));
    }

    /**
     * Set what follows the end of a background task of the run, if the run has ended. {@link OnEnd#CONTINUE} is rejected in a call with
     * hooks that decide or with transient values of the request, which the turn that follows would lack. Until-idle calls ignore it: they
     * always continue. Default: what {@link dev.chargehand.background.BackgroundOptions.Builder#onEnd} of the agent sets.
     */
    @Experimental
    public B onEnd(OnEnd value) {
        return set(Options.ON_END, Given.value("Option 'onEnd'", value));
    }

    /** Set which events of background tasks an until-idle stream has; other calls ignore it. Default: those that say how each stands. */
    @Experimental
    public B events(Tasks value) {
        return set(Options.TASK_EVENTS, Given.value("Option 'events'", value));
    }

    /**
     * Set the shared state with which a run of a workflow starts, instead of the one that the workflow declares: any value whose JSON
     * form is an object that fits the type of the state. Default: what the workflow declares.
     */
    @Experimental
    public B initialState(Object value) {
        return set(Options.INITIAL_STATE, Json.of(Given.value("Option 'initialState'", value)));
    }

    /** Pause before each round; see {@link #pauseAfterEach(boolean)}. */
    @Experimental
    public B pauseAfterEach() {
        return pauseAfterEach(true);
    }

    /**
     * Set whether the run pauses before each round, the first one included, until {@link AgentRuntime#wake} is called with
     * the path of the entry; for debugging. Nested workflows do not pause. Default: false.
     */
    @Experimental
    public B pauseAfterEach(boolean value) {
        return set(Options.PAUSE_AFTER_EACH, value);
    }
}
