package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentFormatsTest {

    @TempDir
    Path folder;

    Documents docs;

    @BeforeEach
    void setUp() {
        docs = new Documents(folder);
    }

    @Test
    void aPageIsCitedByTheLinesOfItsSourceAndReadWithoutWhatIsNotForReaders() throws Exception {
        docs.with("a.html", """
                <!DOCTYPE html>
                <html><head><title>Handbook</title><style>p { color: apple }</style></head>
                <body>
                <nav><ul><li>apple menu</li></ul></nav>
                <p>
                  Before any heading,
                  an <b>ap</b>ple.</p>
                <h1>Fruit</h1>
                <script>var apple = 1;</script>
                <h2>Kinds &amp; sorts</h2>
                <p>An apple is a pome.
                <ul>
                <li>red apple</li>
                <li><p>green apple</p></li>
                </ul>
                <table><tr><th>Name</th><th>Weight</th></tr>
                <tr><td>Apple</td><td>200 g</td></tr></table>
                <div hidden>hidden apple</div>
                <pre>
                apple:
                  core
                </pre>
                <footer>apple footer</footer>
                </body></html>
                """);

        assertThat(docs.search("apple", 20))
                .containsExactlyInAnyOrder(
                        new Passage("docs/a.html:6", "Handbook", "Before any heading, an apple."),
                        new Passage("docs/a.html:11", "Fruit > Kinds & sorts", "An apple is a pome."),
                        new Passage("docs/a.html:13", "Fruit > Kinds & sorts", "- red apple\n- green apple"),
                        new Passage("docs/a.html:16", "Fruit > Kinds & sorts", "Name | Weight\nApple | 200 g"),
                        new Passage("docs/a.html:20", "Fruit > Kinds & sorts", "apple:\n  core"));
    }

    @Test
    void aPageMayBeInAnotherCharset() throws Exception {
        docs.with(
                "a.htm",
                "<meta charset=iso-8859-1><p>Eine Übergabe</p>".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));

        assertThat(docs.search("Übergabe")).extracting(Passage::text).containsExactly("Eine Übergabe");
    }

    @Test
    void aHeadingWithNothingBelowItIsFound() throws Exception {
        docs.with("a.html", "<h1>One</h1>\n<h2>Zebra</h2>\n<h2>Two</h2><p>x</p>\n<h2>Yak</h2>");

        assertThat(docs.search("zebra")).containsExactly(new Passage("docs/a.html:2", "One > Zebra", "Zebra"));
        assertThat(docs.search("yak")).containsExactly(new Passage("docs/a.html:4", "One > Yak", "Yak"));
    }

    @Test
    void aPdfIsCitedByItsPages() throws Exception {
        docs.with("a.pdf", Pdf.of("Guide", "A first page\nof two lines.", "", "The zebra is on page three."));

        assertThat(docs.search("zebra"))
                .containsExactly(new Passage("docs/a.pdf:p3", "Guide", "The zebra is on page three."));
        assertThat(docs.search("lines"))
                .containsExactly(new Passage("docs/a.pdf:p1", "Guide", "A first page\nof two lines."));
    }

    @Test
    void aWordDocumentIsCitedByItsParagraphs() throws Exception {
        String item = "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>%s</w:t></w:r></w:p>";
        String cell = "<w:tc><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:tc>";
        docs.with(
                "a.docx",
                Office.word(Office.paragraph("Kapitel", "Fruit")
                        + "<w:p/>"
                        + "<w:p><w:r><w:t xml:space=\"preserve\">An </w:t></w:r><w:r><w:t>apple</w:t><w:tab/><w:t>pie</w:t></w:r>"
                        + "<w:del><w:r><w:delText>gone apple</w:delText></w:r></w:del>"
                        + "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden apple</w:t></w:r></w:p>"
                        + Office.paragraph("berschrift2", "Kinds")
                        + item.formatted("red apple") + item.formatted("green apple")
                        + "<w:tbl><w:tr>" + cell.formatted("Apple") + cell.formatted("200 g") + "</w:tr>"
                        + "<w:tr>" + cell.formatted("Pear") + cell.formatted("180 g") + "</w:tr></w:tbl>"));

        assertThat(docs.search("apple", 20))
                .containsExactlyInAnyOrder(
                        new Passage("docs/a.docx:para2", "Fruit", "An apple\tpie"),
                        new Passage("docs/a.docx:para4", "Fruit > Kinds", "- red apple\n- green apple"),
                        new Passage("docs/a.docx:para6", "Fruit > Kinds", "Apple | 200 g\nPear | 180 g"));
    }

    @Test
    void aTextBoxOfAWordDocumentIsReadOnce() throws Exception {
        String box = "<w:txbxContent><w:p><w:r><w:t>boxed zebra</w:t></w:r></w:p></w:txbxContent>";
        docs.with(
                "a.docx",
                Office.word("<w:p><w:r><w:t>outer yak</w:t></w:r><mc:AlternateContent><mc:Choice>" + box
                        + "</mc:Choice><mc:Fallback>" + box + "</mc:Fallback></mc:AlternateContent></w:p>"));

        assertThat(docs.search("zebra")).extracting(Passage::text).containsExactly("boxed zebra");
        assertThat(docs.search("yak")).extracting(Passage::text).containsExactly("outer yak");
    }

    @Test
    void aWorkbookIsCitedBySheetAndRow() throws Exception {
        docs.with(
                "a.xlsx",
                Office.excel(
                        "Prices",
                        "<si><t>Apple</t></si><si><r><t>Since </t></r><r><t>when</t></r><rPh><t>noise</t></rPh></si>",
                        "<row r=\"3\"><c r=\"A3\" t=\"s\"><v>0</v></c><c r=\"C3\"><v>1.25</v></c>"
                                + "<c r=\"D3\" s=\"1\"><v>46146</v></c><c r=\"E3\" t=\"b\"><v>1</v></c></row>"
                                + "<row r=\"4\"><c r=\"A4\" t=\"s\"><v>1</v></c><c r=\"B4\" t=\"s\"><v>99</v></c></row>"));

        assertThat(docs.search("apple"))
                .containsExactly(new Passage(
                        "docs/a.xlsx:sheet2.row3", "Prices", "Apple | 1.25 | 2026-05-04 | TRUE\nSince when"));
        assertThat(docs.search("secret noise")).isEmpty();
    }

    @Test
    void aPresentationIsCitedByItsSlidesAsTheyAreShown() throws Exception {
        docs.with(
                "a.pptx",
                Office.powerPoint(
                        Office.shape("", "An apple", "a day") + Office.shape("<p:ph type=\"title\"/>", "Health"),
                        Office.shape("<p:ph type=\"ctrTitle\"/>", "Only a zebra")));

        assertThat(docs.search("apple"))
                .containsExactly(new Passage("docs/a.pptx:slide1", "Health", "An apple\na day"));
        assertThat(docs.search("zebra"))
                .containsExactly(new Passage("docs/a.pptx:slide2", "Only a zebra", "Only a zebra"));
    }

    @Test
    void libreOfficesFilesAreReadToo() throws Exception {
        docs.with(
                        "a.odt",
                        Office.openDocument("<office:text><text:tracked-changes><text:p>deleted apple</text:p>"
                                + "</text:tracked-changes><text:h text:outline-level=\"1\">Fruit</text:h>"
                                + "<text:p>An<text:s/>apple<text:span> pie</text:span></text:p>"
                                + "<text:list><text:list-item><text:p>red apple</text:p></text:list-item></text:list>"
                                + "</office:text>"))
                .with(
                        "b.ods",
                        Office.openDocument("<office:spreadsheet><table:table table:name=\"Prices\">"
                                + "<table:table-row table:number-rows-repeated=\"5\"><table:table-cell/></table:table-row>"
                                + "<table:table-row><table:table-cell><text:p>Apple</text:p></table:table-cell>"
                                + "<table:table-cell><text:p>1.25</text:p></table:table-cell></table:table-row>"
                                + "</table:table></office:spreadsheet>"))
                .with(
                        "c.odp",
                        Office.openDocument(
                                "<office:presentation><draw:page draw:name=\"p1\"/>"
                                        + "<draw:page draw:name=\"p2\"><draw:frame presentation:class=\"title\"><draw:text-box>"
                                        + "<text:p>Health</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box>"
                                        + "<text:p>An apple a day</text:p></draw:text-box></draw:frame><presentation:notes>"
                                        + "<text:p>apple note</text:p></presentation:notes></draw:page></office:presentation>"));

        assertThat(docs.search("apple", 20))
                .containsExactlyInAnyOrder(
                        new Passage("docs/a.odt:para2", "Fruit", "An apple pie"),
                        new Passage("docs/a.odt:para3", "Fruit", "- red apple"),
                        new Passage("docs/b.ods:sheet1.row6", "Prices", "Apple | 1.25"),
                        new Passage("docs/c.odp:slide2", "Health", "An apple a day"));
    }

    @Test
    void documentsAreReadInThisProcessIfThatIsAskedFor() throws Exception {
        docs.with("a.pdf", Pdf.of("", "An apple."));

        try (FileSearch search = FileSearch.builder(folder)
                .sourcePrefix("")
                .isolateDocuments(false)
                .build()) {
            assertThat(search.search("apple", 5)).containsExactly(new Passage("a.pdf:p1", "", "An apple."));
            assertThat(search.report()).isEqualTo(new SearchReport(1, 1, 1, 0, List.of(), List.of()));
        }
    }
}
