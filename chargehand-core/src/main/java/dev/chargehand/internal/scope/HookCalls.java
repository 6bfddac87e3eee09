package dev.chargehand.internal.scope;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.text.ReadableTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Calls hooks on threads that can be abandoned. The caller decides the effect of a failure.
 *
 * @param limit how long a hook may take
 * @param events where failures are emitted
 * @param site describes a call of them, but for the name
 */
public record HookCalls(BoundedCalls callouts, Redactor redactor, Duration limit, RunEvents events, CallSite site) {

    private static final Log LOG = Log.of(HookCalls.class);

    /** A hook threw, returned nothing or took too long; the message says which, without secrets. */
    static final class FailedException extends Exception {
        private static final long serialVersionUID = 1L;

        /** What the log says of it. */
        private final String detail;

        private FailedException(String message, String detail, Throwable cause) {
            super(message, cause, false, false);
            this.detail = detail;
        }
    }

    /**
     * Call a hook.
     *
     * @throws RunInterruptedException if it was cancelled meanwhile
     */
    <T> T call(int step, String name, Cancellation cancellation, Callable<T> call) throws FailedException {
        try {
            return callouts.call(
                    site.named(name).atStep(step),
                    limit,
                    cancellation,
                    () -> Objects.requireNonNull(call.call(), "it returned null"));
        } catch (BoundedCalls.TimedOutException e) {
            String late = "it took longer than " + ReadableTime.of(limit);
            throw new FailedException(late, late, e);
        } catch (BoundedCalls.ThrewException e) {
            throw new FailedException(redactor.words(e.thrown()), redactor.describe(e.thrown()), e.thrown());
        }
    }

    private String agentId() {
        return site.run() == null ? "" : site.run().agentId();
    }

    /** Report that a hook failed, without any other effect. */
    void report(int step, String name, FailedException failure) {
        LOG.warn("run {} agent {}: hook {} failed: {}", events.runId(), agentId(), name, failure.detail);
        events.emit(step, o -> new RunEvent.HookError(o, name, String.valueOf(failure.getMessage())));
    }

    /**
     * Report a hook about a run that is over; a cancellation from now on gives the hook up, and changes nothing else.
     */
    public void notifyOfEnd(int step, String name, Cancellation cancellation, Runnable call) {
        try {
            boolean ended = cancellation.isCancelled() && !cancellation.isAbandoned();
            call(step, name, ended ? new Cancellation() : cancellation, () -> {
                call.run();
                return true;
            });
        } catch (FailedException e) {
            report(step, name, e);
        } catch (RunInterruptedException | RunLeftException e) {
            LOG.debug("run {}: hook {} was abandoned: {}", events.runId(), name, e.getMessage());
        }
    }
}
