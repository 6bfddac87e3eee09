package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import java.sql.SQLException;
import java.util.Collection;

/** Large texts, each stored once under its hash for all facts and messages that have it, in SQL. */
public final class PayloadTable {

    private final Dialect dialect;

    public PayloadTable(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Store missing texts; until the end of the transaction, no other transaction deletes the existing ones. */
    public void insert(Session session, LargeTexts texts) {
        texts.byHash().forEach((hash, text) -> {
            while (!isThere(session, hash)) {
                session.sql("INSERT INTO payloads (hash, text) VALUES (:hash, :text) ON CONFLICT DO NOTHING")
                        .bind("hash", hash)
                        .bindText("text", text)
                        .update();
            }
        });
    }

    private boolean isThere(Session session, String hash) {
        return lock(session, hash, dialect.sharedRowLock());
    }

    /** Delete those of some payloads that neither a fact nor a message refers to. */
    public void deleteUnused(Session session, Collection<String> hashes) {
        for (String hash : hashes.stream().distinct().sorted().toList()) {
            // Waits for those who are about to refer to it, so that the next statement sees them.
            if (!lock(session, hash, dialect.rowLock())) {
                continue;
            }
            session.sql("""
                            DELETE FROM payloads WHERE hash = :hash
                                AND NOT EXISTS (SELECT 1 FROM facts WHERE payload = :hash)
                                AND NOT EXISTS (SELECT 1 FROM thread_messages WHERE payload = :hash)""").bind("hash", hash).update();
        }
    }

    private static boolean lock(Session session, String hash, String lock) {
        return session.sql("SELECT 1 FROM payloads WHERE hash = :hash" + lock)
                .bind("hash", hash)
                .hasRow();
    }

    /**
     * Read the text of a row with the columns {@code text}, {@code payload} and {@code payload_text}.
     *
     * @param what describes the owner of the text
     * @throws StoreException {@code UNREADABLE} if it is stored separately and is missing or changed
     */
    static String text(Row row, String what) throws SQLException {
        String hash = row.textIfThere("payload");
        if (hash == null) {
            return row.text("text");
        }
        String text = row.textIfThere("payload_text");
        if (text == null) {
            throw unreadable(what, hash, "no longer exists");
        }
        if (!LargeTexts.hash(text).equals(hash)) {
            throw unreadable(what, hash, "is not what was written");
        }
        return text;
    }

    private static StoreException unreadable(String what, String hash, String why) {
        return new StoreException(
                Kind.UNREADABLE,
                "The text of " + what + " cannot be read: it is stored as payload " + hash + ", which " + why
                        + ". Restore a backup of the store.",
                null);
    }
}
