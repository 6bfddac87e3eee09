package dev.chargehand;

import dev.chargehand.event.RunListener;
import java.util.List;
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
 * @param onStepFinish hears of every step after it is stored; null for none
 * @param onFinish hears of the end of a run, unless it failed or was cancelled; null for none
 * @param onError hears of a run that failed; null for none
 * @param onAbort hears of a run that was cancelled; null for none
 * @param listeners hear every event
 */
public record RunHooks(
        @Nullable Function<StepContext, StepPlan> prepareStep,
        List<Predicate<StepContext>> stopWhen,
        @Nullable Consumer<StepResult> onStepFinish,
        @Nullable Consumer<RunResult> onFinish,
        @Nullable Consumer<RunResult> onError,
        @Nullable Consumer<RunResult> onAbort,
        List<RunListener> listeners) {

    /** No hooks. */
    public static final RunHooks NONE = new RunHooks(null, List.of(), null, null, null, null, List.of());

    public RunHooks {
        stopWhen = List.copyOf(stopWhen);
        listeners = List.copyOf(listeners);
    }
}
