package dev.chargehand.internal.journal;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls of one store, each of which ends within a limit, with a typed error if need be. */
final class BoundedStoreCalls {

    private static final Logger LOG = LoggerFactory.getLogger(BoundedStoreCalls.class);

    private final BoundedCalls callouts;
    private final Duration limit;

    /** Then a second bound would only cost: a thread and an alarm for each call, about 1 µs and 1 KB. */
    private final boolean boundsItself;

    private BoundedStoreCalls(BoundedCalls callouts, Duration limit, boolean boundsItself) {
        this.callouts = callouts;
        this.limit = limit;
        this.boundsItself = boundsItself;
    }

    static BoundedStoreCalls to(Store store, BoundedCalls callouts, Duration limit) {
        return new BoundedStoreCalls(
                callouts,
                limit,
                store.answersWithin().filter(own -> own.compareTo(limit) <= 0).isPresent());
    }

    /** Close the store, which also a store that bounds itself does without a limit. */
    void close(Runnable close) {
        run("close", false, () -> {
            close.run();
            return null;
        });
    }

    /**
     * Call the store.
     *
     * @param what for messages, what it is to do: "find run r"
     */
    <T extends @Nullable Object> T run(String what, Callable<T> call) {
        return run(what, boundsItself, call);
    }

    private <T extends @Nullable Object> T run(String what, boolean here, Callable<T> call) {
        try {
            return bounded(what, here, call);
        } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
            throw failure(what, e);
        }
    }

    /**
     * Write, and read back after a failure that leaves open whether it was stored, as an answer of null does too.
     *
     * @param found reads the outcome, if it is in the store
     */
    <T> T determined(String what, Callable<T> call, Callable<Optional<T>> found) {
        try {
            return bounded(what, boundsItself, () -> Objects.requireNonNull(call.call(), "The store returned null."));
        } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
            ChargehandException failure = failure(what, e);
            if (saysThatNothingIsStored(e)) {
                throw failure;
            }
            return afterwards(what, found).orElseThrow(() -> failure);
        }
    }

    /** A store that cannot be read either leaves it open; the failure of the write counts then. */
    private <T> Optional<T> afterwards(String what, Callable<Optional<T>> found) {
        try {
            return run("see whether it could " + what, found);
        } catch (ChargehandException e) {
            LOG.debug("Whether the store could {} cannot be read: {}", what, e.getMessage());
            return Optional.empty();
        }
    }

    private <T extends @Nullable Object> T bounded(String what, boolean here, Callable<T> call)
            throws BoundedCalls.TimedOutException, BoundedCalls.ThrewException {
        CallSite site = CallSite.of(CallInfo.Kind.STORE, withoutId(what));
        return here ? callouts.callHere(site, call) : callouts.call(site, limit, new Cancellation(), call);
    }

    private static String withoutId(String what) {
        int id = what.indexOf(" run ");
        return id < 0 ? what : what.substring(0, id + 4);
    }

    private static boolean saysThatNothingIsStored(Exception e) {
        return e instanceof BoundedCalls.ThrewException threw
                && threw.thrown() instanceof ChargehandException typed
                && !(typed instanceof StoreException store && store.kind() == StoreException.Kind.TIMEOUT);
    }

    private ChargehandException failure(String what, Exception e) {
        if (!(e instanceof BoundedCalls.ThrewException threw)) {
            return new StoreException(
                    StoreException.Kind.TIMEOUT,
                    "The store took longer than " + ReadableTime.of(limit) + " to " + what
                            + "; check the store, then resume the run.",
                    e);
        }
        return threw.thrown() instanceof ChargehandException typed
                ? typed
                : new StoreException(StoreException.Kind.FAILED, "The store failed to " + what + ".", threw.thrown());
    }
}
