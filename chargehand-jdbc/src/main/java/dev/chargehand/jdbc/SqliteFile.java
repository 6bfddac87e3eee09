package dev.chargehand.jdbc;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.session.Sessions;
import dev.chargehand.jdbc.internal.sql.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteOpenMode;

/**
 * The file of a store, and the ways to connect to it.
 *
 * @param path absolute, so that a later change of the working folder does not matter
 */
record SqliteFile(Path path, SqliteOptions options) {

    /** How many statements stay prepared on a connection: more than are used for what is done often. */
    private static final int STATEMENTS = 64;

    /**
     * The bytes that the write-ahead log keeps when SQLite writes it from its start again: four times what it usually grows to. It grows without
     * a limit while another process reads, such as a backup, and would stay as large until the last process closes the store.
     */
    private static final int LARGEST_LOG = 16 << 20;

    /**
     * Name a file.
     *
     * @throws ConfigurationException if the path is null
     */
    static SqliteFile at(@Nullable Path path, SqliteOptions options) {
        if (path == null) {
            throw new ConfigurationException(
                    "The file of a store must not be null; pass a path such as Path.of(\"runs.db\").");
        }
        return new SqliteFile(path.toAbsolutePath(), options);
    }

    /**
     * Make sure that a store may be there, without changing anything, and without opening the file: to close it by
     * other means than SQLite's would drop the locks that other connections of this process have on it.
     */
    void requireUsable() {
        Path folder = path.getParent();
        if (Files.isDirectory(path)) {
            throw SqliteFailures.unusable(path, "is a folder; name a file in it", null);
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw SqliteFailures.unusable(
                    path, "has no folder; make the folder '" + folder + "', or name another file", null);
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw SqliteFailures.unusable(path, "is not a regular file; name another file", null);
        }
        if (!Files.isWritable(Files.exists(path) ? path : folder) || !Files.isWritable(folder)) {
            throw SqliteFailures.unusable(
                    path, "may not be written; check the rights of the file and of its folder", null);
        }
    }

    /** Return whether the file holds anything: SQLite takes an empty one for a new database. */
    boolean holdsAnything() {
        return isThere(path);
    }

    /** Return whether a process died before the file was in WAL mode; only a writer may repair that. */
    boolean hasRollbackJournal() {
        return isThere(beside("-journal"));
    }

    private static boolean isThere(Path file) {
        try {
            return Files.exists(file) && Files.size(file) > 0;
        } catch (IOException e) {
            throw SqliteFailures.unusable(file, "could not be read", e);
        }
    }

    private Path beside(String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }

    /**
     * Open the file for reading, without leaving a trace. Without a write-ahead log, no process has the file open and
     * it is read directly; else the log holds a part of the data and must be read with it.
     */
    Session openToInspect() {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setOpenMode(SQLiteOpenMode.OPEN_URI);
        config.setBusyTimeout(busyTimeout());
        return open(config, Files.exists(beside("-wal")) ? "" : "?immutable=1");
    }

    /** Open the connection that writes. */
    Session openToWrite() {
        return open(writing(), "");
    }

    /** Open a connection that cannot write. */
    Session openToRead() {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(busyTimeout());
        return open(config, "");
    }

    /**
     * Return a source of writing connections, for migrations: when one makes a table again, the rows that refer to the
     * old one must not be deleted with it. A transaction waits for its turn to write at its start: one that has read
     * cannot wait any more, and would fail whenever another process migrates at the same time.
     */
    SQLiteDataSource writers() {
        SQLiteConfig config = writing();
        config.enforceForeignKeys(false);
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(url());
        return source;
    }

    private SQLiteConfig writing() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(
                switch (options.synchronous()) {
                    case NORMAL, WHERE_NEEDED -> SQLiteConfig.SynchronousMode.NORMAL;
                    case FULL -> SQLiteConfig.SynchronousMode.FULL;
                });
        config.enforceForeignKeys(true);
        config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "true"); // deleted words leave the file
        config.setJournalSizeLimit(LARGEST_LOG);
        config.setGetGeneratedKeys(false); // else the driver prepares and executes a query after each insert
        config.setBusyTimeout(busyTimeout());
        return config;
    }

    /** Half of the call limit, so that a caller learns of the other process and not only of the time. */
    private int busyTimeout() {
        return (int) Math.min(Integer.MAX_VALUE, options.callLimit().toMillis() / 2);
    }

    private Session open(SQLiteConfig config, String query) {
        return new Sessions(Dialect.SQLITE, STATEMENTS, () -> config.createConnection(url() + query)).open();
    }

    /** Return a URI, where any character of a path can be written; the plain form would cut it at a '?'. */
    private String url() {
        return "jdbc:sqlite:file:" + path.toUri().getRawPath();
    }
}
