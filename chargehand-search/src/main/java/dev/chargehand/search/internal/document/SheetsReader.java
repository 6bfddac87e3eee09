package dev.chargehand.search.internal.document;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the rows of an Excel workbook, the cells of a row next to each other; hidden sheets are left out. */
final class SheetsReader {

    private final DocumentText.Builder text;
    private final List<String> shared = new ArrayList<>();
    private CellDates dates = CellDates.NONE;

    private SheetsReader(DocumentText.Builder text) {
        this.text = text;
    }

    static void read(byte[] bytes, DocumentText.Builder text) throws IOException {
        ZipParts parts = ZipParts.of(
                bytes,
                name -> name.matches(
                        "xl/(workbook\\.xml|_rels/workbook\\.xml\\.rels|sharedStrings\\.xml|styles\\.xml|worksheets/[^/]+\\.xml)"));
        SheetsReader reader = new SheetsReader(text);
        if (parts.has("xl/sharedStrings.xml")) {
            reader.readShared(parts.open("xl/sharedStrings.xml"));
        }
        if (parts.has("xl/styles.xml")) {
            reader.dates = CellDates.of(parts.open("xl/styles.xml"));
        }
        Relations relations = Relations.of(parts, "xl", "workbook.xml");
        Xml workbook = parts.open("xl/workbook.xml");
        int number = 0;
        while (workbook.next()) {
            if (workbook.begins("sheet")) {
                number++;
                String sheet = relations.target(workbook.attribute("relationships", "id"));
                if (parts.has(sheet)
                        && !workbook.attribute("state")
                                .toLowerCase(java.util.Locale.ROOT)
                                .contains("hidden")) {
                    text.end();
                    text.title(workbook.attribute("name"));
                    reader.readSheet(parts.open(sheet), "sheet" + number + ".row");
                }
            }
        }
    }

    private void readShared(Xml xml) throws IOException {
        StringBuilder item = new StringBuilder();
        while (xml.next()) {
            if (xml.begins("rPh")) {
                xml.skip();
            } else if (xml.begins("t")) {
                appendText(xml, "t", item);
            } else if (xml.ends("si")) {
                shared.add(item.toString());
                item.setLength(0);
            }
        }
    }

    private void readSheet(Xml xml, String place) throws IOException {
        StringBuilder row = new StringBuilder();
        StringBuilder value = new StringBuilder();
        int number = 0;
        String type = "";
        int style = 0;
        while (xml.next()) {
            if (xml.begins("row")) {
                number = xml.number("r", number + 1);
                row.setLength(0);
            } else if (xml.begins("c")) {
                type = xml.attribute("t");
                style = xml.number("s", 0);
                value.setLength(0);
            } else if (xml.begins("v") || xml.begins("t")) {
                appendText(xml, xml.name(), value);
            } else if (xml.ends("c")) {
                String shown = shown(type, style, value.toString()).strip();
                if (!shown.isEmpty()) {
                    row.append(row.isEmpty() ? "" : " | ").append(shown);
                }
            } else if (xml.ends("row") && !row.isEmpty()) {
                text.add(place + number, row.toString().replaceAll("(?<!\\s)\\s*\n\\s*", " "));
            }
        }
    }

    private String shown(String type, int style, String value) {
        return switch (type) {
            case "s" -> shared(value);
            case "b" -> value.equals("1") ? "TRUE" : "FALSE";
            case "", "n" -> dates.shown(style, value);
            default -> value;
        };
    }

    private String shared(String index) {
        try {
            return shared.get(Integer.parseInt(index.strip()));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return "";
        }
    }

    private static void appendText(Xml xml, String name, StringBuilder to) throws IOException {
        while (xml.next() && !xml.ends(name)) {
            to.append(xml.text());
        }
    }
}
