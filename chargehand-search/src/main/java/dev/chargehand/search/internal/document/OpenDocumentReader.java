package dev.chargehand.search.internal.document;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;

/** Reads OpenDocument texts by paragraph, tables by row and presentations by slide. */
final class OpenDocumentReader {

    private static final String CONTENT = "content.xml";
    private static final String MANIFEST = "META-INF/manifest.xml";
    private static final int LAST_ROW = 1_048_576;

    private final DocumentText.Builder text;
    private final boolean sheets;
    private final boolean slides;
    private final StringBuilder row = new StringBuilder();
    private int number;
    private int part;
    private int line;
    private int repeated = 1;
    private int tables;
    private int rowPlace;
    private int lists;
    private boolean title;

    private OpenDocumentReader(DocumentText.Builder text, boolean sheets, boolean slides) {
        this.text = text;
        this.sheets = sheets;
        this.slides = slides;
    }

    static void read(String end, byte[] bytes, DocumentText.Builder text) throws IOException {
        ZipParts parts = ZipParts.of(bytes, name -> name.equals(CONTENT) || name.equals(MANIFEST));
        if (parts.has(MANIFEST)) {
            Xml manifest = parts.open(MANIFEST);
            while (manifest.next()) {
                if (manifest.begins("encryption-data")) {
                    throw new UnreadableDocumentException(Reason.ENCRYPTED, "needs a password");
                }
            }
        }
        OpenDocumentReader reader = new OpenDocumentReader(text, end.equals(".ods"), end.equals(".odp"));
        Xml xml = parts.open(CONTENT);
        while (xml.next()) {
            if (xml.begins()) {
                reader.begin(xml);
            } else if (xml.text().isEmpty()) {
                reader.end(xml.name());
            }
        }
    }

    private void begin(Xml xml) throws IOException {
        switch (xml.name()) {
            case "tracked-changes", "annotation", "notes", "note" -> xml.skip();
            case "list" -> lists++;
            case "page" -> {
                part++;
                text.end();
                text.title(slides ? "" : xml.attribute("name"));
            }
            case "frame" -> title = xml.attribute("class").equals("title");
            case "table" -> {
                if (tables++ == 0) {
                    text.end();
                    if (sheets) {
                        part++;
                        line = 0;
                        text.title(xml.attribute("name"));
                    }
                }
            }
            case "table-row" -> {
                line = Math.min(LAST_ROW, line + 1);
                repeated = Math.clamp(xml.number("number-rows-repeated", 1), 1, LAST_ROW);
            }
            case "h" -> {
                int level = xml.number("outline-level", 1);
                keep(words(xml, "h"), Math.clamp(level, 1, 9));
            }
            case "p" -> keep(words(xml, "p"), 0);
            default -> {}
        }
    }

    private void end(String name) throws IOException {
        switch (name) {
            case "list" -> lists--;
            case "frame" -> title = false;
            case "table-row" -> {
                if (tables == 1) {
                    flushRow();
                    line = Math.min(LAST_ROW, line + repeated - 1);
                }
            }
            case "table" -> {
                if (--tables == 0) {
                    flushRow();
                    text.end();
                }
            }
            default -> {}
        }
    }

    /** The text of a paragraph; one in a frame within it is part of it. */
    private static String words(Xml xml, String name) throws IOException {
        StringBuilder words = new StringBuilder();
        int inside = 1;
        while (inside > 0 && xml.next()) {
            if (xml.begins()) {
                switch (xml.name()) {
                    case "annotation", "note" -> xml.skip();
                    case "tab" -> words.append('\t');
                    case "line-break" -> words.append('\n');
                    case "s" -> words.append(' ');
                    default -> inside += xml.name().equals(name) ? 1 : 0;
                }
            } else if (xml.ends(name)) {
                inside--;
                words.append(inside > 0 ? " " : "");
            } else {
                words.append(xml.text());
            }
        }
        return words.toString().strip();
    }

    private void keep(String words, int level) throws IOException {
        if (words.isBlank()) {
            return;
        }
        number++;
        if (tables > 0) {
            if (row.isEmpty()) {
                rowPlace = number;
            }
            row.append(row.isEmpty() ? "" : " | ").append(words.replace('\n', ' '));
        } else if (slides) {
            if (title) {
                text.heading(1, words, "slide" + part);
            } else {
                text.add("slide" + part, words);
            }
        } else if (level > 0) {
            text.heading(level, words, "para" + number);
        } else {
            if (lists == 0) {
                text.end();
            }
            text.add("para" + number, lists > 0 ? "- " + words : words);
            if (lists == 0) {
                text.end();
            }
        }
    }

    private void flushRow() throws IOException {
        if (!row.isEmpty()) {
            String place = sheets ? "sheet" + part + ".row" + line : slides ? "slide" + part : "para" + rowPlace;
            text.add(place, row.toString());
            row.setLength(0);
        }
    }
}
