package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.session.TextForm;

/** In what the databases differ; everything else is said once, in SQL that each of them takes. */
public enum Dialect implements TextForm {
    SQLITE(
            "db/sqlite",
            "SELECT name FROM sqlite_schema WHERE type = 'table'",
            "", // There is one writer.
            "",
            "(thread, message_id)",
            "unixepoch('now', 'subsec') * 1000") {
        @Override
        public String written(String text) {
            return text;
        }

        @Override
        public String read(String stored) {
            return stored;
        }

        @Override
        public String equality(String column, String parameter) {
            return column + " = " + parameter;
        }

        @Override
        public String absence(String column) {
            return column + " IS NULL";
        }

        @Override
        public String pair(String number, String id) {
            return "(" + number + ", " + id + ")";
        }

        @Override
        public String threadOfTenant() {
            return "tenant_id = :tenant AND thread_id = :thread";
        }

        @Override
        public String scope() {
            return "tenant_id = :tenant AND resource_id = :resource AND agent_path = :path AND thread = :thread";
        }

        /** A writer is already exclusive among all processes. */
        @Override
        public void lockThread(Session session, String tenant, String threadId) {}
    },

    POSTGRESQL(
            "db/postgresql",
            "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
            " FOR UPDATE",
            " FOR KEY SHARE",
            "ON CONSTRAINT message_once",
            "extract(epoch FROM clock_timestamp()) * 1000") {
        @Override
        public String written(String text) {
            return NulEscape.escape(text);
        }

        @Override
        public String read(String stored) {
            return NulEscape.unescape(stored);
        }

        /** An index takes 2,700 bytes at most, and an id may be longer: the index holds the start of each id. */
        @Override
        public String equality(String column, String parameter) {
            return "left(%s, 500) = left(%s, 500) AND %s = %s".formatted(column, parameter, column, parameter);
        }

        @Override
        public String absence(String column) {
            return "left(" + column + ", 500) IS NULL";
        }

        /** The form that the hash index of a unique rule has. */
        @Override
        public String pair(String number, String id) {
            return "(CAST(" + number + " AS text) || ' ' || " + id + ")";
        }

        /** The form that the hash index of a unique rule has; the length keeps two pairs from being the same text. */
        @Override
        public String threadOfTenant() {
            return "(CAST(length(tenant_id) AS text) || ':' || tenant_id || thread_id)"
                    + " = (CAST(length(:tenant) AS text) || ':' || :tenant || :thread)";
        }

        /** The form that the hash index of a unique rule has, as with threads. */
        @Override
        public String scope() {
            return "(CAST(length(tenant_id) AS text) || ':' || tenant_id || CAST(length(resource_id) AS text) || ':'"
                    + " || resource_id || CAST(thread AS text) || ':' || agent_path)"
                    + " = (CAST(length(:tenant) AS text) || ':' || :tenant || CAST(length(:resource) AS text) || ':'"
                    + " || :resource || CAST(:thread AS text) || ':' || :path)";
        }

        /** The lock is on a number, and threads whose numbers are equal wait for each other, which does no harm. */
        @Override
        public void lockThread(Session session, String tenant, String threadId) {
            session.sql("""
                            SELECT 1 FROM pg_advisory_xact_lock(
                                hashtextextended('chargehand ' || :tenant || ' ' || :thread, 0))""").bind("tenant", tenant).bind("thread", threadId).one(row -> row.number(1));
        }
    };

    private final String migrations;
    private final String tables;
    private final String rowLock;
    private final String sharedRowLock;
    private final String messageOnce;
    private final String nowInMillis;

    Dialect(
            String migrations,
            String tables,
            String rowLock,
            String sharedRowLock,
            String messageOnce,
            String nowInMillis) {
        this.migrations = migrations;
        this.tables = tables;
        this.rowLock = rowLock;
        this.sharedRowLock = sharedRowLock;
        this.messageOnce = messageOnce;
        this.nowInMillis = nowInMillis;
    }

    /** Return the folder of the migrations, on the class path. */
    String migrations() {
        return migrations;
    }

    /** Return a query for the names of all tables there are. */
    String tables() {
        return tables;
    }

    /** Return what ends a query that keeps others from changing what it found until the transaction is over. */
    public String rowLock() {
        return rowLock;
    }

    /** Return what ends a query that leaves out the rows that others are changing, and keeps them from the rest. */
    public String freeRows() {
        return rowLock.isEmpty() ? "" : rowLock + " SKIP LOCKED";
    }

    /** Return what ends a query that keeps others from deleting what it found, but not from referring to it too. */
    public String sharedRowLock() {
        return sharedRowLock;
    }

    /** Return an expression for the time of the database, in milliseconds since 1970. */
    String nowInMillis() {
        return nowInMillis;
    }

    /** Return how the rule is called that a thread has a message once. */
    String messageOnce() {
        return messageOnce;
    }

    /** Return a condition on an id that runs or threads are listed by. */
    public abstract String equality(String column, String parameter);

    /** Return a condition on an id that threads are listed by: it is missing. */
    public abstract String absence(String column);

    /** Return a row number and an id as what is unique together, to be compared with another such pair. */
    public abstract String pair(String number, String id);

    /** Return a condition on the row of the thread {@code :thread} of the tenant {@code :tenant}. */
    public abstract String threadOfTenant();

    /** Return a condition on the row of what is remembered of {@code :tenant}, {@code :resource}, {@code :path} and {@code :thread}. */
    public abstract String scope();

    /** Keep others from taking a thread of a tenant until the transaction is over. */
    public abstract void lockThread(Session session, String tenant, String threadId);
}
