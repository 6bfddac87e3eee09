package dev.chargehand.tests.upgrade;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** The rows of a store in PostgreSQL as one file: a line with the name of each table and its columns, then its rows. */
final class Dump {

    private static final String END = "\\.";
    private static final String SCHEMA = "chargehand";

    /** In an order in which rows refer only to rows before them. */
    private static final List<String> TABLES = List.of(
            "runs",
            "payloads",
            "facts",
            "threads",
            "thread_messages",
            "owners",
            "deliveries",
            "waiting",
            "memory_scopes",
            "spaces",
            "vectors",
            "memory_cursors",
            "working_memory",
            "history_starts",
            "observations",
            "memory_usage",
            "agent_versions",
            "agent_published");

    private Dump() {}

    static void write(Connection connection, Path file) throws SQLException, IOException {
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        try (Writer out =
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
            for (String table : TABLES) {
                List<String> columns = columns(connection, table);
                if (!columns.isEmpty()) {
                    String what = table + " (" + String.join(", ", columns) + ")";
                    StringWriter rows = new StringWriter();
                    copy.copyOut("COPY " + SCHEMA + "." + what + " TO STDOUT", rows);
                    out.write(what + "\n" + rows + END + "\n");
                }
            }
        }
    }

    private static List<String> columns(Connection connection, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet found = connection.getMetaData().getColumns(null, SCHEMA, table, null)) {
            while (found.next()) {
                columns.add(found.getString("COLUMN_NAME"));
            }
        }
        return columns;
    }

    /** Let the numbers of new rows follow those that were copied. */
    private static void continueNumbers(Connection connection, String table) throws SQLException {
        String column =
                switch (table) {
                    case "runs", "threads", "memory_scopes", "spaces", "vectors", "memory_usage" -> "id";
                    case "deliveries" -> "number";
                    default -> "";
                };
        if (!column.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                var ignored = statement.execute("SELECT setval(pg_get_serial_sequence('" + SCHEMA + "." + table + "', '"
                        + column + "'), coalesce(max(" + column + "), 0) + 1) FROM " + SCHEMA + "." + table);
            }
        }
    }

    /** Fill the tables of a schema that has no rows. */
    static void read(Connection connection, Path file) throws SQLException {
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            for (String what = in.readLine(); what != null; what = in.readLine()) {
                StringBuilder rows = new StringBuilder();
                for (String row = in.readLine(); !END.equals(row); row = in.readLine()) {
                    rows.append(row).append('\n');
                }
                copy.copyIn("COPY " + SCHEMA + "." + what + " FROM STDIN", new StringReader(rows.toString()));
                continueNumbers(connection, what.substring(0, what.indexOf(' ')));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
