package dev.chargehand.internal.run;

import dev.chargehand.RunHooks;
import dev.chargehand.RunResult;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.loop.HookCalls;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the hooks of a run that it is over. */
record EndHooks(HookCalls calls, RunHooks hooks) {

    /** Tells them; whoever cancels from now on gives them up. */
    void tell(State ended, Cancellation cancellation) {
        switch (ended.status()) {
            case FAILED -> tell(ended, cancellation, "onError", hooks.onError());
            case ABORTED -> tell(ended, cancellation, "onAbort", hooks.onAbort());
            case SUSPENDED, RUNNING -> {}
            case COMPLETED, INCOMPLETE -> tell(ended, cancellation, "onFinish", hooks.onFinish());
        }
    }

    private void tell(State ended, Cancellation cancellation, String name, @Nullable Consumer<RunResult> hook) {
        if (hook != null) {
            RunResult result = Results.of(ended, List.of());
            calls.tellEnd(ended.stepNumber(), name, cancellation, () -> hook.accept(result));
        }
    }
}
