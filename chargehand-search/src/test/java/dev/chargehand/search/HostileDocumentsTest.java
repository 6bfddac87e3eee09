package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a document is made of: it ends as a file that was left out, and the others are searched. */
class HostileDocumentsTest {

    @TempDir
    Path around;

    Path folder;
    Documents docs;

    @BeforeEach
    void setUp() throws Exception {
        folder = Files.createDirectory(around.resolve("docs"));
        docs = new Documents(folder).with("zz.docx", Office.word(Office.paragraph("", "a good apple")));
    }

    private Map<String, Reason> skipped() throws InterruptedException {
        Map<String, Reason> reasons = new TreeMap<>();
        try (FileSearch search = docs.open()) {
            search.report().skipped().forEach(entry -> reasons.put(entry.file(), entry.reason()));
            assertThat(search.search("good", 5)).extracting(Passage::source).containsExactly("docs/zz.docx:para1");
        }
        return reasons;
    }

    @Test
    void whatIsNoSuchDocumentIsDamaged() throws Exception {
        byte[] whole = Pdf.of("", "text ".repeat(10), "more");
        byte[] word = Office.word(Office.paragraph("", "words"));
        docs.with("cut.pdf", Arrays.copyOf(whole, 200))
                .with("noise.pdf", "this is no PDF")
                .with("empty.pdf", "")
                .with("cut.docx", Arrays.copyOf(word, 60))
                .with("zeros.docx", new byte[1_000])
                .with("empty.xlsx", "")
                .with("other.pptx", word)
                .with("malformed.odt", Office.zip(Map.of("content.xml", "<a><b></a>")));

        assertThat(skipped())
                .containsOnlyKeys(
                        "docs/cut.pdf",
                        "docs/noise.pdf",
                        "docs/empty.pdf",
                        "docs/cut.docx",
                        "docs/zeros.docx",
                        "docs/empty.xlsx",
                        "docs/other.pptx",
                        "docs/malformed.odt")
                .allSatisfy((file, reason) -> assertThat(reason).isEqualTo(Reason.DAMAGED));
    }

    @Test
    void whatNeedsAPasswordOrHasNoTextIsSaidToBe() throws Exception {
        byte[] old = new byte[600];
        old[0] = (byte) 0xD0;
        old[1] = (byte) 0xCF;
        docs.with("locked.pdf", Pdf.encrypted("secret", "words"))
                .with("scan.pdf", Pdf.scanned())
                .with("locked.docx", old)
                .with(
                        "locked.odt",
                        Office.zip(Map.of(
                                "META-INF/manifest.xml", "<m><file-entry><encryption-data/></file-entry></m>",
                                "content.xml", "noise")));

        assertThat(skipped())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "docs/locked.pdf", Reason.ENCRYPTED,
                        "docs/scan.pdf", Reason.NO_TEXT,
                        "docs/locked.docx", Reason.ENCRYPTED,
                        "docs/locked.odt", Reason.ENCRYPTED));
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "where a process shows its environment as a file")
    void whoReadsThemHasNoKeysInItsEnvironment() throws Exception {
        List<String> environments = new CopyOnWriteArrayList<>();
        try (FileSearch search = FileSearch.builder(folder)
                .onProgress(progress -> environments.addAll(ofReaders()))
                .build()) {
            assertThat(search.search("good", 5)).hasSize(1);
        }
        assertThat(System.getenv()).containsKey("HOME");
        assertThat(environments).isNotEmpty().allSatisfy(environment -> assertThat(environment)
                .doesNotContain("HOME=", "PATH=/"));
    }

    /** What the processes that read documents for this one know of its environment. */
    private static List<String> ofReaders() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("DocumentMain"))
                .map(HostileDocumentsTest::environment)
                .filter(environment -> !environment.isEmpty())
                .toList();
    }

    private static String environment(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "environ"));
        } catch (IOException e) {
            return ""; // it has just ended
        }
    }

    @Test
    void entitiesAreNeverLookedAt() throws Exception {
        new Documents(around).with("secret.txt", "secret zebra");
        String outside = around.resolve("secret.txt").toUri().toString();
        StringBuilder laughs = new StringBuilder("<!DOCTYPE w [<!ENTITY a0 \"ha zebra \">");
        for (int i = 1; i < 30; i++) {
            laughs.append("<!ENTITY a")
                    .append(i)
                    .append(" \"")
                    .append(("&a" + (i - 1) + ";").repeat(10))
                    .append("\">");
        }
        docs.with(
                        "xxe.docx",
                        Office.zip(Map.of(
                                "word/document.xml",
                                "<!DOCTYPE w [<!ENTITY x SYSTEM \"" + outside
                                        + "\">]><w:document xmlns:w=\"w\"><w:p><w:t>&x;</w:t></w:p></w:document>")))
                .with(
                        "laughs.odt",
                        Office.zip(Map.of("content.xml", laughs + "]><t xmlns:text=\"t\"><text:p>&a29;</text:p></t>")))
                .with("xxe.html", "<!DOCTYPE html [<!ENTITY x SYSTEM \"" + outside + "\">]><p>&x; yak</p>");

        assertThat(skipped())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("docs/xxe.docx", Reason.DAMAGED, "docs/laughs.odt", Reason.DAMAGED));
        assertThat(docs.search("zebra")).isEmpty();
        assertThat(docs.sources("yak")).containsExactly("docs/xxe.html:1");
    }

    @Test
    void aBombIsNotUnpackedToItsEnd() throws Exception {
        docs.with("bomb.docx", bomb("word/document.xml", 150)).with("bomb.xlsx", bomb("xl/sharedStrings.xml", 20_000));

        assertThat(skipped())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("docs/bomb.docx", Reason.TOO_COSTLY, "docs/bomb.xlsx", Reason.TOO_COSTLY));
    }

    @Test
    void aHundredMegabytesOfZerosAreNotReadAsADocument() throws Exception {
        docs.with("zeros.docx", new byte[100_000_000]);

        assertThat(skipped()).containsExactlyEntriesOf(Map.of("docs/zeros.docx", Reason.TOO_COSTLY));
    }

    @Test
    void endlessNestingEndsSomewhere() throws Exception {
        docs.with("deep.html", "<div>".repeat(20_000) + "deep zebra")
                .with("deep.docx", Office.word("<w:p>".repeat(100_000) + "</w:p>".repeat(100_000)))
                .with("deep.pdf", nestedPdf(200_000));

        assertThat(skipped())
                .containsEntry("docs/deep.docx", Reason.DAMAGED)
                .containsKey("docs/deep.pdf")
                .doesNotContainKey("docs/deep.html");
        assertThat(docs.sources("zebra")).containsExactly("docs/deep.html:1");
    }

    @Test
    void ofEndlessTextTheBeginningIsIndexed() throws Exception {
        docs.with(
                "long.odt",
                Office.openDocument("<office:text><text:p>early apple</text:p>"
                        + ("<text:p>" + "filler ".repeat(140) + "</text:p>").repeat(6_000)
                        + "<text:p>late zebra</text:p></office:text>"));

        assertThat(skipped()).containsExactlyEntriesOf(Map.of("docs/long.odt", Reason.TRUNCATED));
        assertThat(docs.sources("early")).containsExactly("docs/long.odt:para1");
        assertThat(docs.search("zebra")).isEmpty();
    }

    @Test
    void whatNeedsMoreMemoryThanIsAllowedEndsTheProcessThatReadsItAndNotThisOne() throws Exception {
        docs.with("bomb.pdf", pdfThatAsksForMemory());

        assertThat(skipped()).containsExactlyEntriesOf(Map.of("docs/bomb.pdf", Reason.TOO_COSTLY));
    }

    @Test
    void whatTakesLongerThanIsAllowedIsGivenUp() throws Exception {
        docs.with("slow.docx", bomb("word/media/picture.bmp", 30_000));

        try (FileSearch search = FileSearch.builder(folder)
                .sourcePrefix("docs")
                .maxDocument(32_000_000, 384, Duration.ofMillis(1_500))
                .build()) {
            assertThat(search.report().skipped())
                    .filteredOn(entry -> entry.file().equals("docs/slow.docx"))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.detail()).contains("seconds"));
        }
    }

    /** A part that unpacks to so many megabytes of blanks: packed once, and repeated. */
    private static byte[] bomb(String name, int megabytes) throws Exception {
        byte[] blanks = new byte[1_000_000];
        Arrays.fill(blanks, (byte) ' ');
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(blanks);
        byte[] packed = new byte[10_000];
        int size = deflater.deflate(packed, 0, packed.length, Deflater.FULL_FLUSH);
        deflater.end();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ByteBuffer head = ByteBuffer.allocate(30 + name.length()).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(0x04034b50).putShort((short) 20).putShort((short) 8).putShort((short) 8);
        head.position(26)
                .putShort((short) name.length())
                .putShort((short) 0)
                .put(name.getBytes(StandardCharsets.UTF_8));
        bytes.write(head.array());
        for (int i = 0; i < megabytes; i++) {
            bytes.write(packed, 0, size);
        }
        return bytes.toByteArray();
    }

    /** Its content is packed twice, so that it has to be unpacked in memory: 500 megabytes. */
    private static byte[] pdfThatAsksForMemory() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        byte[] blanks = "20".repeat(500_000).getBytes(StandardCharsets.US_ASCII);
        try (var deflater = new DeflaterOutputStream(packed)) {
            for (int i = 0; i < 1_000; i++) {
                deflater.write(blanks);
            }
        }
        return pdf(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>",
                Map.of("<</Length " + packed.size() + "/Filter[/FlateDecode/ASCIIHexDecode]>>", packed.toByteArray()));
    }

    private static byte[] nestedPdf(int depth) throws Exception {
        return pdf(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/X " + "[".repeat(depth) + "]".repeat(depth) + ">>",
                Map.of());
    }

    private static byte[] pdf(String page, Map<String, byte[]> streams) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringBuilder table = new StringBuilder();
        out.write("%PDF-1.4\n".getBytes(StandardCharsets.US_ASCII));
        String[] objects = {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page};
        int number = 0;
        for (String object : objects) {
            table.append("%010d 00000 n \n".formatted(out.size()));
            out.write((++number + " 0 obj" + object + "endobj\n").getBytes(StandardCharsets.US_ASCII));
        }
        for (Map.Entry<String, byte[]> stream : streams.entrySet()) {
            table.append("%010d 00000 n \n".formatted(out.size()));
            out.write((++number + " 0 obj" + stream.getKey() + "stream\n").getBytes(StandardCharsets.US_ASCII));
            out.write(stream.getValue());
            out.write("\nendstream endobj\n".getBytes(StandardCharsets.US_ASCII));
        }
        int at = out.size();
        out.write(("xref\n0 " + (number + 1) + "\n0000000000 65535 f \n" + table + "trailer<</Size " + (number + 1)
                        + "/Root 1 0 R>>\nstartxref\n" + at + "\n%%EOF")
                .getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }
}
