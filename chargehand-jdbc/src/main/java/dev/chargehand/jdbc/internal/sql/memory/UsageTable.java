package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.run.Usage;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.thread.ThreadOwner;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How many tokens the memory of a tenant's resources has used, in SQL. */
public final class UsageTable {

    private static final String ROW = "scope = :scope AND day = :day AND part = :part AND model = :model";

    private final Dialect dialect;
    private final OwnedThreads threads;
    private final ScopeTable scopes;

    UsageTable(Dialect dialect, OwnedThreads threads, ScopeTable scopes) {
        this.dialect = dialect;
        this.threads = threads;
        this.scopes = scopes;
    }

    /** Add tokens, unless the thread is missing; returns whether it exists. */
    public boolean add(Session session, ThreadOwner owner, String threadId, MemoryUsage used) {
        // The thread first: it cannot be deleted then, and what is counted for a resource goes after its threads.
        boolean exists = threads.kept(session, threadId, owner).isPresent();
        if (exists) {
            long scope = scopes.findOrMake(session, of(owner.resourceId()), ScopeTable.ALL_THREADS);
            add(session, scope, used);
        }
        return exists;
    }

    /** The sum is made here, where one that is too large is known. */
    private void add(Session session, long scope, MemoryUsage used) {
        bind(session.sql("""
                                INSERT INTO memory_usage (scope, day, part, model, input, output, cached, reasoning)
                                VALUES (:scope, :day, :part, :model, 0, 0, 0, 0) ON CONFLICT DO NOTHING"""), scope, used).update();
        Usage sum = bind(
                        session.sql("SELECT input, output, cached, reasoning FROM memory_usage WHERE " + ROW
                                + dialect.rowLock()),
                        scope,
                        used)
                .one(UsageTable::usage)
                .plus(used.usage());
        bind(
                        session.sql("UPDATE memory_usage SET input = :input, output = :output, cached = :cached,"
                                + " reasoning = :reasoning WHERE " + ROW),
                        scope,
                        used)
                .bind("input", sum.inputTokens())
                .bind("output", sum.outputTokens())
                .bind("cached", sum.cachedInputTokens())
                .bind("reasoning", sum.reasoningTokens())
                .update();
    }

    private static BoundSql bind(BoundSql sql, long scope, MemoryUsage used) {
        return sql.bind("scope", scope)
                .bind("day", used.day().toEpochDay())
                .bind("part", used.part().name())
                .bind("model", used.model());
    }

    private static Usage usage(Row row) throws SQLException {
        return new Usage(row.number("input"), row.number("output"), row.number("cached"), row.number("reasoning"));
    }

    /** Return what was used for a resource since a day. */
    public List<MemoryUsage> since(Session session, @Nullable String resourceId, LocalDate day) {
        Optional<Long> scope = scopes.find(session, of(resourceId), ScopeTable.ALL_THREADS);
        if (scope.isEmpty()) {
            return List.of();
        }
        return session
                .sql("""
                        SELECT day, part, model, input, output, cached, reasoning FROM memory_usage
                        WHERE scope = :scope AND day >= :day""")
                .bind("scope", scope.get())
                .bind("day", day.toEpochDay())
                .list(row -> new MemoryUsage(
                        LocalDate.ofEpochDay(row.number("day")),
                        MemoryUsage.Part.valueOf(row.text("part")),
                        row.text("model"),
                        usage(row)))
                .stream()
                .sorted(MemoryUsage.NEWEST_FIRST)
                .toList();
    }

    private static ThreadOwner of(@Nullable String resourceId) {
        return new ThreadOwner(resourceId, null);
    }

    /** Delete what was used before a day, of all tenants; returns how many rows. */
    public int deleteBefore(Session session, LocalDate day, int limit) {
        return session.sql("""
                        DELETE FROM memory_usage WHERE id IN
                            (SELECT id FROM memory_usage WHERE day < :day ORDER BY day LIMIT :limit)""")
                .bind("day", day.toEpochDay())
                .bind("limit", Math.max(0, limit))
                .update();
    }

    /** Delete what was used for a resource. */
    void deleteOfResource(Session session, String resourceId) {
        for (long scope : scopes.ofResource(session, resourceId)) {
            session.sql("DELETE FROM memory_usage WHERE scope = :scope")
                    .bind("scope", scope)
                    .update();
        }
    }
}
