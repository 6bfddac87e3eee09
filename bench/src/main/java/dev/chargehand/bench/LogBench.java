package dev.chargehand.bench;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Counts what one run writes to the log of SQLite, in the workloads {@code sqlite} and {@code thread} of {@link
 * UsersBench}: transactions and pages. Other work on the machine does not change these figures.
 */
final class LogBench {

    /** How many runs were made before, so that the tables have more than one page. */
    private static final int BEFORE = 15;

    private static final int HEADER_OF_LOG = 32;
    private static final int HEADER_OF_PAGE = 24;

    private record Written(int transactions, int pages) {}

    private LogBench() {}

    static void main() throws IOException, SQLException {
        try (Child provider = Child.start("provider", "0", "0", "16")) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            Written tree = ofOneRun(ChargehandContender.onThreads(url, Agents.controlled()));
            Written thread = ofOneRun(ChargehandContender.onLongThread(url, Agents.remembering()));
            System.out.printf(
                    "log: sqlite_transactions=%d sqlite_pages=%d thread_transactions=%d thread_pages=%d%n",
                    tree.transactions(), tree.pages(), thread.transactions(), thread.pages());
        }
    }

    private static Written ofOneRun(ChargehandContender contender) throws IOException, SQLException {
        try (contender) {
            for (int i = 0; i < BEFORE; i++) {
                String ignored = contender.run("before" + i);
            }
            Path file = contender.file();
            empty(file);
            String ignored = contender.run("counted");
            return written(file.resolveSibling(file.getFileName() + "-wal"));
        }
    }

    private static void empty(Path file) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            boolean ignored = statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        }
    }

    /** Read the log: a header, then pages, each with a header whose second number is not 0 in the last one of a transaction. */
    private static Written written(Path log) throws IOException {
        int transactions = 0;
        int pages = 0;
        try (DataInputStream in = new DataInputStream(Files.newInputStream(log))) {
            in.skipNBytes(8);
            int pageSize = in.readInt();
            in.skipNBytes(HEADER_OF_LOG - 12);
            while (in.available() >= HEADER_OF_PAGE + pageSize) {
                in.skipNBytes(4);
                transactions += in.readInt() == 0 ? 0 : 1;
                in.skipNBytes(HEADER_OF_PAGE - 8 + pageSize);
                pages++;
            }
        }
        return new Written(transactions, pages);
    }
}
