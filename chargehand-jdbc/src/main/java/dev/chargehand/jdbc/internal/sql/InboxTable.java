package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Deliveries to the runs of a tenant, in SQL. */
public final class InboxTable {

    private static final List<String> WAKING = List.of(Delivery.Kind.values()).stream()
            .filter(Delivery.Kind::wakes)
            .map(kind -> "'" + kind.name() + "'")
            .toList();

    private final Dialect dialect;
    private final String tenant;
    private final WaitingTable waits;

    public InboxTable(Dialect dialect, String tenant, WaitingTable waits) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.waits = waits;
    }

    private record Target(long id, RunStatus status) {}

    /** Store a delivery if its run can read it; the lock on the root's row comes first, as everywhere. */
    public Delivered deliver(Session session, Delivery delivery) {
        String to = delivery.to().value();
        Optional<String> root = session.sql("SELECT root_run_id FROM runs WHERE run_id = :run AND tenant_id = :tenant")
                .bind("run", to)
                .bind("tenant", tenant)
                .first(row -> row.text("root_run_id"));
        if (root.isEmpty()) {
            return new Delivered.NotWaiting();
        }
        boolean locked = session.sql("SELECT id FROM runs WHERE run_id = :run" + dialect.rowLock())
                .bind("run", root.get())
                .hasRow();
        if (!locked) {
            return new Delivered.NotWaiting(); // It was deleted in between.
        }
        Target run = session.sql("SELECT id, status FROM runs WHERE run_id = :run")
                .bind("run", to)
                .one(row -> new Target(row.number("id"), RunStatus.valueOf(row.text("status"))));
        boolean isRead = !run.status().isEnded();
        if (!isRead && delivery.kind() != Delivery.Kind.MESSAGE) {
            return new Delivered.NotWaiting();
        }
        Optional<String> stored = session.sql("SELECT digest FROM deliveries WHERE " + dialect.pair("run", "id") + " = "
                        + dialect.pair(":run", ":id"))
                .bind("run", run.id())
                .bind("id", delivery.id())
                .first(row -> row.text(1));
        if (stored.isPresent()) {
            return new Delivered.Duplicate(stored.get());
        }
        if (!isRead) {
            return new Delivered.NotWaiting();
        }
        if (delivery.kind().answers() && !waits.answer(session, run.id(), delivery.id())) {
            return new Delivered.NotWaiting();
        }
        insert(session, run.id(), root.get(), delivery);
        return new Delivered.Accepted();
    }

    private void insert(Session session, long run, String root, Delivery delivery) {
        session.sql("""
                        INSERT INTO deliveries (run, id, kind, digest, body, at)
                        VALUES (:run, :id, :kind, :digest, :body, :at)""")
                .bind("run", run)
                .bind("id", delivery.id())
                .bind("kind", delivery.kind().name())
                .bind("digest", delivery.digest())
                .bindText("body", delivery.body().text())
                .bind("at", delivery.at().toEpochMilli())
                .update();
        session.sql("UPDATE runs SET undrained = undrained + 1, wakes = wakes + :wakes WHERE run_id = :root")
                .bind("wakes", delivery.kind().wakes() ? 1 : 0)
                .bind("root", root)
                .update();
    }

    public List<Delivery> undrained(Session session, RunId root) {
        return session.sql("""
                        SELECT r.run_id, d.id, d.kind, d.body, d.at
                        FROM runs r JOIN deliveries d ON d.run = r.id AND d.body IS NOT NULL
                        WHERE r.tenant_id = :tenant AND %s ORDER BY d.number""".formatted(dialect.equality("r.root_run_id", ":root")))
                .bind("root", root.value())
                .bind("tenant", tenant)
                .list(row -> {
                    return new Delivery(
                            new RunId(row.text("run_id")),
                            row.text("id"),
                            Delivery.Kind.valueOf(row.text("kind")),
                            Json.parse(row.text("body")),
                            row.time("at"));
                });
    }

    /**
     * Store what appends say about the inboxes of their runs.
     *
     * @throws StoreException {@code FENCED} if a delivery to drain is missing, {@code DELIVERED} if one must be read
     *     before
     */
    public Appended apply(Session session, List<Append> appends, RunTable.Advanced tree) {
        List<Delivery.Kind> drained = new ArrayList<>(0);
        for (Append append : appends) {
            long run = idOf(append, tree);
            waits.change(session, run, append);
            append.drains().forEach(id -> drained.add(drain(session, run, id, append)));
        }
        for (Append append : appends) {
            if (tree.undrained() > drained.size()) {
                requireRead(session, idOf(append, tree), append, tree.wakes() > wakes(drained));
            }
        }
        for (Append append : appends) {
            if (tree.undrained() > drained.size() && append.status().isEnded()) {
                drained.addAll(drainRest(session, idOf(append, tree)));
            }
        }
        if (!drained.isEmpty()) {
            session.sql("UPDATE runs SET undrained = undrained - :drained, wakes = wakes - :woken WHERE run_id = :root")
                    .bind("drained", drained.size())
                    .bind("woken", wakes(drained))
                    .bind("root", appends.getFirst().rootRunId().value())
                    .update();
        }
        return new Appended(tree.treeLength(), tree.undrained() - drained.size(), tree.wakes() - wakes(drained));
    }

    private static long idOf(Append append, RunTable.Advanced tree) {
        return Objects.requireNonNull(tree.ids().get(append.runId()));
    }

    private static long wakes(List<Delivery.Kind> kinds) {
        return kinds.stream().filter(Delivery.Kind::wakes).count();
    }

    private static Delivery.Kind drain(Session session, long run, String id, Append append) {
        return session.sql("""
                        UPDATE deliveries SET body = NULL WHERE run = :run AND id = :id AND body IS NOT NULL
                        RETURNING kind""")
                .bind("run", run)
                .bind("id", id)
                .first(row -> Delivery.Kind.valueOf(row.text(1)))
                .orElseThrow(() -> RunTable.takenOver(append.runId()));
    }

    private static List<Delivery.Kind> drainRest(Session session, long run) {
        return session.sql("UPDATE deliveries SET body = NULL WHERE run = :run AND body IS NOT NULL RETURNING kind")
                .bind("run", run)
                .list(row -> Delivery.Kind.valueOf(row.text(1)));
    }

    private static void requireRead(Session session, long run, Append append, boolean treeWakes) {
        boolean suspends = append.status() == RunStatus.SUSPENDED && treeWakes;
        boolean unread = (suspends && (append.isRoot() || isUndrained(session, run, String.join(", ", WAKING))))
                || (append.readsAllMessages() && isUndrained(session, run, "'" + Delivery.Kind.MESSAGE.name() + "'"));
        if (unread) {
            throw new StoreException(
                    Kind.DELIVERED,
                    "Run " + append.runId() + " has received something that it has to read first.",
                    null);
        }
    }

    /** The kinds are a fixed text. */
    private static boolean isUndrained(Session session, long run, String kinds) {
        return session.sql("SELECT 1 FROM deliveries WHERE run = :run AND body IS NOT NULL AND kind IN (" + kinds
                        + ") LIMIT 1")
                .bind("run", run)
                .hasRow();
    }
}
