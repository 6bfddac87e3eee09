package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.store.version.SavedVersion;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The saved versions of the agents of a tenant, in SQL. */
public final class VersionTable {

    private static final String SELECT = """
            SELECT v.agent_id, v.version, v.document, v.created_at, p.version AS published,
                (SELECT max(version) FROM agent_versions WHERE tenant_id = :tenant AND agent_id = :agent) AS latest
            FROM agent_versions v
                JOIN agent_published p ON p.tenant_id = v.tenant_id AND p.agent_id = v.agent_id
            WHERE v.tenant_id = :tenant AND v.agent_id = :agent""";

    private final Dialect dialect;
    private final String tenant;

    public VersionTable(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /** Save a document, unless the latest version has the same. */
    public SavedVersion save(Session session, String agentId, String document, Instant at) {
        of(session, agentId, """
                        INSERT INTO agent_published (tenant_id, agent_id, last) VALUES (:tenant, :agent, 0)
                        ON CONFLICT (tenant_id, agent_id) DO NOTHING""").update();
        long last = lock(session, agentId).orElseThrow();
        Optional<SavedVersion> latest = latest(session, agentId);
        if (latest.isPresent() && latest.get().document().equals(document)) {
            return latest.get();
        }
        long next = last + 1;
        of(session, agentId, """
                        INSERT INTO agent_versions (tenant_id, agent_id, version, document, created_at)
                        VALUES (:tenant, :agent, :next, :document, :at)""")
                .bind("next", next)
                .bindText("document", document)
                .bind("at", Millis.of(at))
                .update();
        of(session, agentId, """
                        UPDATE agent_published SET last = :next WHERE tenant_id = :tenant AND agent_id = :agent""").bind("next", next).update();
        return find(session, agentId, next).orElseThrow();
    }

    /** Keep others from changing the versions of an agent until the transaction is over; returns the number saved last. */
    private Optional<Long> lock(Session session, String agentId) {
        return of(
                        session,
                        agentId,
                        "SELECT last FROM agent_published WHERE tenant_id = :tenant AND agent_id = :agent"
                                + dialect.rowLock())
                .first(row -> row.number("last"));
    }

    /** Return a version. */
    public Optional<SavedVersion> find(Session session, String agentId, long number) {
        return of(session, agentId, SELECT + " AND v.version = :number")
                .bind("number", number)
                .first(VersionTable::version);
    }

    /** Return the version that was saved last. */
    public Optional<SavedVersion> latest(Session session, String agentId) {
        return list(session, agentId, Long.MAX_VALUE, 1).stream().findFirst();
    }

    /** Return the published version. */
    public Optional<SavedVersion> published(Session session, String agentId) {
        return of(session, agentId, SELECT + " AND v.version = p.version").first(VersionTable::version);
    }

    /** Return versions with a lower number, the last first. */
    public List<SavedVersion> list(Session session, String agentId, long before, int limit) {
        return of(session, agentId, SELECT + " AND v.version < :before ORDER BY v.version DESC LIMIT :limit")
                .bind("before", before)
                .bind("limit", Math.max(0, limit))
                .list(VersionTable::version);
    }

    /** Make a version the published one; returns whether it exists. */
    public boolean publish(Session session, String agentId, long number) {
        Optional<Long> ignored = lock(session, agentId);
        return of(session, agentId, """
                                UPDATE agent_published SET version = :number
                                WHERE tenant_id = :tenant AND agent_id = :agent AND EXISTS (
                                    SELECT 1 FROM agent_versions
                                    WHERE tenant_id = :tenant AND agent_id = :agent AND version = :number)""").bind("number", number).update() > 0;
    }

    /** Delete a version that is not published; returns whether it did. */
    public boolean delete(Session session, String agentId, long number) {
        Optional<Long> ignored = lock(session, agentId);
        return of(session, agentId, """
                                DELETE FROM agent_versions
                                WHERE tenant_id = :tenant AND agent_id = :agent AND version = :number AND NOT EXISTS (
                                    SELECT 1 FROM agent_published
                                    WHERE tenant_id = :tenant AND agent_id = :agent AND version = :number)""").bind("number", number).update() > 0;
    }

    private BoundSql of(Session session, String agentId, String sql) {
        return session.sql(sql).bind("tenant", tenant).bind("agent", agentId);
    }

    private static SavedVersion version(Row row) throws SQLException {
        long number = row.number("version");
        Long published = row.numberIfThere("published");
        return new SavedVersion(
                row.text("agent_id"),
                number,
                row.text("document"),
                row.time("created_at"),
                published != null && published == number,
                row.number("latest") == number);
    }
}
