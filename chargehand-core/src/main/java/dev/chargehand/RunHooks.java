package dev.chargehand;

import dev.chargehand.completion.Completion;
import dev.chargehand.delegation.DelegationHooks;
import dev.chargehand.event.RunListener;
import dev.chargehand.processor.Processor;
import dev.chargehand.step.IterationContext;
import dev.chargehand.step.IterationDecision;
import dev.chargehand.step.StepContext;
import dev.chargehand.step.StepPlan;
import dev.chargehand.step.StepResult;
import dev.chargehand.tool.ToolCallDecision;
import dev.chargehand.tool.ToolCallRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run's options that is code. It is not stored: a run that is resumed in another process has the hooks of
 * its agent's defaults, and those given to the call that resumes it.
 *
 * @param prepareStep changes one step before the model is asked; null for none; one that throws fails the run
 * @param stopWhen end the run when one is true; one that throws counts as false and is reported
 * @param beforeToolCall decides about every call of a tool or sub-agent before it is executed; null for none
 * @param requireToolApproval says which calls must be approved before they are executed; null for none
 * @param inputProcessors look at what goes into the run; one that fails, fails the run
 * @param outputProcessors look at what comes out of it; one that fails, fails the run
 * @param delegation the hooks of delegations
 * @param onIterationComplete decides after every step whether the run goes on; null for none
 * @param completion scores answers; null for none
 * @param onStepFinish hears of every step after it is stored; null for none
 * @param onFinish hears of the end of a run, unless it failed or was cancelled; null for none
 * @param onError hears of a run that failed; null for none
 * @param onAbort hears of a run that was cancelled; null for none
 * @param listeners hear every event
 */
public record RunHooks(
        @Nullable Function<StepContext, StepPlan> prepareStep,
        List<Predicate<StepContext>> stopWhen,
        @Nullable Function<ToolCallRequest, ToolCallDecision> beforeToolCall,
        @Nullable Predicate<ToolCallRequest> requireToolApproval,
        List<Processor> inputProcessors,
        List<Processor> outputProcessors,
        DelegationHooks delegation,
        @Nullable Function<IterationContext, IterationDecision> onIterationComplete,
        @Nullable Completion completion,
        @Nullable Consumer<StepResult> onStepFinish,
        @Nullable Consumer<RunResult> onFinish,
        @Nullable Consumer<RunResult> onError,
        @Nullable Consumer<RunResult> onAbort,
        List<RunListener> listeners) {

    /** No hooks. */
    public static final RunHooks NONE = new RunHooks(
            null,
            List.of(),
            null,
            null,
            List.of(),
            List.of(),
            DelegationHooks.NONE,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of());

    public RunHooks {
        stopWhen = List.copyOf(stopWhen);
        inputProcessors = List.copyOf(inputProcessors);
        outputProcessors = List.copyOf(outputProcessors);
        listeners = List.copyOf(listeners);
    }

    /** Tells whether there are processors of any kind. */
    public boolean hasProcessors() {
        return !inputProcessors.isEmpty() || !outputProcessors.isEmpty();
    }

    /** Returns the input processors that look at a certain thing, in order. */
    public <P extends Processor> List<P> inputProcessors(Class<P> kind) {
        return of(kind, inputProcessors);
    }

    /** Returns the output processors that look at a certain thing, in order. */
    public <P extends Processor> List<P> outputProcessors(Class<P> kind) {
        return of(kind, outputProcessors);
    }

    private static <P extends Processor> List<P> of(Class<P> kind, List<Processor> processors) {
        return processors.isEmpty()
                ? List.of() // asked several times a step, and there are rarely any
                : processors.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /**
     * Returns the kinds of hooks here that decide what a run does and are not those of {@code other}, by the names of
     * their options. Who only hears of things is not among them.
     */
    public List<String> kindsBeyond(RunHooks other) {
        if (equals(other) || equals(NONE)) {
            return List.of();
        }
        Map<String, Object> others = other.deciding();
        return deciding().entrySet().stream()
                .filter(hook -> others.get(hook.getKey()) != hook.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<String, Object> deciding() {
        Map<String, Object> hooks = new LinkedHashMap<>();
        put(hooks, "prepareStep", prepareStep);
        put(hooks, "stopWhen", stopWhen.isEmpty() ? null : stopWhen);
        put(hooks, "beforeToolCall", beforeToolCall);
        put(hooks, "requireToolApproval", requireToolApproval);
        put(hooks, "inputProcessors", inputProcessors.isEmpty() ? null : inputProcessors);
        put(hooks, "outputProcessors", outputProcessors.isEmpty() ? null : outputProcessors);
        put(hooks, "onDelegationStart", delegation.onDelegationStart());
        put(hooks, "messageFilter", delegation.messageFilter());
        put(hooks, "subAgentContext", delegation.subAgentFilter());
        put(hooks, "onDelegationComplete", delegation.onDelegationComplete());
        put(hooks, "onIterationComplete", onIterationComplete);
        put(hooks, "completion", completion);
        return hooks;
    }

    private static void put(Map<String, Object> hooks, String kind, @Nullable Object hook) {
        if (hook != null) {
            hooks.put(kind, hook);
        }
    }
}
