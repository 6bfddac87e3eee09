package dev.chargehand.internal.loop;

import dev.chargehand.error.HookException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.run.Hook;
import dev.chargehand.run.HookPolicy;
import dev.chargehand.run.TimeLimit;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks and tells the hooks of a run, on threads that can be abandoned; what their failure means is the run's policy. */
final class Hooks {

    private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);

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
        Cancellation own = run.cancellation();
        try {
            call(name, own.isCancelled() ? new Cancellation() : own, () -> {
                call.run();
                return true;
            });
        } catch (Failed e) {
            report(step, name, e);
        } catch (RunInterrupted e) {
            LOG.debug("run {}: hook {} was given up: {}", run.events().runId(), name, e.getMessage());
        }
    }

    private <T> T ask(int step, Hook hook, String name, T silent, @Nullable T refused, Callable<T> call) {
        try {
            return call(name, run.cancellation(), call);
        } catch (Failed e) {
            HookPolicy policy = run.settings().policyOf(hook);
            if (policy == HookPolicy.FAIL_RUN) {
                run.cancellation().check(); // a run that was cancelled first did not fail
                throw new HookException(
                        "Hook '" + name + "' of agent '" + run.agent().id() + "' failed: " + e.getMessage() + ".",
                        e.getCause());
            }
            report(step, name, e);
            return policy == HookPolicy.CONTINUE ? silent : Objects.requireNonNull(refused);
        }
    }

    private void report(int step, String name, Failed failure) {
        LOG.warn(
                "run {} agent {}: hook {} failed: {}",
                run.events().runId(),
                run.agent().id(),
                name,
                failure.getMessage());
        run.events().tell(step, o -> new RunEvent.HookError(o, name, String.valueOf(failure.getMessage())));
    }

    private <T> T call(String name, Cancellation cancellation, Callable<T> call) throws Failed {
        try {
            return run.root()
                    .callouts()
                    .call(
                            "hook " + name,
                            run.limit(TimeLimit.HOOK),
                            cancellation,
                            () -> Objects.requireNonNull(call.call(), "it returned null"));
        } catch (Callouts.TimedOut e) {
            throw new Failed("it took longer than " + run.limit(TimeLimit.HOOK), e);
        } catch (Callouts.Threw e) {
            throw new Failed(run.root().redactor().describe(e.thrown()), e.thrown());
        }
    }

    /** A hook threw, returned nothing or took too long; the message says which, without secrets. */
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        private Failed(String message, Throwable cause) {
            super(message, cause, false, false);
        }
    }
}
