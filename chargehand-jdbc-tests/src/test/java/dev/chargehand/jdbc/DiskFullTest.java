package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(300)
class DiskFullTest {

    private static final String TEXT = '"' + "x".repeat(200_000) + '"';

    /** Texts of their own, since one that is there takes no room. */
    private static String text(int number) {
        return TEXT + number;
    }

    @TempDir
    Path folder;

    @Test
    void aFullDiskFailsTheAppendAndNothingElse() throws Exception {
        Path file = folder.resolve("store.db");
        List<String> lines;
        try (ChildJvm child = new ChildJvm("ulimit -S -f 8192;", Writer.class, file.toString())) {
            lines = child.awaitEnd();
        }

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .startsWith("FAILED ")
                .contains("could not be read or written", "make room", "store.db");
        long before = Long.parseLong(lines.get(1));
        assertThat(before).as("facts that fit").isGreaterThan(5);
        assertThat(lines.get(2)).as("readable while the disk is full").isEqualTo("" + before);
        assertThat(lines.get(3)).as("appended when there was room").isEqualTo("" + (before + 1));
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            assertThat(texts(store, "r"))
                    .isEqualTo(IntStream.range(0, (int) before + 1)
                            .mapToObj(DiskFullTest::text)
                            .toList());
        }
    }

    /** Appends until it cannot, says so, gives itself room and appends again. */
    static final class Writer {

        private Writer() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            try (JdbcStore store = JdbcStore.sqlite(Path.of(args[0]))) {
                store.append(start("r", text(0)));
                int length = 1;
                try {
                    for (; length < 1000; length++) {
                        store.append(more("r", length, text(length)));
                    }
                } catch (StoreException e) {
                    System.out.println(e.kind() + " " + e.getMessage());
                }
                System.out.println(length);
                System.out.println(texts(store, "r").size());
                new ProcessBuilder(
                                "prlimit",
                                "--fsize=unlimited",
                                "--pid",
                                "" + ProcessHandle.current().pid())
                        .inheritIO()
                        .start()
                        .waitFor();
                store.append(more("r", length, text(length)));
                System.out.println(texts(store, "r").size());
            }
        }
    }
}
