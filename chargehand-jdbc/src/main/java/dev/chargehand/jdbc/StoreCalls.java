package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.CallQueue;
import dev.chargehand.jdbc.internal.session.Session;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes calls to a database, each of which has an answer within the limit of the options. Thread-safe. */
final class StoreCalls {

    private final Database database;

    StoreCalls(Database database) {
        this.database = database;
    }

    /**
     * Do something in a transaction.
     *
     * @param durable whether a power cut must not take it back
     */
    <T extends @Nullable Object> T write(Function<Session, T> work, boolean durable) {
        return call(database::write, new Call<>(work, durable));
    }

    /** Do something outside of transactions, on the connection that writes. */
    void alone(Consumer<Session> work) {
        call(database::write, Call.alone(session -> {
            work.accept(session);
            return null;
        }));
    }

    /** Read something. */
    <T extends @Nullable Object> T read(Function<Session, T> work) {
        return call(database::read, new Call<>(work));
    }

    private interface Way {
        CallQueue.Put put(Call<?> call, long deadline);
    }

    private <T extends @Nullable Object> T call(Way way, Call<T> call) {
        long deadline = System.nanoTime() + database.callLimit().toNanos();
        switch (way.put(call, deadline)) {
            case DONE -> {}
            case FULL -> throw timeout("it was not started, and nothing of it is stored");
            case CLOSED -> throw database.closed();
        }
        try {
            return call.await(deadline);
        } catch (TimeoutException e) {
            throw timeout(
                    call.giveUp()
                            ? "it was not started, and nothing of it is stored"
                            : "it was started, and a write may still be stored");
        }
    }

    private StoreException timeout(String standing) {
        return new StoreException(
                Kind.TIMEOUT,
                "The store '" + database.name() + "' did not answer a call within " + database.callLimit() + "; "
                        + standing + ". " + database.whySlow(),
                null);
    }
}
