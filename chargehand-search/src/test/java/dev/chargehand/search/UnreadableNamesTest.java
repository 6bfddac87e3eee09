package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.search.report.Passage;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files whose names are no text in the character set of the system, as after unpacking an old archive. */
@EnabledOnOs(OS.LINUX) // elsewhere every name is a text
class UnreadableNamesTest {

    @TempDir
    Path around;

    Path folder;

    @BeforeEach
    void setUp() throws Exception {
        folder = Files.createDirectory(around.resolve("hand book"));
        write("bad%FF%FE.md", "Keels are heavy.\n");
        write("bad%FE%FE.md", "Masts are tall.\n");
        write("r%FCm/note.md", "Ropes are long.\n");
        write("plain.md", "Sails are wide.\n");
        Files.writeString(folder.resolve("mark\uFFFD.md"), "Oars are thin.\n");
    }

    private void write(String name, String text) throws Exception {
        Path file = Path.of(URI.create(folder.toUri() + name));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String source(FileSearch search, String word) throws Exception {
        assertThat(search.search(word, 5)).hasSize(1);
        return search.search(word, 5).stream().map(Passage::source).findFirst().orElseThrow();
    }

    @Test
    void eachIsFoundAndHasItsOwnName() throws Exception {
        try (FileSearch search = FileSearch.builder(folder).sourcePrefix("docs").build()) {
            assertThat(source(search, "keels")).isEqualTo("docs/bad%FF%FE.md:1");
            assertThat(source(search, "masts")).isEqualTo("docs/bad%FE%FE.md:1");
            assertThat(source(search, "ropes")).isEqualTo("docs/r%FCm/note.md:1");
            assertThat(source(search, "sails")).isEqualTo("docs/plain.md:1");
            assertThat(source(search, "oars")).isEqualTo("docs/mark\uFFFD.md:1");
        }
    }

    @Test
    void theSourceOfAPassageNamesTheFile() throws Exception {
        try (FileSearch search = FileSearch.builder(folder).sourcePrefix("docs").build()) {
            Json read =
                    Json.of(search.readTool().handler().handle(Json.of(Map.of("file", "docs/bad%FE%FE.md:1")), null));

            assertThat(read.text()).contains("Masts are tall.");
        }
    }

    @Test
    void aKeptIndexKnowsEachOfThem() throws Exception {
        for (int read : new int[] {5, 0}) {
            try (FileSearch search = FileSearch.builder(folder)
                    .keptIn(around.resolve("index"))
                    .clock(() ->
                            Instant.now().plusSeconds(60)) // so that no file is too new for its times to be trusted
                    .build()) {
                assertThat(search.search("masts", 5)).hasSize(1);
                assertThat(search.report().read()).isEqualTo(read);
            }
        }
    }
}
