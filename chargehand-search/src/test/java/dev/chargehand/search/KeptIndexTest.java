package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.search.report.IndexProgress;
import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport;
import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index that is kept: what is read again, and what is never shown. */
class KeptIndexTest {

    @TempDir
    Path around;

    Path folder;
    Path index;
    Documents docs;

    @BeforeEach
    void setUp() throws IOException {
        folder = Files.createDirectory(around.resolve("handbook"));
        index = around.resolve("state/index");
        docs = new Documents(folder)
                .with("a.md", "one apple")
                .with("b.md", "two apples")
                .with("sub/c.html", "<p>three apples</p>");
    }

    private FileSearch open() {
        return builder().build();
    }

    private FileSearch.Builder builder() {
        return FileSearch.builder(folder)
                .sourcePrefix("docs")
                .keptIn(index)
                .refreshAfter(Duration.ZERO)
                .isolateDocuments(false)
                .clock(() -> Instant.now().plusSeconds(60));
    }

    private SearchReport report() throws InterruptedException {
        try (FileSearch search = open()) {
            return search.report();
        }
    }

    private List<String> sources(String query) throws InterruptedException {
        try (FileSearch search = open()) {
            return search.search(query, 20).stream().map(Passage::source).toList();
        }
    }

    @Test
    void whatHasNotChangedIsNotReadAgain() throws Exception {
        assertThat(report()).isEqualTo(new SearchReport(3, 3, 3, 0, List.of(), List.of()));

        assertThat(report()).isEqualTo(new SearchReport(3, 3, 0, 0, List.of(), List.of()));
        assertThat(sources("apples")).containsExactly("docs/a.md:1", "docs/b.md:1", "docs/sub/c.html:1");
    }

    @Test
    void onlyWhatHasChangedIsReadAndWhatIsGoneIsGone() throws Exception {
        report();
        docs.with("b.md", "a zebra").with("d.md", "a yak");
        Files.delete(folder.resolve("a.md"));

        SearchReport report = report();

        assertThat(report.read()).isEqualTo(2);
        assertThat(report.removed()).isEqualTo(1);
        assertThat(sources("apple")).containsExactly("docs/sub/c.html:1");
        assertThat(sources("zebra")).containsExactly("docs/b.md:1");
        assertThat(sources("yak")).containsExactly("docs/d.md:1");
    }

    @Test
    void aChangeThatKeepsSizeAndTimeIsFoundByTheContentWhileItIsFresh() throws Exception {
        try (FileSearch search = builder().clock(InstantSource.system()).build()) {
            assertThat(search.report().read()).isEqualTo(3);
            assertThat(search.report()).isEqualTo(new SearchReport(3, 3, 3, 0, List.of(), List.of()));
        }
        FileTime before = Files.getLastModifiedTime(folder.resolve("a.md"));
        docs.with("a.md", "won apple");
        Files.setLastModifiedTime(folder.resolve("a.md"), before);

        assertThat(sources("won")).containsExactly("docs/a.md:1");
        assertThat(sources("one")).isEmpty();
        assertThat(report().read()).isZero();
    }

    @Test
    void anOpenSearchSeesChangesAndShowsNothingThatIsGone() throws Exception {
        try (FileSearch search = builder().refreshAfter(Duration.ofDays(1)).build()) {
            assertThat(search.search("apples", 5)).hasSize(3);
            Files.delete(folder.resolve("a.md"));
            Files.delete(folder.resolve("b.md"));
            Files.createDirectory(folder.resolve("b.md"));

            assertThat(search.search("apples", 5)).extracting(Passage::source).containsExactly("docs/sub/c.html:1");
        }
    }

    @Test
    void whatALinkHasTakenOutOfTheFolderIsNotShown() throws Exception {
        try (FileSearch search = builder().refreshAfter(Duration.ofDays(1)).build()) {
            assertThat(search.search("three", 5)).hasSize(1);
            Files.move(folder.resolve("sub"), around.resolve("elsewhere"));
            Files.createSymbolicLink(folder.resolve("sub"), around.resolve("elsewhere"));

            assertThat(search.search("three", 5)).isEmpty();
            assertThat(search.report().skipped())
                    .extracting(SearchReport.Skipped::reason)
                    .containsExactly(Reason.OUTSIDE_FOLDER);
        }
    }

    @Test
    void whatIsLeftOutIsRememberedWithItsReason() throws Exception {
        docs.with("noise.md", new byte[100]).with("broken.docx", "no document");
        report();

        SearchReport report = report();

        assertThat(report.read()).isZero();
        assertThat(report.skipped())
                .containsExactly(
                        new SearchReport.Skipped(
                                "docs/broken.docx", Reason.DAMAGED, "is damaged: it is not a ZIP archive"),
                        new SearchReport.Skipped("docs/noise.md", Reason.BINARY, "is not a text"));
    }

    @Test
    void otherKindsOfFilesLeaveTheIndex() throws Exception {
        report();
        try (FileSearch search = builder().kinds(".md").build()) {
            assertThat(search.report()).isEqualTo(new SearchReport(2, 2, 0, 1, List.of(), List.of()));
            assertThat(search.search("three", 5)).isEmpty();
        }
    }

    @Test
    void anIndexWithOtherSettingsIsMadeAgainAndThatIsSaid() throws Exception {
        report();
        try (FileSearch search = builder().maxFileBytes(3).build()) {
            SearchReport report = search.report();
            assertThat(report.read()).isEqualTo(3);
            assertThat(report.notes()).singleElement().asString().contains("other settings");
            assertThat(search.search("one", 5)).extracting(Passage::text).containsExactly("one");
        }
    }

    @Test
    void anIndexOfAnotherFolderIsNotTakenForThisOne() throws Exception {
        report();
        Path other = Files.createDirectory(around.resolve("other"));
        new Documents(other).with("x.md", "a zebra");

        try (FileSearch search = FileSearch.builder(other).keptIn(index).build()) {
            assertThat(search.search("apple", 5)).isEmpty();
            assertThat(search.search("zebra", 5)).hasSize(1);
        }
    }

    @Test
    void aDamagedIndexIsMadeAgainWhateverIsDamaged() throws Exception {
        report();
        int kinds = files(index).size();
        for (int i = 0; i < kinds; i++) {
            Path file = files(index).get(i);
            if (file.endsWith(IndexWriter.WRITE_LOCK_NAME) || file.endsWith(".gitignore")) {
                continue;
            }
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 0x55;
            Files.write(file, bytes);

            SearchReport report = report();

            assertThat(report.files()).as(file.toString()).isEqualTo(3);
            assertThat(report.notes())
                    .as(file.toString())
                    .singleElement()
                    .asString()
                    .contains("made again");
            assertThat(report().notes()).isEmpty();
            assertThat(sources("apples")).hasSize(3);
        }
    }

    @Test
    void damageIsSeenWhereverItIs() throws Exception {
        report();
        for (int tenth = 1; tenth < 10; tenth++) {
            Path largest = files(index).stream()
                    .max(Comparator.comparing(file -> file.toFile().length()))
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(largest);
            bytes[bytes.length * tenth / 10] ^= 1;
            Files.write(largest, bytes);

            assertThat(report().notes()).as("damaged at " + tenth + "/10").hasSize(1);
        }
    }

    @Test
    void anIndexThatLostAFileIsMadeAgain() throws Exception {
        report();
        for (Path file : files(index)) {
            Files.delete(file);
        }
        Files.writeString(index.resolve("segments_1"), "");

        assertThat(report().files()).isEqualTo(3);
        assertThat(sources("apples")).hasSize(3);
    }

    @Test
    void whereItCannotBeKeptTheIndexIsInMemory() throws Exception {
        Files.createDirectories(index.getParent());
        Files.writeString(index, "a file, not a folder");

        SearchReport report = report();

        assertThat(report.files()).isEqualTo(3);
        assertThat(report.notes()).singleElement().asString().contains("in memory only");
        assertThat(Files.readString(index)).isEqualTo("a file, not a folder");
    }

    @Test
    void whileAnotherProcessWritesChangesAreSeenAndNobodyWaits() throws Exception {
        report();
        docs.with("d.md", "a zebra");
        try (NIOFSDirectory directory = new NIOFSDirectory(index);
                Lock held = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME);
                FileSearch search = open()) {
            held.ensureValid();
            SearchReport report = search.report();
            assertThat(report.files()).isEqualTo(4);
            assertThat(report.read()).isEqualTo(1);
            assertThat(report.notes()).singleElement().asString().contains("Another process");
            assertThat(search.search("zebra apples", 5)).hasSize(4);
        }

        assertThat(report().read()).isEqualTo(1);
    }

    @Test
    void onlyTheUserMayReadIt() throws Exception {
        report();
        if (!index.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(index)))
                .isEqualTo("rwx------");
        for (Path file : files(index)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .as(file.toString())
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void whoIsToldHowItGoesOnHearsOfEveryFile() throws Exception {
        docs.with("noise.md", new byte[100]);
        List<IndexProgress> heard = new ArrayList<>();
        try (FileSearch search = builder().onProgress(heard::add).build()) {
            search.report();
        }

        assertThat(heard.getFirst()).isEqualTo(new IndexProgress(4, 0, 0, 0, 0, false));
        assertThat(heard.getLast()).isEqualTo(new IndexProgress(4, 4, 4, 1, 0, true));
        assertThat(heard).extracting(IndexProgress::done).containsExactly(0, 1, 2, 3, 4, 4);
    }

    @Test
    void equallyGoodPassagesKeepTheirOrderAfterChanges() throws Exception {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            docs.with(name + ".md", "same words");
        }
        for (String changed : List.of("", "a", "c", "b", "a")) {
            if (!changed.isEmpty()) {
                docs.with(changed + ".md", Files.readString(folder.resolve(changed + ".md")) + "\n");
            }
            assertThat(sources("same"))
                    .as("after a change of " + changed)
                    .containsExactly("docs/a.md:1", "docs/b.md:1", "docs/c.md:1", "docs/d.md:1", "docs/e.md:1");
        }
    }

    /** Whoever is killed in the middle leaves a whole index, and the next one goes on with it. */
    @Test
    void aProcessThatIsKilledLeavesWhatItHasCommitted() throws Exception {
        for (int i = 0; i < 1_200; i++) {
            docs.with("many/f" + i + ".md", "number n" + i);
        }
        Process process = Child.start(folder, index, "700");
        try {
            assertThat(process.getInputStream().read()).isEqualTo('!');
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }

        SearchReport report = report();

        assertThat(report.files()).isEqualTo(1_203);
        assertThat(report.read()).isEqualTo(703);
        assertThat(report.notes()).isEmpty();
        assertThat(sources("n1199")).startsWith("docs/many/f1199.md:1");
        assertThat(sources("apples")).hasSize(3);
    }

    @Test
    void twoProcessesMayIndexAtOnce() throws Exception {
        for (int i = 0; i < 300; i++) {
            docs.with("many/f" + i + ".md", "number n" + i);
        }
        Process first = Child.start(folder, index, "100");
        try {
            assertThat(first.getInputStream().read()).isEqualTo('!');

            assertThat(report().files()).isEqualTo(303);
            assertThat(sources("n299")).startsWith("docs/many/f299.md:1");
        } finally {
            first.destroyForcibly();
            first.waitFor();
        }
        assertThat(report().notes()).isEmpty();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** A process that indexes, says when it has done so many files, and then waits to be killed. */
    static final class Child {
        private Child() {}

        static Process start(Path folder, Path index, String files) throws IOException {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Child.class.getName(),
                            folder.toString(),
                            index.toString(),
                            files)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        public static void main(String[] args) throws InterruptedException {
            int stop = Integer.parseInt(args[2]);
            try (FileSearch search = FileSearch.builder(Path.of(args[0]))
                    .keptIn(Path.of(args[1]))
                    .isolateDocuments(false)
                    .clock(() -> Instant.now().plusSeconds(60))
                    .onProgress(progress -> {
                        if (progress.done() == stop) {
                            System.out.write("!".getBytes(StandardCharsets.UTF_8), 0, 1);
                            System.out.flush();
                            java.util.concurrent.locks.LockSupport.park();
                        }
                    })
                    .build()) {
                search.report();
            }
        }
    }
}
