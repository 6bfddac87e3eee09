package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.CallQueue;
import dev.chargehand.jdbc.internal.session.Session;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
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

    /**
     * Read something, and note something afterwards if what was read demands it. The caller does not wait for that, and it may come to
     * nothing.
     */
    <T> T readAndNote(Function<Session, T> work, Predicate<T> demands, Consumer<Session> note) {
        long deadline = System.nanoTime() + database.callLimit().toNanos();
        T read = call(database::read, new Call<>(work), deadline);
        if (demands.test(read)) {
            CallQueue.Put ignored = database.write(
                    new Call<>(session -> {
                        note.accept(session);
                        return read;
                    }),
                    deadline);
        }
        return read;
    }

    private interface Way {
        CallQueue.Put put(Call<?> call, long deadline);
    }

    private <T extends @Nullable Object> T call(Way way, Call<T> call) {
        return call(way, call, System.nanoTime() + database.callLimit().toNanos());
    }

    private <T extends @Nullable Object> T call(Way way, Call<T> call, long deadline) {
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
