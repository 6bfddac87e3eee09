package dev.chargehand.internal.run;

import dev.chargehand.RunHooks;
import dev.chargehand.RunResult;
import dev.chargehand.internal.loop.RunScope;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the hooks of a run that it is over. */
final class EndHooks {

    private EndHooks() {}

    static void tell(RunScope scope, Outcome outcome) {
        RunHooks hooks = scope.hooks();
        switch (outcome.state().status()) {
            case FAILED -> tell(scope, outcome, "onError", hooks.onError());
            case ABORTED -> tell(scope, outcome, "onAbort", hooks.onAbort());
            case SUSPENDED, RUNNING -> {}
            case COMPLETED, INCOMPLETE -> tell(scope, outcome, "onFinish", hooks.onFinish());
        }
    }

    private static void tell(RunScope scope, Outcome outcome, String name, @Nullable Consumer<RunResult> hook) {
        if (hook != null) {
            RunResult result = Results.of(outcome.state(), List.of());
            scope.tellEnd(outcome.state().stepNumber(), name, () -> hook.accept(result));
        }
    }
}
