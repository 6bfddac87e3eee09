package dev.chargehand.jdbc;

import dev.chargehand.jdbc.internal.call.Causes;
import dev.chargehand.jdbc.internal.session.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that listens for what other processes announce, with a thread of its own, since the driver waits for
 * notifications under its lock. A broken connection is opened again.
 */
final class PostgresListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);

    /** After so long the connection is tested, for a database that is gone without a word. */
    private static final int TEST_MILLIS = 10_000;

    private static final long LONGEST_PAUSE_SECONDS = 30;

    private final String name;
    private final DataSource connections;
    private final String channel;
    private final Runnable action;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private boolean closed;
    private @Nullable Connection open;

    /**
     * Create a listener that has not been started.
     *
     * @param channel the name of the schema
     * @param action quick; called after an announcement, and after the connection was opened, since announcements may
     *     have been missed before
     */
    PostgresListener(String name, DataSource connections, String channel, Runnable action) {
        this.name = name;
        this.connections = connections;
        this.channel = channel;
        this.action = action;
    }

    /** Announce something with the transaction of the session; PostgreSQL notifies when it is committed. */
    static void announce(Session session, String channel) {
        session.sql("NOTIFY \"" + channel + "\"").update();
    }

    void start() {
        Thread ignored =
                Thread.ofPlatform().daemon().name("chargehand-store-listener").start(this::run);
    }

    private void run() {
        long pause = 1;
        while (!isClosed()) {
            try (Connection connection = connections.getConnection()) {
                if (!opened(connection)) {
                    return;
                }
                listen(connection);
                pause = 1;
                receive(connection.unwrap(PGConnection.class), connection);
            } catch (SQLException | RuntimeException e) {
                if (isClosed()) {
                    return;
                }
                LOG.warn(
                        "The store '{}' cannot listen for notifications, and looks for changes every 250 ms until it"
                                + " can; the next attempt is in {} s.",
                        name,
                        pause,
                        Causes.plain(e));
                pause(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_SECONDS);
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // It is idle for as long as no process announces anything.
            statement.execute(PostgresOptions.lifted("idle_session_timeout", false));
            statement.execute("LISTEN \"" + channel + "\"");
        }
        action.run();
    }

    private void receive(PGConnection notifications, Connection connection) throws SQLException {
        while (!isClosed()) {
            PGNotification[] received = notifications.getNotifications(TEST_MILLIS);
            if (received != null && received.length > 0) {
                action.run();
            } else if (!isClosed() && !connection.isValid(TEST_MILLIS / 1000)) {
                throw new SQLException("The connection that listens is broken.");
            }
        }
    }

    /** Note which connection is to be closed with the store; returns false if the store was closed before. */
    private boolean opened(Connection connection) {
        lock.lock();
        try {
            open = connection;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void pause(long seconds) {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(seconds);
            while (left > 0 && !closed) {
                left = closing.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            closed = true; // nothing of ours interrupts it
        } finally {
            lock.unlock();
        }
    }

    /** Close the connection, which ends the wait on it. */
    @Override
    public void close() {
        Connection connection;
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
            connection = open;
        } finally {
            lock.unlock();
        }
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("The connection that listens was not closed in order.", Causes.plain(e));
            }
        }
    }
}
