package dev.chargehand.jdbc;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.CallQueue;
import dev.chargehand.jdbc.internal.call.Causes;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.session.Sessions;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.memory.VectorForm;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A schema of a PostgreSQL database.
 *
 * <p>A call has a virtual thread and a transaction of its own. It is not the caller's thread, because an interrupt
 * would close the socket under the driver, and it would be unknown whether the transaction was committed. Callers wait
 * for a connection in order, before that thread starts.
 */
final class PostgresDatabase implements Database {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);

    private static final int ATTEMPTS = 5;

    private final String name;
    private final VectorForm vectors;
    private final PostgresSource source;
    private final PostgresOptions options;
    private final Sessions sessions;
    private final Semaphore connections;
    private final AtomicReference<String> snapshot = new AtomicReference<>("");
    private volatile boolean closed;
    private volatile @Nullable PostgresListener listener;

    private PostgresDatabase(PostgresSchema.Opened opened, PostgresSource source, PostgresOptions options) {
        this.name = opened.name();
        this.vectors = opened.vectors();
        this.source = source;
        this.options = options;
        this.sessions = new Sessions(Dialect.POSTGRESQL, 0, source.pool()::getConnection);
        this.connections = new Semaphore(options.connections(), true);
    }

    static PostgresDatabase open(PostgresSource source, PostgresOptions options) {
        try {
            return new PostgresDatabase(new PostgresSchema(source, options).open(), source, options);
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public VectorForm vectors() {
        return vectors;
    }

    @Override
    public Duration callLimit() {
        return options.callLimit();
    }

    @Override
    public Duration threadGrace() {
        return options.threadGrace();
    }

    @Override
    public Instant now(Session session) {
        return Instant.ofEpochMilli(
                session.sql("SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)")
                        .one(row -> row.number(1)));
    }

    @Override
    public Instant leaseTime(Session session) {
        return now(session);
    }

    /** The snapshot is another one after every end of a transaction that has written, in any order of their ends. */
    @Override
    public boolean hasChanged(Session session) {
        String now = session.sql("SELECT CAST(pg_current_snapshot() AS text)").one(row -> row.text(1));
        return !now.equals(snapshot.getAndSet(now));
    }

    @Override
    public void announce(Session session) {
        if (options.notifications().isPresent()) {
            PostgresListener.announce(session, options.schema());
        }
    }

    @Override
    public void onAnnouncement(Runnable action) {
        source.listening().ifPresent(connections -> {
            PostgresListener opened = new PostgresListener(name, connections, options.schema(), action);
            listener = opened;
            opened.start();
        });
    }

    @Override
    public CallQueue.Put write(Call<?> call, long deadline) {
        return put(call, deadline, true);
    }

    @Override
    public CallQueue.Put read(Call<?> call, long deadline) {
        return put(call, deadline, false);
    }

    private CallQueue.Put put(Call<?> call, long deadline, boolean writes) {
        if (closed) {
            return CallQueue.Put.CLOSED;
        }
        if (!acquired(1, deadline)) {
            return CallQueue.Put.FULL;
        }
        if (closed) {
            connections.release();
            return CallQueue.Put.CLOSED;
        }
        Thread.ofVirtual().name("chargehand-store-call").start(() -> {
            try {
                answer(call, deadline, writes);
            } finally {
                connections.release();
            }
        });
        return CallQueue.Put.DONE;
    }

    /** Wait for connections until a moment; an interrupt is kept for later. */
    private boolean acquired(int count, long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return connections.tryAcquire(count, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void answer(Call<?> call, long deadline, boolean writes) {
        if (!call.begin()) {
            return;
        }
        for (int attempt = 1; ; attempt++) {
            Transaction transaction = new Transaction();
            try {
                transaction.run(call, deadline);
                call.settle();
                return;
            } catch (StoreException e) {
                call.fail(e);
                return;
            } catch (Throwable e) {
                boolean lost = PostgresFailures.isLost(e);
                if (lost) {
                    source.distrust();
                }
                if (lost && writes && transaction.committing) {
                    call.fail(PostgresFailures.unknown(name, e));
                    return;
                }
                boolean again =
                        (lost || PostgresFailures.isPassing(e)) && attempt < ATTEMPTS && System.nanoTime() < deadline;
                if (!again) {
                    call.fail(PostgresFailures.of(name, e));
                    return;
                }
                LOG.debug("A call is tried again after attempt {}.", attempt, PostgresFailures.of(name, e));
            }
        }
    }

    private final class Transaction {

        private boolean committing;

        private void run(Call<?> call, long deadline) {
            Session session = sessions.open();
            try {
                session.start();
                if (source.isForeign()) {
                    session.execute(
                            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; " + options.settings("LOCAL"));
                }
                if (!attempted(call, session)) {
                    session.rollback();
                } else if (System.nanoTime() < deadline) {
                    committing = true;
                    session.commit();
                } else {
                    // The caller may be gone, and has received an error that it takes too long.
                    throw PostgresFailures.late(name);
                }
            } catch (Throwable e) {
                quietly(session::rollback);
                throw e;
            } finally {
                quietly(session::close);
            }
        }

        /** Execute the call; false if it was rejected and must be rolled back. */
        private static boolean attempted(Call<?> call, Session session) {
            try {
                call.attempt(session);
                return true;
            } catch (ChargehandException refusal) {
                call.refuse(refusal);
                return false;
            }
        }
    }

    /** End what may have ended already; how it does so changes nothing of the outcome. */
    private static void quietly(Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            LOG.debug("A connection did not end its transaction in order.", Causes.plain(e));
        }
    }

    @Override
    public StoreException closed() {
        return PostgresFailures.unusable(name, Database.CLOSED, null);
    }

    @Override
    public String whySlow() {
        return "Is the database slow, or do its " + options.connections() + " connections not suffice?";
    }

    @Override
    public void close() {
        PostgresListener opened = listener;
        if (opened != null) {
            opened.close();
        }
        // Behind all who wait for a connection already.
        int all = options.connections();
        boolean finished = acquired(all, System.nanoTime() + options.callLimit().toNanos());
        closed = true;
        if (finished) {
            connections.release(all);
        } else {
            LOG.warn("The store '{}' still has calls on their way after {}.", name, options.callLimit());
        }
        source.close();
    }
}
