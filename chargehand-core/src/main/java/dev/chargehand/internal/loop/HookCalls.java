package dev.chargehand.internal.loop;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Log;
import dev.chargehand.internal.limit.Redactor;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.limit.RunLeft;
import dev.chargehand.internal.stream.RunEvents;
import dev.chargehand.internal.text.ReadableTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Calls hooks on threads that can be abandoned. What it means that one failed is for its caller to say.
 *
 * @param limit how long a hook may take
 * @param events where failures are told
 * @param agentId whose hooks they are
 */
public record HookCalls(Callouts callouts, Redactor redactor, Duration limit, RunEvents events, String agentId) {

    private static final Log LOG = Log.of(HookCalls.class);

    /** A hook threw, returned nothing or took too long; the message says which, without secrets. */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        private Failed(String message, Throwable cause) {
            super(message, cause, false, false);
        }
    }

    /**
     * Calls a hook.
     *
     * @throws RunInterrupted if it was cancelled meanwhile
     */
    <T> T call(String name, Cancellation cancellation, Callable<T> call) throws Failed {
        try {
            return callouts.call(
                    "hook " + name, limit, cancellation, () -> Objects.requireNonNull(call.call(), "it returned null"));
        } catch (Callouts.TimedOut e) {
            throw new Failed("it took longer than " + ReadableTime.of(limit), e);
        } catch (Callouts.Threw e) {
            throw new Failed(redactor.describe(e.thrown()), e.thrown());
        }
    }

    /** Tells that a hook failed, and that nothing comes of it. */
    void report(int step, String name, Failed failure) {
        LOG.warn("run {} agent {}: hook {} failed: {}", events.runId(), agentId, name, failure.getMessage());
        events.tell(step, o -> new RunEvent.HookError(o, name, String.valueOf(failure.getMessage())));
    }

    /** Tells a hook about a run that is over; a cancellation from now on gives the hook up, and changes nothing else. */
    public void tellEnd(int step, String name, Cancellation cancellation, Runnable call) {
        try {
            boolean ended = cancellation.isCancelled() && !cancellation.isAbandoned();
            call(name, ended ? new Cancellation() : cancellation, () -> {
                call.run();
                return true;
            });
        } catch (Failed e) {
            report(step, name, e);
        } catch (RunInterrupted | RunLeft e) {
            LOG.debug("run {}: hook {} was given up: {}", events.runId(), name, e.getMessage());
        }
    }
}
