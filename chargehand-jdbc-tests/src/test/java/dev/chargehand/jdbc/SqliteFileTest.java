package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.sql.Migrations;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteFileTest {

    private static final int LATER = Migrations.VERSION + 1;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 100})
    void aDamagedFileIsRefusedAndLeftAsItIs(int intact) throws IOException {
        Path file = storeWithOneRun();
        byte[] bytes = Files.readAllBytes(file);
        byte[] noise = new byte[4096 - intact];
        new Random(7).nextBytes(noise);
        System.arraycopy(noise, 0, bytes, intact, noise.length);
        Files.write(file, bytes);

        assertUnusable(file, "is damaged or not a SQLite database");
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedAndLeftAsItIs() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "short");

        assertUnusable(file, "is damaged or not a SQLite database");
    }

    @Test
    void aFileOfALaterVersionIsRefusedAndLeftAsItIs() throws Exception {
        Path file = storeWithOneRun();
        try (OtherProcess other = new OtherProcess(file)) {
            other.execute(migrationOfALaterVersion());
        }

        assertUnusable(
                file,
                "was written by a later version of Chargehand (schema " + LATER + ", this one knows "
                        + Migrations.VERSION + ")");
    }

    @Test
    void aFileOfALaterVersionThatWasKilledIsRefusedAndLeftAsItIs() throws Exception {
        Path file = storeWithOneRun();
        Path left = Files.createDirectory(folder.resolve("left"));
        try (OtherProcess other = new OtherProcess(file)) {
            other.execute(migrationOfALaterVersion());
            for (String name : List.of("store.db", "store.db-wal")) {
                Files.copy(folder.resolve(name), left.resolve(name));
            }
        }
        Map<String, String> before = contents(left);

        assertThatThrownBy(() -> JdbcStore.sqlite(left.resolve("store.db"))).hasMessageContaining("later version");

        Map<String, String> after = contents(left);
        after.remove("store.db-shm"); // An index that SQLite makes anew whenever it has to read the log.
        assertThat(after).isEqualTo(before);
    }

    @Test
    void theDatabaseOfAnotherProgramIsRefusedAndLeftAsItIs() throws Exception {
        Path file = folder.resolve("other.db");
        try (OtherProcess other = new OtherProcess(file)) {
            other.execute("CREATE TABLE flyway_schema_history (version TEXT)");
        }

        assertUnusable(file, "is the database of another program");
    }

    @Test
    void aFolderIsRefused() {
        assertUnusable(folder, "is a folder");
    }

    @Test
    void aFileWithoutAFolderIsRefused() throws IOException {
        assertUnusable(folder.resolve("nowhere/store.db"), "has no folder; make the folder");
        Path text = Files.writeString(folder.resolve("notes.txt"), "short");
        assertUnusable(text.resolve("store.db"), "has no folder; make the folder");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aPlaceThatCannotBeWrittenIsRefused() {
        assertUnusable(Path.of("/proc/store.db"), "may not be written");
        assertUnusable(Path.of("/dev/null"), "is not a regular file");
    }

    @Test
    void anEmptyFileBecomesAStore() throws IOException {
        Path file = Files.createFile(folder.resolve("store.db"));

        try (JdbcStore store = JdbcStore.sqlite(file)) {
            store.append(start("r", "{}"));
            assertThat(texts(store, "r")).hasSize(1);
        }
    }

    @Test
    void whatAKilledProcessLeftIsReadWithItsLog() throws IOException {
        Path left = Files.createDirectory(folder.resolve("left"));
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            store.append(start("r", "{}"));
            for (String name : List.of("store.db", "store.db-wal")) {
                Files.copy(folder.resolve(name), left.resolve(name));
            }
        }

        try (JdbcStore store = JdbcStore.sqlite(left.resolve("store.db"))) {
            assertThat(texts(store, "r")).hasSize(1);
        }
    }

    @Test
    void severalMayOpenANewFileAtOnce() throws Exception {
        Path file = folder.resolve("store.db");
        List<CompletableFuture<JdbcStore>> opening = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            opening.add(CompletableFuture.supplyAsync(
                    () -> JdbcStore.sqlite(file), task -> Thread.ofVirtual().start(task)));
        }
        List<JdbcStore> stores = new ArrayList<>();
        for (CompletableFuture<JdbcStore> each : opening) {
            stores.add(each.get(60, TimeUnit.SECONDS));
        }

        for (JdbcStore store : stores) {
            store.append(start("run of " + stores.indexOf(store), "{}"));
        }
        for (JdbcStore store : stores) {
            assertThat(texts(store, "run of 0")).hasSize(1);
            assertThat(texts(store, "run of 3")).hasSize(1);
            store.close();
        }
    }

    /**
     * Closing a file by other means than SQLite's would drop all locks that the process has on it, and another process
     * could take itself for the last user and clear the write-ahead log away.
     */
    @Test
    @EnabledOnOs(OS.LINUX)
    void openingAFileASecondTimeDoesNotLoseTheLocksOfTheFirst() throws IOException {
        Path file = storeWithOneRun();
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            assertThat(texts(store, "r")).hasSize(1);
            List<String> locks = locks(file);
            assumeThat(locks).isNotEmpty();

            JdbcStore.sqlite(file).close();

            assertThat(locks(file)).isEqualTo(locks);
        }
    }

    /** Returns the kernel's locks on a file, without their numbers in its table. */
    private static List<String> locks(Path file) throws IOException {
        String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
        return Files.readAllLines(Path.of("/proc/locks")).stream()
                .filter(line -> line.contains(inode))
                .map(line -> line.substring(line.indexOf(':')))
                .toList();
    }

    @Test
    void anyPathWillDo() {
        for (String name :
                List.of("with space", "q?x=1&y", "h#sh", "100%41", "\u00fc\u65e5\ud83d\ude00", "semi;colon")) {
            Path file = folder.resolve(name + ".db");
            try (JdbcStore store = JdbcStore.sqlite(file)) {
                store.append(start("r", "{}"));
                assertThat(file).exists();
            }
            try (JdbcStore store = JdbcStore.sqlite(file)) {
                assertThat(texts(store, "r")).hasSize(1);
            }
        }
        assertThat(contents(folder)).hasSize(6);
    }

    @Test
    void aNewStoreIsMadeWithoutAWord() {
        PrintStream err = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            store.append(start("r", "{}"));
        } finally {
            System.setErr(err);
        }

        assertThat(told.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NORMAL", "FULL"})
    void theFileIsOpenedAsTheOptionsSay(String synchronous) {
        SqliteOptions options = SqliteOptions.DEFAULT
                .synchronous(SqliteOptions.Synchronous.valueOf(synchronous))
                .callLimit(Duration.ofSeconds(7));
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"), options)) {
            assertThat(pragma(store, "synchronous")).isEqualTo(synchronous.equals("FULL") ? "2" : "1");
            assertThat(pragma(store, "journal_mode")).isEqualTo("wal");
            assertThat(pragma(store, "foreign_keys")).isEqualTo("1");
            assertThat(pragma(store, "busy_timeout")).isEqualTo("3500");
        }
    }

    @Test
    void aCallLimitIsAboveZero() {
        assertThatIllegalArgumentException().isThrownBy(() -> SqliteOptions.DEFAULT.callLimit(Duration.ZERO));
    }

    @Test
    void aDamagedPageIsReportedWhenItIsRead() throws IOException {
        Path file = folder.resolve("store.db");
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            store.append(start("r", '"' + "x".repeat(1_000_000) + '"'));
        }
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 0xff);
        Files.write(file, bytes);

        try (JdbcStore store = JdbcStore.sqlite(file)) {
            assertThatThrownBy(() -> texts(store, "r"))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNUSABLE))
                    .hasMessageContaining("is damaged")
                    .hasMessageContaining(file.toString());
        }
    }

    /** SQLite has no checksums: it does not see this. */
    @Test
    void aBitThatFlippedInALargeTextIsReportedWhenItIsRead() throws IOException {
        Path file = folder.resolve("store.db");
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            store.append(start("r", '"' + "x".repeat(1_000_000) + '"'));
        }
        byte[] bytes = Files.readAllBytes(file);
        int middle = bytes.length / 2 + 1_000; // not where a page begins
        assertThat(bytes[middle]).isEqualTo((byte) 'x');
        bytes[middle] = 'y';
        Files.write(file, bytes);

        try (JdbcStore store = JdbcStore.sqlite(file)) {
            assertThatThrownBy(() -> texts(store, "r"))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNREADABLE))
                    .hasMessageContaining("fact 0 of run r");
        }
    }

    @Test
    void columnsThatChangedTheirOrderWhileTheFileWasOpenAreReadAsBefore() {
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            store.createThread(ThreadRecord.builder("t", new ThreadOwner("ann", null), Runs.START)
                    .title("The title")
                    .build());
            List<ThreadRecord> before = findOften(store, "t");

            int ignored = store.write(session -> {
                session.execute(
                        "CREATE TABLE moved AS SELECT copied_length, copy_of, updated_at, metadata, title_source, title, created_at, length,"
                                + " parent_call_id, parent_run_id, agent_path, resource_id, thread_id, tenant_id, id FROM threads");
                session.execute("DROP TABLE threads");
                return session.execute("ALTER TABLE moved RENAME TO threads");
            });

            assertThat(findOften(store, "t")).isEqualTo(before).hasSize(20);
        }
    }

    /** Reads with every connection that reads. */
    private static List<ThreadRecord> findOften(JdbcStore store, String thread) {
        return IntStream.range(0, 20)
                .mapToObj(i -> store.findThread(thread).orElseThrow())
                .toList();
    }

    private static String pragma(JdbcStore store, String name) {
        return store.write(session -> session.sql("PRAGMA " + name).one(row -> row.text(1)));
    }

    private Path storeWithOneRun() {
        Path file = folder.resolve("store.db");
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            store.append(start("r", "{}"));
        }
        return file;
    }

    private static String migrationOfALaterVersion() {
        return """
                INSERT INTO chargehand_schema_history
                SELECT %1$d, '%1$d', 'later', 'SQL', 'V%1$d__later.sql', 1, 'later', installed_on, 1, 1
                FROM chargehand_schema_history WHERE installed_rank = 1""".formatted(LATER);
    }

    private void assertUnusable(Path file, String why) {
        Map<String, String> before = contents(folder);

        assertThatThrownBy(() -> JdbcStore.sqlite(file).close())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNUSABLE))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(why);

        assertThat(contents(folder)).isEqualTo(before);
    }

    private static Map<String, String> contents(Path folder) {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return contents;
    }
}
