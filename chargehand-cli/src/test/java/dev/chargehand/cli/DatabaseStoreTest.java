package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command with a store that is named by a URL, on a real PostgreSQL that asks for a password. */
@Timeout(180)
class DatabaseStoreTest {

    private static final String PASSWORD = "s3cret@/?&=+";
    private static final String ENCODED = "s3cret%40%2F%3F%26%3D%2B";

    @TempDir
    static Path serverFolder;

    @AutoClose
    private static EmbeddedPostgres server;

    @TempDir
    Path folder;

    @BeforeAll
    static void startServer() throws IOException, SQLException {
        Path rules = Files.writeString(
                serverFolder.resolve("pg_hba.conf"), "host all postgres all trust\nhost all all all scram-sha-256\n");
        server = EmbeddedPostgres.builder()
                .setServerConfig("hba_file", rules.toString())
                .start();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE crew LOGIN PASSWORD '" + PASSWORD + "'");
            statement.execute("CREATE DATABASE runs OWNER crew");
        }
    }

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), "model: offline\nagents: { boss: {} }\n");
    }

    @Test
    void aConversationGoesOnInADatabaseHoweverItsUserIsGiven() throws IOException {
        Map<String, String> environment =
                Map.of("CHARGEHAND_STORE_USER", "crew", "CHARGEHAND_STORE_PASSWORD", PASSWORD, "DB_PASSWORD", ENCODED);
        String[] thread = {"run", "One", "--thread", "t"};
        List<Ran> ran = new ArrayList<>();
        ran.add(Ran.in(folder, environment, and(thread, "--store", url())));
        ran.add(Ran.in(folder, and(thread, "--store", url() + "?user=crew&password=" + ENCODED, "--verbose")));
        ran.add(Ran.in(folder, and(thread, "--store", url().replace("//", "//crew:" + ENCODED + "@"), "--events")));
        Files.writeString(
                folder.resolve("chargehand.yaml"),
                "model: offline\nstore: " + url() + "?user=crew&password=${DB_PASSWORD}\nagents: { boss: {} }\n");
        ran.add(Ran.in(folder, environment, thread));

        for (Ran each : ran) {
            assertThat(each.err() + each.out()).doesNotContain("s3cret");
            assertThat(each.exitCode()).as(each.err()).isZero();
        }
        try (Store store = JdbcStore.postgres(url(), "crew", PASSWORD)) {
            assertThat(store.findThread("t").orElseThrow().length()).isEqualTo(8);
        }
        assertThat(folder.resolve(".chargehand")).doesNotExist();
    }

    /** The server has no such extension; a store that keeps to bytes would say that its choice is another one. */
    @Test
    void vectorsAreUsedInTheFormThatTheStoreHas() throws SQLException {
        String login = "?user=crew&password=" + ENCODED;
        assertThat(Ran.in(folder, "run", "One", "--store", url() + login).exitCode())
                .isZero();
        execute("ALTER TABLE chargehand.vectors RENAME vector TO floats");
        try {
            Ran ran = Ran.in(folder, "run", "One", "--store", url() + login);

            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains("its database has no extension vector");
        } finally {
            execute("ALTER TABLE chargehand.vectors RENAME floats TO vector");
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", "runs").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aJdbcUrlOfAFileNamesThatFile() {
        assertThat(Ran.in(folder, "run", "One", "--store", "jdbc:sqlite:runs.db")
                        .exitCode())
                .isZero();

        try (Store store = JdbcStore.sqlite(folder.resolve("runs.db"))) {
            assertThat(store.list(RunFilter.ROOTS)).hasSize(1);
        }
    }

    @Test
    void aWrongPasswordIsSaidToBeWithoutRepeatingIt() {
        Ran ran = Ran.in(folder, "run", "One", "--store", url() + "?user=crew&password=wr0ng", "--verbose");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("chargehand: The store '", "does not let this user in")
                .doesNotContain("wr0ng");
    }

    @Test
    void aServerThatIsNotThereIsSaidToBeWithoutThePassword() {
        Ran ran = Ran.in(folder, "run", "One", "--store", "jdbc:postgresql://me:s3cret@localhost:1/db", "--verbose");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("cannot be reached").doesNotContain("s3cret");
    }

    @Test
    void aMistypedCommandLineDoesNotRepeatThePasswordEither() {
        String place = "jdbc:postgresql://me:s3cret's3cret@host/db?password=s3cret's3cret";
        for (String[] arguments : new String[][] {
            {"run", "One", "--stoer", place},
            {"run", "One", "--store=" + place, "--store=" + place},
            {"run", "One", "--stoer=" + place},
            {"run", "One", "--store", place.replace("jdbc:", "")},
            {"run", "One", place, "two"},
            {place}
        }) {
            Ran ran = Ran.in(folder, arguments);

            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err() + ran.out()).contains("chargehand: ").doesNotContain("s3cret");
        }
    }

    @Test
    void anAgentsFileThatIsWrongDoesNotRepeatThePasswordEither() throws IOException {
        for (String store : List.of("jdbc:postgresql://me:s3cret@host/${db", "jdbc:postgres://me:s3cret@host/db")) {
            Files.writeString(
                    folder.resolve("chargehand.yaml"),
                    "model: offline\nstore: \"" + store + "\"\nagents: { boss: {} }\n");
            Ran ran = Ran.in(folder, "run", "One");

            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains("chargehand.yaml:2:").doesNotContain("s3cret");
        }
    }

    @Test
    void theHelpSaysWhatMayBeNamedAndNoPassword() {
        Ran ran = Ran.in(folder, Map.of("CHARGEHAND_STORE_PASSWORD", "s3cret"), "run", "--help");

        assertThat(ran.out())
                .contains("--store=FILE|URL", "jdbc:postgresql://", "CHARGEHAND_STORE_PASSWORD")
                .doesNotContain("s3cret");
    }

    /** The driver logs by itself what it takes for the number of a port. */
    @Test
    void theDriverDoesNotLogThePassword() {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        StreamHandler log = new StreamHandler(told, new SimpleFormatter());
        Logger driver = Logger.getLogger("org.postgresql");
        driver.addHandler(log);
        try {
            Ran.in(folder, "run", "One", "--store", "jdbc:postgresql://me:s3cret@localhost:nil/db");
            Ran.in(folder, "run", "One", "--store", "jdbc:postgresql://me:s3cret/x@localhost:1/db");
        } finally {
            driver.removeHandler(log);
        }

        log.flush();
        assertThat(told.toString(StandardCharsets.UTF_8)).contains("nil").doesNotContain("s3cret");
    }

    private static String[] and(String[] words, String... more) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
    }

    private static String url() {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/runs";
    }
}
