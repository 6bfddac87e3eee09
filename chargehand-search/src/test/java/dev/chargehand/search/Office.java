package dev.chargehand.search;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes office files out of their parts, as Word, Excel, PowerPoint and LibreOffice write them. */
final class Office {

    private static final String W = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
    private static final String R = "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    private static final String A = "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"";
    private static final String P = "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"";
    private static final String ODF = "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\""
            + " xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\""
            + " xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\""
            + " xmlns:presentation=\"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0\""
            + " xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\"";
    private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

    private Office() {}

    /** A document of Word, in German, as styles have other ids there. */
    static byte[] word(String body) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("[Content_Types].xml", HEAD + "<Types/>");
        parts.put(
                "word/styles.xml",
                HEAD + "<w:styles " + W + ">"
                        + "<w:style w:type=\"paragraph\" w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style>"
                        + "<w:style w:type=\"paragraph\" w:styleId=\"berschrift2\"><w:name w:val=\"heading 2\"/></w:style>"
                        + "<w:style w:type=\"paragraph\" w:styleId=\"Kapitel\"><w:name w:val=\"Kapitel\"/>"
                        + "<w:basedOn w:val=\"berschrift1\"/></w:style></w:styles>");
        parts.put(
                "word/document.xml",
                HEAD + "<w:document " + W
                        + " xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\"><w:body>" + body
                        + "</w:body></w:document>");
        return zip(parts);
    }

    static String paragraph(String style, String text) {
        return "<w:p><w:pPr><w:pStyle w:val=\"" + style + "\"/></w:pPr><w:r><w:t>" + text + "</w:t></w:r></w:p>";
    }

    /** A workbook of Excel with one sheet. */
    static byte[] excel(String name, String sharedStrings, String rows) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put(
                "xl/workbook.xml",
                HEAD + "<workbook " + R + "><sheets><sheet name=\"Old\" sheetId=\"1\" state=\"hidden\""
                        + " r:id=\"rId1\"/><sheet name=\"" + name
                        + "\" sheetId=\"2\" r:id=\"rId2\"/></sheets></workbook>");
        parts.put(
                "xl/_rels/workbook.xml.rels",
                HEAD + "<Relationships>"
                        + "<Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/>"
                        + "<Relationship Id=\"rId2\" Target=\"/xl/worksheets/sheet2.xml\"/></Relationships>");
        parts.put("xl/sharedStrings.xml", HEAD + "<sst>" + sharedStrings + "</sst>");
        parts.put(
                "xl/styles.xml",
                HEAD + "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy\"/>"
                        + "</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
                        + "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>");
        parts.put(
                "xl/worksheets/sheet1.xml",
                HEAD
                        + "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>hidden secret</t></is></c></row>"
                        + "</sheetData></worksheet>");
        parts.put("xl/worksheets/sheet2.xml", HEAD + "<worksheet><sheetData>" + rows + "</sheetData></worksheet>");
        return zip(parts);
    }

    /** A presentation of PowerPoint: the second slide comes first. */
    static byte[] powerPoint(String first, String second) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("ppt/slides/slide1.xml", HEAD + "<p:sld " + P + " " + A + ">" + second + "</p:sld>");
        parts.put("ppt/slides/slide2.xml", HEAD + "<p:sld " + P + " " + A + ">" + first + "</p:sld>");
        parts.put(
                "ppt/presentation.xml",
                HEAD + "<p:presentation " + P + " " + R + "><p:sldIdLst>"
                        + "<p:sldId id=\"257\" r:id=\"rId3\"/><p:sldId id=\"256\" r:id=\"rId2\"/></p:sldIdLst></p:presentation>");
        parts.put(
                "ppt/_rels/presentation.xml.rels",
                HEAD + "<Relationships>"
                        + "<Relationship Id=\"rId2\" Target=\"slides/slide1.xml\"/>"
                        + "<Relationship Id=\"rId3\" Target=\"slides/slide2.xml\"/></Relationships>");
        return zip(parts);
    }

    static String shape(String placeholder, String... paragraphs) {
        StringBuilder shape =
                new StringBuilder("<p:sp><p:nvSpPr><p:nvPr>" + placeholder + "</p:nvPr></p:nvSpPr><p:txBody>");
        for (String paragraph : paragraphs) {
            shape.append("<a:p><a:r><a:t>").append(paragraph).append("</a:t></a:r></a:p>");
        }
        return shape.append("</p:txBody></p:sp>").toString();
    }

    /** A file of LibreOffice. */
    static byte[] openDocument(String body) {
        return zip(Map.of(
                "content.xml",
                HEAD + "<office:document-content " + ODF + "><office:body>" + body
                        + "</office:body></office:document-content>"));
    }

    static byte[] zip(Map<String, String> parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> part : parts.entrySet()) {
                zip.putNextEntry(new ZipEntry(part.getKey()));
                zip.write(part.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
