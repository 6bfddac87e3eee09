package dev.chargehand.internal.engine.lease;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.log.Log;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.Lease;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A lease whose every call ends within a limit. A run whose owner it cannot decide on keeps the owner that it has. */
final class BoundedLease {

    private static final Log LOG = Log.of(BoundedLease.class);

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Lease lease;
    private final BoundedCalls callouts;

    BoundedLease(Lease lease, BoundedCalls callouts) {
        this.lease = lease;
        this.callouts = callouts;
    }

    /**
     * Return the name under which a run is owned.
     *
     * @throws HookException if the lease names none
     */
    String owner(RunId run) {
        String name;
        try {
            name = call("owner", () -> lease.owner(run));
        } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
            throw new HookException(
                    "Run " + run + ": the lease of the runtime did not name its owner: " + e.getMessage()
                            + "; the run is not executed here.",
                    e);
        }
        if (name == null || name.isBlank()) {
            throw new HookException(
                    "Run " + run + ": the lease of the runtime returned no name for its owner; return a text that is"
                            + " not blank.",
                    null);
        }
        return name;
    }

    /** Return whether a run may be taken from its owner; false without an answer. */
    boolean mayTake(RunRecord run) {
        try {
            return Boolean.TRUE.equals(call("mayTake", () -> lease.mayTake(run)));
        } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
            LOG.warn("run {}: it is not taken, because the lease did not answer: {}", run.runId(), e.getMessage());
            return false;
        }
    }

    void keep(String owner) {
        notify("keep", () -> lease.keep(owner));
    }

    /** Do the same without waiting for it; failures are logged. */
    void keepAside(String owner) {
        callouts.start(site("keep"), LIMIT, () -> lease.keep(owner));
    }

    void end(String owner) {
        notify("end", () -> lease.end(owner));
    }

    private void notify(String method, Runnable call) {
        try {
            boolean ignored = call(method, () -> {
                call.run();
                return true;
            });
        } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
            LOG.warn("The lease of the runtime failed to {} a name: {}", method, e.getMessage());
        }
    }

    private <T extends @Nullable Object> T call(String method, Callable<T> call)
            throws BoundedCalls.TimedOutException, BoundedCalls.ThrewException {
        return callouts.call(site(method), LIMIT, new Cancellation(), call);
    }

    private static CallSite site(String method) {
        return CallSite.of(CallInfo.Kind.HOOK, "lease." + method);
    }
}
