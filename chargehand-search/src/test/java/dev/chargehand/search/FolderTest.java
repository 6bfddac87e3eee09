package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.search.internal.document.DocumentKinds;
import dev.chargehand.search.internal.folder.FileReading;
import dev.chargehand.search.internal.folder.FolderFiles;
import dev.chargehand.search.internal.folder.ReadingLimits;
import dev.chargehand.search.internal.folder.ShownPaths;
import dev.chargehand.search.internal.text.FileStamp;
import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport;
import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTest {

    @TempDir
    Path around;

    Path folder;
    Documents docs;

    @BeforeEach
    void setUp() throws IOException {
        folder = Files.createDirectory(around.resolve("handbook"));
        docs = new Documents(folder);
    }

    private Map<String, Reason> skipped() throws InterruptedException {
        Map<String, Reason> reasons = new TreeMap<>();
        docs.report().skipped().forEach(entry -> reasons.put(entry.file(), entry.reason()));
        return reasons;
    }

    /** Reads a file that was something else when the folder was listed. */
    private FileReading.Read read(Path file) throws Exception {
        FileReading reading =
                new FileReading(folder.toRealPath(), new ReadingLimits(100, 100, 100, 100), DocumentKinds::read);
        return reading.read(
                new FolderFiles.Found(file, file.getFileName().toString(), new FileStamp(1, 1, 1)), null, true, 1);
    }

    @Test
    void onlyTheKindsAskedForAreIndexed() throws Exception {
        docs.with("a.md", "word").with("b.TXT", "word").with("c.log", "word").with("LICENSE", "word");

        assertThat(docs.sources("word")).containsExactly("docs/a.md:1", "docs/b.TXT:1");
        try (FileSearch search =
                FileSearch.builder(folder).kinds("log", ".Md").sourcePrefix("").build()) {
            assertThat(search.search("word", 5)).extracting(Passage::source).containsExactly("a.md:1", "c.log:1");
        }
        assertThat(skipped()).isEmpty();
    }

    @Test
    void aKindMustBeTheEndOfAName() {
        assertThatThrownBy(() -> FileSearch.builder(folder).kinds()).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> FileSearch.builder(folder).kinds("")).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> FileSearch.builder(folder).kinds("../x")).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void hiddenAndBuiltFilesAreLeftOut() throws Exception {
        docs.with(".secret.md", "word")
                .with(".git/a.md", "word")
                .with("node_modules/pkg/readme.md", "word")
                .with("sub/target/a.md", "word")
                .with("sub/a.md", "word");

        assertThat(docs.sources("word")).containsExactly("docs/sub/a.md:1");
        assertThat(docs.report().files()).isEqualTo(1);
    }

    @Test
    void aFolderThatIsHiddenItselfMayBeSearched() throws Exception {
        Path hidden = Files.createDirectories(around.resolve(".notes/target"));

        assertThat(new Documents(hidden).with("a.md", "word").sources("word")).containsExactly("docs/a.md:1");
    }

    @Test
    void linksDoNotLeadOutOfTheFolder() throws Exception {
        new Documents(around).with("outside/secret.md", "secret word").with("handbook-2/secret.md", "secret word");
        docs.with("a.md", "word");
        Files.createSymbolicLink(folder.resolve("file.md"), around.resolve("outside/secret.md"));
        Files.createSymbolicLink(folder.resolve("folder"), around.resolve("outside"));
        Files.createSymbolicLink(folder.resolve("sibling"), Path.of("../handbook-2"));

        assertThat(docs.sources("secret word")).containsExactly("docs/a.md:1");
        assertThat(skipped())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "docs/file.md", Reason.OUTSIDE_FOLDER,
                        "docs/folder", Reason.OUTSIDE_FOLDER,
                        "docs/sibling", Reason.OUTSIDE_FOLDER));
    }

    @Test
    void aFolderThatALinkReplacedAfterTheListingIsNotLeft() throws Exception {
        new Documents(around).with("outside/a.md", "secret");
        Path inside = folder.toRealPath().resolve("sub");
        Files.createSymbolicLink(inside, around.resolve("outside"));

        FileReading.Read read = read(inside.resolve("a.md"));

        assertThat(read.pieces().orElseThrow()).isEmpty();
        assertThat(read.row().reason()).isEqualTo(Reason.OUTSIDE_FOLDER);
    }

    @Test
    void linksWithinTheFolderShowNothingTwiceNorWhatIsHidden() throws Exception {
        docs.with("a.md", "word").with(".hidden/b.md", "word");
        Files.createSymbolicLink(folder.resolve("again.md"), Path.of("a.md"));
        Files.createSymbolicLink(folder.resolve("peek.md"), Path.of(".hidden/b.md"));
        Files.createSymbolicLink(folder.resolve("loop"), Path.of("."));
        Files.createSymbolicLink(folder.resolve("broken.md"), Path.of("nowhere"));

        assertThat(docs.sources("word")).containsExactly("docs/a.md:1");
        assertThat(skipped())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "docs/again.md", Reason.LINK,
                        "docs/peek.md", Reason.LINK,
                        "docs/broken.md", Reason.UNREADABLE));
    }

    @Test
    void theFolderItselfMayBeALink() throws Exception {
        docs.with("a.md", "word");
        Path link = Files.createSymbolicLink(around.resolve("link"), folder);

        assertThat(new Documents(link).sources("word")).containsExactly("docs/a.md:1");
    }

    @Test
    void emptyFilesAreReadAndGiveNothing() throws Exception {
        docs.with("a.md", "").with("b.txt", "\n \n\t\n").with("c.md", "---\n---\n");

        assertThat(docs.report())
                .extracting(SearchReport::files, SearchReport::passages)
                .containsExactly(3, 0);
        assertThat(skipped()).isEmpty();
    }

    @Test
    void binaryFilesAreLeftOut() throws Exception {
        byte[] noise = new byte[1_000];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) (128 + i % 127);
        }
        docs.with("nul.txt", "word\0word").with("noise.md", noise).with("a.md", "word");

        assertThat(docs.sources("word")).containsExactly("docs/a.md:1");
        assertThat(skipped()).isEqualTo(Map.of("docs/nul.txt", Reason.BINARY, "docs/noise.md", Reason.BINARY));
    }

    @Test
    void brokenUtf8IsReadWithReplacements() throws Exception {
        docs.with("latin.txt", "Ein kleines Café am Rande der Stadt".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(docs.search("Stadt"))
                .extracting(Passage::text)
                .containsExactly("Ein kleines Caf\uFFFD am Rande der Stadt");
    }

    @Test
    void byteOrderMarksAreNoText() throws Exception {
        docs.with("a.md", "\uFEFF# Title\r\n\r\nword\r\n")
                .with("b.txt", "\uFEFFfirst\n\nword".getBytes(StandardCharsets.UTF_16LE))
                .with("c.txt", "\uFEFFfirst\n\nword".getBytes(StandardCharsets.UTF_16BE));

        assertThat(docs.search("word"))
                .containsExactlyInAnyOrder(
                        new Passage("docs/a.md:3", "Title", "word"),
                        new Passage("docs/b.txt:3", "", "word"),
                        new Passage("docs/c.txt:3", "", "word"));
    }

    @Test
    void ofAHugeFileTheBeginningIsIndexedAndTheReportSaysSo() throws Exception {
        docs.with("huge.txt", "early word\n\n" + ("filler ".repeat(1_000) + "\n\n").repeat(800) + "late zebra\n");

        assertThat(docs.sources("early")).containsExactly("docs/huge.txt:1");
        assertThat(docs.search("zebra")).isEmpty();
        assertThat(skipped()).isEqualTo(Map.of("docs/huge.txt", Reason.TRUNCATED));
    }

    @Test
    void aCutFileEndsWithAWholeLine() throws Exception {
        docs.with("a.txt", "one\ntwo\nthree\n").with("b.txt", "four five").with("c.txt", "0123456789é rest");

        try (FileSearch search =
                FileSearch.builder(folder).sourcePrefix("").maxFileBytes(11).build()) {
            assertThat(search.search("one three two", 5))
                    .extracting(Passage::text)
                    .containsExactly("one\ntwo");
            assertThat(search.search("five", 5)).hasSize(1);
            assertThat(search.search("0123456789", 5)).extracting(Passage::text).containsExactly("0123456789");
        }
    }

    @Test
    void theLimitsOfFilesAndBytesLeaveOutTheRest() throws Exception {
        docs.with("a.md", "word").with("b.md", "word").with("c.md", "word");

        List<Integer> beyond = new ArrayList<>();
        try (FileSearch few = FileSearch.builder(folder)
                        .sourcePrefix("docs")
                        .maxFiles(2)
                        .onProgress(progress -> beyond.add(progress.beyond()))
                        .build();
                FileSearch small = FileSearch.builder(folder)
                        .sourcePrefix("docs")
                        .maxTotalBytes(5)
                        .build()) {
            for (FileSearch search : new FileSearch[] {few, small}) {
                assertThat(search.report().files()).isEqualTo(2);
                assertThat(search.report().skipped())
                        .extracting(SearchReport.Skipped::file, SearchReport.Skipped::reason)
                        .containsExactly(org.assertj.core.groups.Tuple.tuple("docs/c.md", Reason.TOO_MUCH));
            }
        }
        assertThat(beyond).last().isEqualTo(1);
        assertThatThrownBy(() -> FileSearch.builder(folder).maxFiles(0)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void unreadableFilesAndFoldersAreLeftOut() throws Exception {
        docs.with("a.md", "word").with("locked.md", "word").with("closed/b.md", "word");
        Files.setPosixFilePermissions(folder.resolve("locked.md"), PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(folder.resolve("closed"), PosixFilePermissions.fromString("---------"));
        boolean isBound = !Files.isReadable(folder.resolve("locked.md")); // root reads what it likes
        try {
            assertThat(docs.sources("word"))
                    .containsExactlyInAnyOrderElementsOf(
                            isBound
                                    ? List.of("docs/a.md:1")
                                    : List.of("docs/a.md:1", "docs/locked.md:1", "docs/closed/b.md:1"));
            assertThat(skipped())
                    .isEqualTo(
                            isBound
                                    ? Map.of("docs/locked.md", Reason.UNREADABLE, "docs/closed", Reason.UNREADABLE)
                                    : Map.of());
        } finally {
            Files.setPosixFilePermissions(folder.resolve("closed"), PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aFileThatCannotBeReadIsLeftOut() throws Exception {
        Path notAFile = Files.createDirectory(folder.toRealPath().resolve("a.md"));
        Path gone = folder.toRealPath().resolve("gone.md");

        for (Path file : List.of(notAFile, gone)) {
            FileReading.Read read = read(file);
            assertThat(read.pieces().orElseThrow()).isEmpty();
            assertThat(read.row().reason()).isEqualTo(Reason.UNREADABLE);
        }
    }

    @Test
    void aPipeIsNotWaitedFor() throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", folder.resolve("pipe.md").toString()).start();
        assumeThat(mkfifo.waitFor()).isZero();

        assertThat(skipped()).isEqualTo(Map.of("docs/pipe.md", Reason.NOT_A_FILE));
    }

    @Test
    void oddNamesAreShownAsTheyAreButForControlCharacters() throws Exception {
        docs.with("mit Leerzeichen & 'Zeichen' #1 50%.md", "word")
                .with("übung/日本語.md", "word")
                .with("a:b.md", "word")
                .with("two\nlines.md", "word");

        assertThat(docs.sources("word"))
                .containsExactlyInAnyOrder(
                        "docs/mit Leerzeichen & 'Zeichen' #1 50%.md:1",
                        "docs/übung/日本語.md:1", "docs/a:b.md:1", "docs/two\uFFFDlines.md:1");
    }

    @Test
    void deepTreesAndThousandsOfFilesAreIndexed() throws Exception {
        String deep = "d/".repeat(300);
        docs.with(deep + "a.md", "deep word");
        for (int i = 0; i < 2_000; i++) {
            docs.with("many/" + i % 50 + "/f" + i + ".md", "number n" + i);
        }

        try (FileSearch search = docs.open()) {
            assertThat(search.report().files()).isEqualTo(2_001);
            assertThat(search.search("deep", 1)).extracting(Passage::source).containsExactly("docs/" + deep + "a.md:1");
            assertThat(search.search("n1999", 1))
                    .extracting(Passage::source)
                    .containsExactly("docs/many/49/f1999.md:1");
        }
    }

    @Test
    void pathsAreShownFromTheWorkingDirectoryOrFromTheFoldersName() {
        Path here = Path.of("/srv/project");

        assertThat(ShownPaths.defaultPrefix(Path.of("docs"), here)).isEqualTo("docs");
        assertThat(ShownPaths.defaultPrefix(Path.of("./docs/../docs/en"), here)).isEqualTo("docs/en");
        assertThat(ShownPaths.defaultPrefix(Path.of("/srv/project/docs"), here)).isEqualTo("docs");
        assertThat(ShownPaths.defaultPrefix(Path.of("."), here)).isEmpty();
        assertThat(ShownPaths.defaultPrefix(Path.of("/srv/handbook"), here)).isEqualTo("handbook");
        assertThat(ShownPaths.defaultPrefix(Path.of("../other/docs"), here)).isEqualTo("docs");
        assertThat(ShownPaths.defaultPrefix(Path.of("/"), here)).isEmpty();
    }

    @Test
    void aFolderOutsideTheWorkingDirectoryIsShownByItsName() throws Exception {
        docs.with("sub/a.md", "word");

        try (FileSearch search = FileSearch.over(folder)) {
            assertThat(search.search("word", 1)).extracting(Passage::source).containsExactly("handbook/sub/a.md:1");
        }
    }

    @Test
    void aFolderThatIsNotThereIsRefusedAtOnce() {
        assertThatThrownBy(() -> FileSearch.over(folder.resolve("nowhere")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("nowhere")
                .hasMessageContaining("create it");
        docs.with("a.md", "word");
        assertThatThrownBy(() -> FileSearch.over(folder.resolve("a.md")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("not a folder");
    }
}
