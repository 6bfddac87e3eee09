package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A migration of a store with content that is cut off before any of its statements loses nothing, and the next process
 * finishes it. With {@code -Dchargehand.everyStatement=true} also those are tried that the build leaves out.
 */
@DisabledOnOs(OS.WINDOWS) // processes are killed as on Unix
@Timeout(3600)
class MigrationCutTest {

    private static final boolean ALL = Boolean.getBoolean("chargehand.everyStatement");

    /** There are so many statements in the migrations after the first one, at least. */
    private static final int FEWEST_STATEMENTS = 30;

    /** Those of the last migration, of its history, and what Flyway commits afterwards. */
    private static final int LAST_COMMITS = ALL ? 8 : 4;

    @TempDir
    Path folder;

    @Test
    void aFileIsWholeIfItsConnectionIsCut() throws Exception {
        Path before = fileOfTheFirstVersion();
        for (int at : places(counted(before), ALL ? 1 : 12)) {
            Path file = Files.copy(before, folder.resolve("cut-" + at + ".db"));
            CutSource source = new CutSource(writers(file), at, () -> {});
            migrate(Dialect.SQLITE, source.dataSource(), UnaryOperator.identity());
            assertThat(source.statements()).isGreaterThanOrEqualTo(at);

            try (JdbcStore store = JdbcStore.sqlite(file)) {
                MigrationTest.assertKept(store);
            }
        }
    }

    @Test
    void aFileIsWholeIfItsProcessIsKilled() throws Exception {
        Path before = fileOfTheFirstVersion();
        for (int at : places(counted(before), ALL ? 1 : 120)) {
            Path file = Files.copy(before, folder.resolve("killed-" + at + ".db"));
            try (ChildJvm child = new ChildJvm("", Killed.class, at + " " + file)) {
                assertThat(child.awaitEnd()).contains("killed");
            }

            try (JdbcStore store = JdbcStore.sqlite(file)) {
                MigrationTest.assertKept(store);
            }
        }
    }

    @Test
    void aNewFileIsWholeIfItsConnectionIsCut() throws Exception {
        CutSource counted = new CutSource(writers(folder.resolve("counted.db")), 0, () -> {});
        migrate(Dialect.SQLITE, counted.dataSource(), UnaryOperator.identity());
        for (int at : places(counted, ALL ? 1 : 24)) {
            Path file = folder.resolve("new-" + at + ".db");
            CutSource source = new CutSource(writers(file), at, () -> {});
            migrate(Dialect.SQLITE, source.dataSource(), UnaryOperator.identity());

            try (JdbcStore store = JdbcStore.sqlite(file)) {
                store.append(Runs.start("r", "{}"));
            }
        }
    }

    @Test
    void aSchemaIsWholeIfItsConnectionIsCut() {
        try (Postgres before = schema()) {
            migrate(Dialect.POSTGRESQL, source(before), settings -> inSchema(settings)
                    .target("1"));
            MigrationTest.CONTENT.forEach(before::execute);
            for (int at : places(counted(before), ALL ? 1 : 72)) {
                try (Postgres database = before.copy()) {
                    cut(database, at);

                    try (JdbcStore store = database.open()) {
                        MigrationTest.assertKept(store);
                    }
                }
            }
        }
    }

    @Test
    void aNewSchemaIsWholeIfItsConnectionIsCut() {
        try (Postgres before = schema()) {
            for (int at : places(counted(before), ALL ? 1 : 96)) {
                try (Postgres database = before.copy()) {
                    cut(database, at);

                    try (JdbcStore store = database.open()) {
                        store.append(Runs.start("r", "{}"));
                    }
                }
            }
        }
    }

    /** Make a database with an empty schema, which a store makes before it migrates. */
    private static Postgres schema() {
        Postgres database = Postgres.database("");
        database.execute("CREATE SCHEMA chargehand");
        return database;
    }

    private static CutSource counted(Postgres before) {
        try (Postgres counted = before.copy()) {
            CutSource source = new CutSource(source(counted), 0, () -> {});
            migrate(Dialect.POSTGRESQL, source.dataSource(), MigrationCutTest::inSchema);
            assertThat(source.statements()).isGreaterThan(FEWEST_STATEMENTS);
            return source;
        }
    }

    private static void cut(Postgres database, int at) {
        CutSource source = new CutSource(source(database), at, () -> terminate(database));
        migrate(Dialect.POSTGRESQL, source.dataSource(), MigrationCutTest::inSchema);
        assertThat(source.statements()).isGreaterThanOrEqualTo(at);
    }

    private static void terminate(Postgres database) {
        new Postgres("postgres")
                .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database.name()
                        + "'");
    }

    /** Return the first statement, then every so-manieth, and the last commits. */
    private static int[] places(CutSource counted, int step) {
        List<Integer> commits = counted.commits();
        List<Integer> last = commits.subList(Math.max(0, commits.size() - LAST_COMMITS), commits.size());
        return IntStream.rangeClosed(1, counted.statements())
                .filter(at -> at % step == 1 || step == 1 || last.contains(at))
                .toArray();
    }

    private Path fileOfTheFirstVersion() throws Exception {
        Path file = folder.resolve("before.db");
        migrate(Dialect.SQLITE, writers(file), settings -> settings.target("1"));
        try (OtherProcess old = new OtherProcess(file)) {
            for (String sql : MigrationTest.CONTENT) {
                old.execute(sql);
            }
        }
        return file;
    }

    private CutSource counted(Path before) throws Exception {
        CutSource source = new CutSource(writers(Files.copy(before, folder.resolve("counted.db"))), 0, () -> {});
        migrate(Dialect.SQLITE, source.dataSource(), UnaryOperator.identity());
        assertThat(source.statements()).isGreaterThan(FEWEST_STATEMENTS);
        return source;
    }

    private static DataSource writers(Path file) {
        return new SqliteFile(file, SqliteOptions.DEFAULT).writers();
    }

    private static DataSource source(Postgres database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.url());
        source.setUser(Postgres.USER);
        return source;
    }

    /** Migrate as far as it goes. */
    private static FluentConfiguration inSchema(FluentConfiguration settings) {
        return settings.schemas("chargehand").createSchemas(false);
    }

    private static void migrate(Dialect dialect, DataSource source, UnaryOperator<FluentConfiguration> settings) {
        try {
            var ignored = Migrations.migrate(dialect, source, settings);
        } catch (FlywayException e) {
            // cut off: what counts is what the next process finds
        }
    }

    /** Migrates a file and ends itself before a statement, without any clean-up. */
    static final class Killed {

        private Killed() {}

        public static void main(String[] args) {
            String[] words = args[0].split(" ", 2);
            CutSource source = new CutSource(writers(Path.of(words[1])), Integer.parseInt(words[0]), () -> {
                System.out.println("killed");
                System.out.flush();
                Runtime.getRuntime().halt(137);
            });
            migrate(Dialect.SQLITE, source.dataSource(), UnaryOperator.identity());
        }
    }
}
