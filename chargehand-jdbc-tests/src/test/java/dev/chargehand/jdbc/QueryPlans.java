package dev.chargehand.jdbc;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Asks a database how it executes statements. */
final class QueryPlans {

    private QueryPlans() {}

    /** Return the plans of the statements about waiting calls that some work executes, as they are for any values. */
    static String of(Dialect dialect, Session session, Runnable work) {
        List<String> made = new ArrayList<>();
        session.watch(sql -> {
            if (sql.contains("waiting")) {
                made.add(sql);
            }
        });
        work.run();
        session.watch(sql -> {});
        StringBuilder plans = new StringBuilder();
        made.stream().distinct().forEach(sql -> plans.append(plan(dialect, session, sql)));
        return plans.toString();
    }

    private static String plan(Dialect dialect, Session session, String sql) {
        StringBuilder plan = new StringBuilder();
        try (Statement statement = session.connection().createStatement()) {
            if (dialect == Dialect.POSTGRESQL) {
                statement.execute("SET LOCAL plan_cache_mode = force_generic_plan");
                statement.execute("PREPARE planned AS " + numbered(sql));
            }
            try (ResultSet result = statement.executeQuery(
                    dialect == Dialect.SQLITE ? "EXPLAIN QUERY PLAN " + sql : "EXPLAIN EXECUTE planned" + nulls(sql))) {
                while (result.next()) {
                    plan.append(result.getString(dialect == Dialect.SQLITE ? "detail" : "QUERY PLAN"))
                            .append('\n');
                }
            }
            if (dialect == Dialect.POSTGRESQL) {
                statement.execute("DEALLOCATE planned");
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
        return plan.toString();
    }

    private static String numbered(String sql) {
        AtomicInteger number = new AtomicInteger();
        return Pattern.compile("\\?").matcher(sql).replaceAll(each -> "\\$" + number.incrementAndGet());
    }

    private static String nulls(String sql) {
        return sql.chars()
                .filter(each -> each == '?')
                .mapToObj(each -> "NULL")
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
