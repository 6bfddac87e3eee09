package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Two processes open an old store at the same time, and the one that migrates it is killed: the other finishes it. */
@DisabledOnOs(OS.WINDOWS) // processes are killed as on Unix
@Timeout(300)
class MigrationRaceTest {

    /** In the first transaction, in the middle, and after the last migration. */
    private static final int[] PLACES = {12, 45, 80};

    @TempDir
    Path folder;

    @Test
    void aFileIsWholeIfOneOfTwoProcessesIsKilled() throws Exception {
        for (int at : PLACES) {
            Path file = folder.resolve("store-" + at + ".db");
            var ignored = Migrations.migrate(Dialect.SQLITE, writers(file), settings -> settings.target("1"));
            try (OtherProcess old = new OtherProcess(file)) {
                for (String sql : MigrationTest.CONTENT) {
                    old.execute(sql);
                }
            }

            assertSurvivesAKill(at, file.toString());
        }
    }

    @Test
    void aSchemaIsWholeIfOneOfTwoProcessesIsKilled() throws Exception {
        for (int at : PLACES) {
            try (Postgres database = Postgres.database("")) {
                var ignored = Migrations.migrate(
                        Dialect.POSTGRESQL, source(database.url()), settings -> settings.schemas("chargehand")
                                .target("1"));
                MigrationTest.CONTENT.forEach(database::execute);

                assertSurvivesAKill(at, database.url());
            }
        }
    }

    private static void assertSurvivesAKill(int at, String store) throws Exception {
        try (ChildJvm migrating = new ChildJvm("", Migrating.class, at + " " + store)) {
            migrating.awaitLines(1);
            try (ChildJvm opening = new ChildJvm("", Opening.class, store)) {
                opening.awaitLines(1);
                assertThat(migrating.kill()).containsExactly("stopped");
                assertThat(opening.awaitEnd()).containsExactly("opening", "whole");
            }
        }
    }

    private static DataSource writers(Path file) {
        return new SqliteFile(file, SqliteOptions.DEFAULT).writers();
    }

    private static DataSource source(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(Postgres.USER);
        return source;
    }

    private static boolean isPostgres(String store) {
        return store.startsWith("jdbc:");
    }

    /** Migrates a store up to a statement, before which it waits to be killed. */
    static final class Migrating {

        private Migrating() {}

        public static void main(String[] args) {
            String[] words = args[0].split(" ", 2);
            boolean postgres = isPostgres(words[1]);
            CutSource cut = new CutSource(
                    postgres ? source(words[1]) : writers(Path.of(words[1])),
                    Integer.parseInt(words[0]),
                    Migrating::awaitTheEnd);
            UnaryOperator<FluentConfiguration> settings =
                    configuration -> postgres ? configuration.schemas("chargehand") : configuration;
            var ignored =
                    Migrations.migrate(postgres ? Dialect.POSTGRESQL : Dialect.SQLITE, cut.dataSource(), settings);
        }

        private static void awaitTheEnd() {
            System.out.println("stopped");
            System.out.flush();
            try {
                int ignored = System.in.read();
            } catch (IOException e) {
                // The other side is gone.
            }
        }
    }

    /** Opens a store, after it has loaded all that is needed for it. */
    static final class Opening {

        private Opening() {}

        public static void main(String[] args) throws IOException {
            Path other = Files.createTempDirectory("opening");
            JdbcStore.sqlite(other.resolve("other.db")).close();
            System.out.println("opening");
            System.out.flush();
            try (JdbcStore store = isPostgres(args[0])
                    ? JdbcStore.postgres(args[0], Postgres.USER, "", PostgresOptions.DEFAULT)
                    : JdbcStore.sqlite(Path.of(args[0]))) {
                MigrationTest.assertKept(store);
            }
            System.out.println("whole");
        }
    }
}
