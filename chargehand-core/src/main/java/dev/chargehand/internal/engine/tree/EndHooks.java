package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunResult;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.HookCalls;
import dev.chargehand.internal.scope.StepResults;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls the hooks of a run that it is over. */
record EndHooks(HookCalls calls, OptionValues hooks, StepResults steps) {

    /** Report them; a later cancellation gives them up. */
    void notifyHook(State ended, Cancellation cancellation) {
        switch (ended.status()) {
            case FAILED -> notifyHook(ended, cancellation, "onError", hooks.get(Options.ON_ERROR));
            case ABORTED -> notifyHook(ended, cancellation, "onAbort", hooks.get(Options.ON_ABORT));
            case PENDING, SUSPENDED, RUNNING -> {}
            case COMPLETED, INCOMPLETE -> notifyHook(ended, cancellation, "onFinish", hooks.get(Options.ON_FINISH));
        }
    }

    private void notifyHook(State ended, Cancellation cancellation, String name, @Nullable Consumer<RunResult> hook) {
        if (hook != null) {
            RunResult result = RunResults.of(ended, WaitingCalls.Below.NOTHING, steps);
            calls.notifyOfEnd(ended.stepNumber(), name, cancellation, () -> hook.accept(result));
        }
    }
}
