package dev.chargehand.bench.disk;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Counts what a run writes to the log of SQLite: transactions and pages. Other work on the machine does not change these figures. */
public final class WriteLog {

    /** How many runs were made before, so that the tables have more than one page. */
    private static final int BEFORE = 15;

    private static final int HEADER_OF_LOG = 32;
    private static final int HEADER_OF_PAGE = 24;

    /** What was written. */
    public record Written(int transactions, int pages) {}

    /** Makes the run with a name. */
    public interface Runs {
        String run(String name) throws IOException;
    }

    private WriteLog() {}

    /** Return what the last one of some runs writes to the log of a file. */
    public static Written ofOneRun(Path file, Runs runs) throws IOException, SQLException {
        for (int i = 0; i < BEFORE; i++) {
            String ignored = runs.run("before" + i);
        }
        empty(file);
        String ignored = runs.run("counted");
        return written(file.resolveSibling(file.getFileName() + "-wal"));
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
