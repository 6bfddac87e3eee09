package dev.chargehand.internal.scope;

import dev.chargehand.error.HookException;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.option.Options;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Asks and reports the hooks of a run, on threads that can be abandoned; what their failure means is the run's policy.
 */
public final class Hooks {

    private final RunScope run;

    public Hooks(RunScope run) {
        this.run = run;
    }

    /**
     * Call an adviser.
     *
     * @param silent what it counts as having said when it failed
     * @throws HookException if it failed, and its failure fails the run
     * @throws RunInterruptedException if the run is to end
     */
    public <T> T ask(int step, Hook hook, T silent, Callable<T> call) {
        return ask(step, hook, hook.key(), silent, null, call);
    }

    /** Call one of several advisers of a kind; {@code name} distinguishes them. */
    public <T> T ask(int step, Hook hook, String name, T silent, Callable<T> call) {
        return ask(step, hook, name, silent, null, call);
    }

    /**
     * Call a guard.
     *
     * @param silent the result that counts when it failed without effect
     * @param refused the result that counts when its failure rejects
     */
    public <T> T guard(int step, Hook hook, T silent, T refused, Callable<T> call) {
        return ask(step, hook, hook.key(), silent, refused, call);
    }

    /**
     * Notify an observer.
     *
     * @throws RunInterruptedException if the run is to end
     */
    public void notifyObserver(int step, Hook hook, Runnable call) {
        ask(step, hook, true, () -> {
            call.run();
            return true;
        });
    }

    /**
     * Notify a hook of the end of a run; a later cancellation only abandons the hook.
     */
    public void notifyOfEnd(int step, Hook hook, Runnable call) {
        run.hookCalls(hook).notifyOfEnd(step, hook.key(), run.cancellation(), call);
    }

    private <T> T ask(int step, Hook hook, String name, T silent, @Nullable T refused, Callable<T> call) {
        HookCalls calls = run.hookCalls(hook);
        run.cancellation().admit();
        try {
            return calls.call(step, name, run.cancellation(), call);
        } catch (HookCalls.FailedException e) {
            HookPolicy policy = run.options().get(Options.HOOK_POLICIES).getOrDefault(hook, hook.byDefault());
            if (policy == HookPolicy.FAIL_RUN) {
                run.cancellation().check(); // a run that was cancelled first did not fail
                throw new HookException(
                        "Hook '" + name + "' of agent '" + run.agent().id() + "' failed: " + e.getMessage() + ".",
                        e.getCause());
            }
            calls.report(step, name, e);
            return policy == HookPolicy.CONTINUE ? silent : Objects.requireNonNull(refused);
        }
    }
}
