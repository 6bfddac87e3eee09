package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.call.Causes;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Says what a failure of SQLite means for the caller.
 *
 * <p>The cause of what it makes is the driver's exception, never a failure of our own, whose message may repeat values.
 */
final class SqliteFailures {

    private SqliteFailures() {}

    /** Make the exception for a read or write that failed; nothing of it is stored. */
    static StoreException of(Path file, Throwable failure) {
        SQLException cause = Causes.sql(failure);
        SQLiteErrorCode code = codeOf(cause);
        return switch (family(code)) {
            case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(file, code, cause);
            case SQLITE_FULL, SQLITE_IOERR ->
                failed(
                        file,
                        code,
                        "the disk is full, a size limit is reached, or the disk failed; make room and try again",
                        cause);
            case SQLITE_BUSY, SQLITE_LOCKED ->
                failed(file, code, "another process holds its write lock; try again when that one is done", cause);
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
                failed(file, code, "it may not be written; check the rights of the file and its folder", cause);
            case SQLITE_TOOBIG ->
                failed(file, code, "a text is longer than SQLite's limit of 1,000,000,000 bytes", cause);
            default ->
                failed(
                        file,
                        code,
                        "this is not expected; please report it with the cause below",
                        cause == null ? Causes.plain(failure) : cause);
        };
    }

    /** Make the exception for a file that cannot be opened. */
    static StoreException opening(Path file, Throwable failure) {
        SQLException cause = Causes.sql(failure);
        SQLiteErrorCode code = codeOf(cause);
        return switch (family(code)) {
            case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(file, code, cause);
            case SQLITE_BUSY, SQLITE_LOCKED ->
                unusable(
                        file,
                        "is locked by another process (" + code.name() + "); try again when that one is done",
                        cause);
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
                unusable(
                        file,
                        "may not be written (" + code.name() + "); check the rights of the file and its folder",
                        cause);
            case SQLITE_FULL, SQLITE_IOERR ->
                unusable(file, "has no room on its disk, or the disk failed (" + code.name() + "); make room", cause);
            default ->
                unusable(
                        file,
                        "could not be opened (" + code.name() + "); it was not changed",
                        cause == null ? failure : cause);
        };
    }

    /** Make the exception for a file that is not to be touched. */
    static StoreException unusable(Path file, String what, @Nullable Throwable cause) {
        return new StoreException(Kind.UNUSABLE, "The store '" + file + "' " + what + ".", cause);
    }

    /** Make the exception for a file that is not any more where it was opened. */
    static StoreException lost(Path file) {
        return unusable(
                file,
                "was deleted, moved or replaced while it was open, or its write-ahead log '" + file.getFileName()
                        + "-wal' was; what is written now is lost. Put the files back where they were, or close the store,"
                        + " restore a backup and open it again",
                null);
    }

    /** Make the exception for a write-ahead log that cannot be emptied now. */
    static StoreException logInUse(Path file) {
        return new StoreException(
                Kind.FAILED,
                "The write-ahead log '" + file.getFileName() + "-wal' of the store '" + file
                        + "' could not be emptied, because another process reads the store: what was deleted is gone from the"
                        + " store, and may still be in the log. Try again when that process is done.",
                null);
    }

    /** Make the exception for a file whose content is not what it should be. */
    private static StoreException damaged(Path file, SQLiteErrorCode code, @Nullable Throwable cause) {
        return unusable(
                file,
                "is damaged or not a SQLite database (" + code.name()
                        + "); it was not changed. Keep a copy, then restore a backup or save what can be read with"
                        + " sqlite3's .recover, or name another file",
                cause);
    }

    private static StoreException failed(Path file, SQLiteErrorCode code, String why, @Nullable Throwable cause) {
        return new StoreException(
                Kind.FAILED,
                "The store '" + file + "' could not be read or written (" + code.name() + "): " + why
                        + ". Nothing of this call is stored.",
                cause);
    }

    private static SQLiteErrorCode codeOf(@Nullable SQLException cause) {
        return cause instanceof SQLiteException sqlite ? sqlite.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    /** Return the family of an error code, which is its lowest byte: {@code IOERR} of {@code IOERR_WRITE}. */
    private static SQLiteErrorCode family(SQLiteErrorCode code) {
        return SQLiteErrorCode.getErrorCode(code.code & 0xff);
    }
}
