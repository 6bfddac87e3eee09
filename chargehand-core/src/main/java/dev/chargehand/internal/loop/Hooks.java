package dev.chargehand.internal.loop;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.run.Hook;
import dev.chargehand.run.HookPolicy;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Asks and tells the hooks of a run, on threads that can be abandoned; what their failure means is the run's policy. */
final class Hooks {

    private final RunScope run;

    Hooks(RunScope run) {
        this.run = run;
    }

    /**
     * Asks an adviser.
     *
     * @param silent what it counts as having said when it failed
     * @throws HookException if it failed, and its failure fails the run
     * @throws RunInterrupted if the run is to end
     */
    <T> T ask(int step, Hook hook, T silent, Callable<T> call) {
        return ask(step, hook, hook.key(), silent, null, call);
    }

    /** Asks one of several advisers of a kind; {@code name} tells them apart. */
    <T> T ask(int step, Hook hook, String name, T silent, Callable<T> call) {
        return ask(step, hook, name, silent, null, call);
    }

    /**
     * Asks a guard.
     *
     * @param silent what it counts as having said when it failed, and its failure means nothing
     * @param refused what it counts as having said when it failed, and its failure refuses
     */
    <T> T guard(int step, Hook hook, T silent, T refused, Callable<T> call) {
        return ask(step, hook, hook.key(), silent, refused, call);
    }

    /**
     * Tells an observer.
     *
     * @throws RunInterrupted if the run is to end
     */
    void tell(int step, Hook hook, Runnable call) {
        ask(step, hook, true, () -> {
            call.run();
            return true;
        });
    }

    /** Tells a hook about a run that is over; a cancellation from now on gives the hook up, and changes nothing else. */
    void tellEnd(int step, String name, Runnable call) {
        run.hookCalls().tellEnd(step, name, run.cancellation(), call);
    }

    private <T> T ask(int step, Hook hook, String name, T silent, @Nullable T refused, Callable<T> call) {
        HookCalls calls = run.hookCalls();
        run.cancellation().admit();
        try {
            return calls.call(name, run.cancellation(), call);
        } catch (HookCalls.Failed e) {
            HookPolicy policy = run.settings().policyOf(hook);
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
