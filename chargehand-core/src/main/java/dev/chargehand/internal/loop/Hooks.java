package dev.chargehand.internal.loop;

import dev.chargehand.error.HookException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.run.TimeLimit;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks and tells the hooks of a run, on threads that can be abandoned. */
final class Hooks {

    private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);

    private final RunScope run;

    Hooks(RunScope run) {
        this.run = run;
    }

    /**
     * Asks a hook that the run cannot go on without.
     *
     * @throws HookException if it threw or took too long
     */
    <T> T need(String hook, Callable<T> call) {
        try {
            return call(hook, run.root().cancellation(), call);
        } catch (Callouts.TimedOut e) {
            throw new HookException(tookTooLong(hook), e);
        } catch (Callouts.Threw e) {
            throw new HookException(
                    "Hook '" + hook + "' of agent '" + run.agent().id() + "' threw "
                            + run.root().redactor().describe(e.thrown()) + ".",
                    e.thrown());
        }
    }

    /** Asks a hook whose failure counts as no answer; the failure is logged and told. */
    <T> Optional<T> ask(int step, String hook, Callable<T> call) {
        return ask(step, hook, run.root().cancellation(), call);
    }

    /**
     * Tells a hook; its failure is logged and told.
     *
     * @throws dev.chargehand.internal.limit.RunInterrupted if the run is to end
     */
    void tell(int step, String hook, Runnable call) {
        tell(step, hook, run.root().cancellation(), call);
    }

    /** Tells a hook about a run that is over; a cancellation from now on gives the hook up, and changes nothing else. */
    void tellEnd(int step, String hook, Runnable call) {
        Cancellation own = run.root().cancellation();
        try {
            tell(step, hook, own.isCancelled() ? new Cancellation() : own, call);
        } catch (RunInterrupted e) {
            LOG.debug("run {}: hook {} was given up: {}", run.events().runId(), hook, e.getMessage());
        }
    }

    private void tell(int step, String hook, Cancellation cancellation, Runnable call) {
        ask(step, hook, cancellation, () -> {
            call.run();
            return true;
        });
    }

    private <T> Optional<T> ask(int step, String hook, Cancellation cancellation, Callable<T> call) {
        String failure;
        try {
            return Optional.of(call(hook, cancellation, call));
        } catch (Callouts.TimedOut e) {
            failure = tookTooLong(hook);
        } catch (Callouts.Threw e) {
            failure = run.root().redactor().describe(e.thrown());
        }
        LOG.warn(
                "run {} agent {}: hook {} failed: {}",
                run.events().runId(),
                run.agent().id(),
                hook,
                failure);
        run.events().tell(step, o -> new RunEvent.HookError(o, hook, failure));
        return Optional.empty();
    }

    private <T> T call(String hook, Cancellation cancellation, Callable<T> call)
            throws Callouts.TimedOut, Callouts.Threw {
        return run.root().callouts().call("hook " + hook, run.limit(TimeLimit.HOOK), cancellation, call);
    }

    private String tookTooLong(String hook) {
        return "Hook '" + hook + "' took longer than " + run.limit(TimeLimit.HOOK) + ".";
    }
}
