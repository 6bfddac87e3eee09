package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.saying;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunId;
import dev.chargehand.store.ThreadEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS) // processes are killed as on Unix
@Timeout(300)
class KillTest {

    private static final int RUNS = 4;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 1500})
    void whatWasAcknowledgedSurvivesKillMinus9OnSqlite(int acknowledged) throws Exception {
        assertSurvives(acknowledged, folder.resolve("store.db").toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 1500})
    void whatWasAcknowledgedSurvivesKillMinus9OnPostgres(int acknowledged) throws Exception {
        try (Postgres database = Postgres.store()) {
            assertSurvives(acknowledged, database.url());
        }
    }

    private static void assertSurvives(int acknowledged, String where) throws Exception {
        List<String> lines;
        try (ChildJvm child = new ChildJvm("", Writer.class, where)) {
            child.awaitLines(acknowledged);
            lines = child.kill();
        }

        Map<String, Long> lengths = lines.stream().collect(Collectors.groupingBy(run -> run, Collectors.counting()));
        try (JdbcStore store = open(where)) {
            lengths.forEach((run, length) -> assertKept(store, run, length));
            store.append(start("after", "{}"));
            assertThat(texts(store, "after")).hasSize(1);
        }
    }

    private static JdbcStore open(String where) {
        return where.startsWith("jdbc:")
                ? JdbcStore.postgres(where, Postgres.USER, "")
                : JdbcStore.sqlite(Path.of(where));
    }

    /** Every acknowledged fact is there, in order and with its message; at most one more, which was on its way. */
    private static void assertKept(JdbcStore store, String run, long acknowledged) {
        List<String> texts = texts(store, run);
        assertThat((long) texts.size()).isBetween(acknowledged, acknowledged + 1);
        assertThat(texts)
                .isEqualTo(IntStream.range(0, texts.size())
                        .mapToObj(i -> "\"" + run + " " + i + "\"")
                        .toList());
        assertThat(store.find(new RunId(run)).orElseThrow().length()).isEqualTo(texts.size());
        assertThat(store.readThread("thread of " + run, ANN, Long.MAX_VALUE, Integer.MAX_VALUE))
                .extracting(ThreadEntry::messageId)
                .containsExactlyElementsOf(
                        IntStream.range(0, texts.size()).mapToObj(i -> "m" + i).toList());
    }

    /** Appends to some runs at once, for ever, and says the run's name after each append that returned. */
    static final class Writer {

        private Writer() {}

        public static void main(String[] args) throws InterruptedException {
            JdbcStore store = open(args[0]);
            List<Thread> writers = IntStream.range(0, RUNS)
                    .mapToObj(i -> Thread.ofVirtual().start(() -> write(store, "run-" + i)))
                    .toList();
            for (Thread writer : writers) {
                writer.join();
            }
        }

        private static void write(JdbcStore store, String run) {
            for (int i = 0; ; i++) {
                String text = "\"" + run + " " + i + "\"";
                store.append(saying(i == 0 ? start(run, text) : more(run, i, text), "thread of " + run, "m" + i));
                System.out.println(run);
            }
        }
    }
}
