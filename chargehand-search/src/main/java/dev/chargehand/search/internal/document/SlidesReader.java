package dev.chargehand.search.internal.document;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the slides of a PowerPoint presentation, in the order in which they are shown; hidden ones are left out. */
final class SlidesReader {

    private final DocumentText.Builder text;

    private SlidesReader(DocumentText.Builder text) {
        this.text = text;
    }

    static void read(byte[] bytes, DocumentText.Builder text) throws IOException {
        ZipParts parts = ZipParts.of(
                bytes,
                name -> name.matches("ppt/(presentation\\.xml|_rels/presentation\\.xml\\.rels|slides/[^/]+\\.xml)"));
        Relations relations = Relations.of(parts, "ppt", "presentation.xml");
        Xml presentation = parts.open("ppt/presentation.xml");
        SlidesReader reader = new SlidesReader(text);
        int number = 0;
        while (presentation.next()) {
            if (presentation.begins("sldId")) {
                number++;
                String slide = relations.target(presentation.attribute("relationships", "id"));
                if (parts.has(slide)) {
                    reader.read(parts.open(slide), "slide" + number);
                }
            }
        }
    }

    private void read(Xml slide, String place) throws IOException {
        StringBuilder title = new StringBuilder();
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        boolean inTitle = false;
        int rows = 0;
        while (slide.next()) {
            switch (slide.name()) {
                case "sld" -> {
                    if (slide.begins() && slide.attribute("show").matches("0|false")) {
                        return;
                    }
                }
                case "sp" -> inTitle = false;
                case "ph" ->
                    inTitle |= slide.begins() && slide.attribute("type").matches("title|ctrTitle");
                case "t" -> {
                    while (slide.begins() && slide.next() && !slide.ends("t")) {
                        line.append(slide.text());
                    }
                }
                case "br" -> line.append(slide.begins() ? " " : "");
                case "tr" -> {
                    rows += slide.begins() ? 1 : -1;
                    keep(line, lines);
                }
                case "tc" -> line.append(slide.begins() && !line.isEmpty() ? " | " : "");
                case "p" -> {
                    if (slide.begins() || rows > 0) {
                        continue;
                    }
                    if (inTitle) {
                        title.append(title.isEmpty() ? "" : " ").append(line);
                        line.setLength(0);
                    } else {
                        keep(line, lines);
                    }
                }
                default -> {}
            }
        }
        text.heading(1, title.toString(), place);
        if (!lines.isEmpty()) {
            text.add(place, String.join("\n", lines));
        }
        text.end();
    }

    private static void keep(StringBuilder line, List<String> lines) {
        if (!line.toString().isBlank()) {
            lines.add(line.toString().strip());
        }
        line.setLength(0);
    }
}
