package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools {@code list-files} and {@code read-file}, which read what a search reads. */
class FileToolsTest {

    @TempDir
    Path around;

    Documents docs;

    @AutoClose
    FileSearch search;

    @BeforeEach
    void setUp() throws IOException {
        docs = new Documents(Files.createDirectory(around.resolve("handbook")))
                .with("a.md", lines(1, 450))
                .with("adr/one.md", "One.\n")
                .with("adr/two.md", "Two.\n")
                .with("guide.pdf", Pdf.of("Guide", "First page.", "Second page."))
                .with("data/prices.csv", "name,price\ncup,3\nlamp,20\n")
                .with(".secret.md", "Hidden.\n");
        search = docs.open();
    }

    private static String lines(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(line -> "Line " + line + ".\n")
                .collect(Collectors.joining());
    }

    private static String call(Tool tool, Map<String, Object> arguments) throws Exception {
        return Json.of(tool.handler().handle(Json.of(arguments), null)).text();
    }

    private String list(Map<String, Object> arguments) throws Exception {
        return call(search.listTool(), arguments);
    }

    private String read(Map<String, Object> arguments) throws Exception {
        return call(search.readTool(), arguments);
    }

    private void fails(Map<String, Object> arguments, String message) {
        assertThatThrownBy(() -> read(arguments))
                .isInstanceOf(ToolFailureException.class)
                .hasMessageContaining(message);
    }

    @Test
    void filesAreListedByTheNamesThatSourcesHave() throws Exception {
        assertThat(list(Map.of()))
                .contains("{\"file\":\"docs/adr/one.md\",\"bytes\":5}")
                .contains("docs/a.md", "docs/guide.pdf", "docs/data/prices.csv", "\"note\":\"5 files.\"")
                .doesNotContain("secret");
        assertThat(list(Map.of("folder", "docs/adr")))
                .contains("one.md", "two.md", "2 files.")
                .doesNotContain("a.md\"");
        assertThat(list(Map.of("folder", "docs/ad"))).contains("no files in 'docs/ad'");
    }

    @Test
    void aLongListIsContinued() throws Exception {
        for (int i = 0; i < 250; i++) {
            docs.with("many/f" + (1000 + i) + ".txt", "x");
        }
        String first = list(Map.of("folder", "docs/many"));
        assertThat(first)
                .contains("f1000", "f1199", "250 files, of which 200 are listed")
                .doesNotContain("f1200");
        assertThat(list(Map.of("folder", "docs/many", "after", "docs/many/f1199.txt")))
                .contains("f1200", "f1249", "250 files.")
                .doesNotContain("f1199.txt\"");
    }

    @Test
    void aFileIsReadInPages() throws Exception {
        assertThat(read(Map.of("file", "docs/a.md")))
                .contains("\"source\":\"docs/a.md:1\"", "\"text\":\"Line 1.\\nLine 2.")
                .contains("Line 200.\"", "Lines 1 to 200 of 450. Call again with from 201 for more.");
        assertThat(read(Map.of("file", "docs/a.md", "from", 449)))
                .contains("\"text\":\"Line 449.\\nLine 450.\"", "\"note\":\"Lines 449 to 450 of 450.\"");
        assertThat(read(Map.of("file", "docs/a.md", "from", 3, "lines", 1))).contains("\"text\":\"Line 3.\"");
    }

    @Test
    void theSourceOfAPassageNamesAFileAndALine() throws Exception {
        assertThat(read(Map.of("file", "docs/a.md:7", "lines", 1))).contains("\"source\":\"docs/a.md:7\"", "Line 7.");
        assertThat(read(Map.of("file", "docs/guide.pdf:p2")))
                .contains("\"source\":\"docs/guide.pdf:p2\"", "Second page.")
                .doesNotContain("First page.");
    }

    @Test
    void aPageHasAsManyCharactersAsItMayHave() throws Exception {
        docs.with("wide.md", ("x".repeat(7_000) + "\n").repeat(4)).with("line.txt", "y".repeat(50_000));

        assertThat(read(Map.of("file", "docs/wide.md"))).contains("Lines 1 to 2 of 4. Call again with from 3");
        assertThat(read(Map.of("file", "docs/line.txt")))
                .contains("The line is longer than is shown.")
                .hasSizeBetween(20_000, 20_200);
    }

    @Test
    void nothingElseIsRead() throws Exception {
        Files.writeString(around.resolve("outside.md"), "Outside.");
        Files.createSymbolicLink(docs.folder().resolve("link.md"), around.resolve("outside.md"));
        docs.with("picture.png", new byte[] {0, 1, 2}).with("binary.txt", new byte[] {0, 1, 2, 3});

        for (String file : new String[] {
            "docs/../outside.md", "outside.md", "/etc/passwd", "docs/link.md", "docs/.secret.md", "docs/picture.png", ""
        }) {
            fails(Map.of("file", file), "There is no file '" + file + "' among the documents. Call list-files");
        }
        fails(Map.of("file", "docs/binary.txt"), "The file 'docs/binary.txt' is not a text.");
        fails(Map.of("file", "docs/a.md", "from", 451), "'from' must be 1 to 450");
        fails(Map.of("file", "docs/a.md", "lines", 0), "'lines' must be 1 to 1000");
    }

    @Test
    void dataAndSourceCodeAreFound() throws Exception {
        docs.with("settings.json", "{\n  \"retries\": 3\n}\n")
                .with("deploy.yaml", "replicas: 2\n")
                .with("Boat.java", "class Boat {\n\n    void floats() {}\n}\n")
                .with("app.properties", "replicas=3\n");

        assertThat(docs.sources("retries")).containsExactly("docs/settings.json:1");
        assertThat(docs.sources("replicas")).containsExactly("docs/deploy.yaml:1");
        assertThat(docs.sources("boat floats")).contains("docs/Boat.java:3", "docs/Boat.java:1");
        assertThat(docs.search("lamp"))
                .singleElement()
                .satisfies(row -> assertThat(row.heading()).isEqualTo("name,price"))
                .satisfies(row -> assertThat(row.source()).isEqualTo("docs/data/prices.csv:2"));
    }
}
