package dev.chargehand.search.internal.document;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Reads the body of a Word document: paragraphs, counted from 1 without empty ones, and rows of tables. */
final class WordReader {

    private static final String BODY = "word/document.xml";
    private static final String STYLES = "word/styles.xml";

    private final DocumentText.Builder text;
    private final Map<String, Integer> levels;
    private final Deque<Paragraph> open = new ArrayDeque<>();
    private final StringBuilder row = new StringBuilder();
    private int rowPlace;
    private int tables;
    private int number;
    private boolean inList;

    /** An open paragraph; it may be inside another's text box. */
    private static final class Paragraph {
        final StringBuilder words = new StringBuilder();
        int level;
        boolean item;
        boolean hidden;
    }

    private WordReader(DocumentText.Builder text, Map<String, Integer> levels) {
        this.text = text;
        this.levels = levels;
    }

    static void read(byte[] bytes, DocumentText.Builder text) throws IOException {
        ZipParts parts = ZipParts.of(bytes, name -> name.equals(BODY) || name.equals(STYLES));
        Map<String, Integer> levels = parts.has(STYLES) ? levels(parts.open(STYLES)) : Map.of();
        new WordReader(text, levels).read(parts.open(BODY));
    }

    /**
     * The styles that make headings, by their ids: a document in another language has other ids, with the same names.
     */
    private static Map<String, Integer> levels(Xml styles) throws IOException {
        Map<String, Integer> levels = new HashMap<>();
        Map<String, String> based = new HashMap<>();
        String id = "";
        while (styles.next()) {
            if (styles.begins("style")) {
                id = styles.attribute("styleId");
            } else if (styles.begins("name")) {
                String name = styles.attribute("val").toLowerCase(Locale.ROOT);
                if (name.matches("heading [1-9]")) {
                    levels.put(id, name.charAt(8) - '0');
                }
            } else if (styles.begins("basedOn")) {
                based.put(id, styles.attribute("val"));
            } else if (styles.begins("outlineLvl")) {
                levels.putIfAbsent(id, styles.number("val", 9) + 1);
            }
        }
        based.forEach((style, parent) -> {
            Integer level = levels.get(parent);
            if (level != null) {
                levels.putIfAbsent(style, level);
            }
        });
        return levels;
    }

    private void read(Xml body) throws IOException {
        while (body.next()) {
            if (body.begins()) {
                begin(body);
            } else if (body.text().isEmpty()) {
                end(body.name());
            }
        }
    }

    private void begin(Xml body) throws IOException {
        Paragraph paragraph = open.peek();
        switch (body.name()) {
            case "p" -> open.push(new Paragraph());
            case "Fallback", "moveFrom", "del", "instrText" -> body.skip();
            case "tbl" -> {
                if (tables++ == 0) {
                    text.end();
                }
            }
            default -> {
                if (paragraph != null) {
                    inParagraph(body, paragraph);
                }
            }
        }
    }

    private void inParagraph(Xml body, Paragraph paragraph) throws IOException {
        switch (body.name()) {
            case "pStyle" -> paragraph.level = levels.getOrDefault(body.attribute("val"), paragraph.level);
            case "outlineLvl" -> paragraph.level = body.number("val", 9) + 1;
            case "numPr" -> paragraph.item = true;
            case "r" -> paragraph.hidden = false;
            case "vanish" -> paragraph.hidden = !body.attribute("val").matches("0|false");
            case "t" -> text(body, paragraph);
            case "tab" -> paragraph.words.append('\t');
            case "br", "cr" -> paragraph.words.append('\n');
            case "noBreakHyphen" -> paragraph.words.append('-');
            default -> {}
        }
    }

    private static void text(Xml body, Paragraph paragraph) throws IOException {
        while (body.next() && !body.ends("t")) {
            if (!paragraph.hidden) {
                paragraph.words.append(body.text());
            }
        }
    }

    private void end(String name) throws IOException {
        switch (name) {
            case "p" -> {
                Paragraph paragraph = open.poll();
                if (paragraph != null && !paragraph.words.toString().isBlank()) {
                    number++;
                    keep(paragraph);
                }
            }
            case "tr" -> {
                if (tables == 1) {
                    flushRow();
                }
            }
            case "tbl" -> {
                if (--tables == 0) {
                    flushRow();
                    text.end();
                }
            }
            default -> {}
        }
    }

    private void keep(Paragraph paragraph) throws IOException {
        String words = paragraph.words.toString().strip();
        if (tables > 0) {
            if (row.isEmpty()) {
                rowPlace = number;
            }
            row.append(row.isEmpty() ? "" : " | ").append(words.replace('\n', ' '));
            return;
        }
        if (!paragraph.item || !inList) {
            text.end();
        }
        inList = paragraph.item;
        if (paragraph.level >= 1 && paragraph.level <= 9) {
            text.heading(paragraph.level, words, "para" + number);
        } else {
            text.add("para" + number, paragraph.item ? "- " + words : words);
        }
    }

    private void flushRow() throws IOException {
        if (!row.isEmpty()) {
            text.add("para" + rowPlace, row.toString());
            row.setLength(0);
        }
    }
}
