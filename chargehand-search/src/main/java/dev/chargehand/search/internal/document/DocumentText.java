package dev.chargehand.search.internal.document;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a file, in lines.
 *
 * @param lines without their ends
 * @param places what stands for each line in a source, such as {@code p12}; empty if that is the line's number
 * @param blocks which lines belong together
 * @param cut whether there is more in the file than that
 */
public record DocumentText(List<String> lines, List<String> places, List<Block> blocks, boolean cut) {

    /** What stands for a line in a source. */
    public String place(int line) {
        return places.isEmpty() ? Integer.toString(line + 1) : places.get(line);
    }

    /** Collects the text of a document as it is read. */
    public static final class Builder {

        /** The most characters of a document; a long book has two million. */
        public static final int MOST_CHARACTERS = 5_000_000;

        /** The cost of a line in addition to its characters, so that endless short lines are not free. */
        private static final int LINE = 16;

        private final List<String> lines = new ArrayList<>();
        private final List<String> places = new ArrayList<>();
        private final List<Block> blocks = new ArrayList<>();
        private final MarkdownHeadings headings = new MarkdownHeadings();
        private int characters;
        private int first;
        private String path = "";
        private int bareLevel;
        private String bareTitle = "";
        private String barePlace = "";

        /** There is enough: no more is to be read. */
        public static final class Full extends java.io.IOException {}

        /** Name the document: text before its first heading belongs to this title. */
        void title(String title) {
            headings.enter(new MarkdownHeadings.Heading(1, oneLine(title)));
        }

        /** Continue under a heading of level 1 to 9. */
        void heading(int level, String title, String place) throws Full {
            bareHeading(level);
            end();
            headings.enter(new MarkdownHeadings.Heading(level, oneLine(title)));
            bareLevel = level;
            bareTitle = title;
            barePlace = place;
        }

        /** End a block: what follows does not belong to what came before. */
        void end() {
            if (lines.size() > first) {
                blocks.add(new Block(first, lines.size() - 1, path));
            }
            first = lines.size();
        }

        /** Add text at a place, which may have several lines; blank ones are left out. */
        void add(String place, String text) throws Full {
            bareLevel = 0;
            path = headings.path();
            put(place, text);
        }

        DocumentText build(boolean cut) {
            end();
            return new DocumentText(lines, places, blocks, cut);
        }

        /** As {@link #build}, with the last heading if no text followed it. */
        DocumentText finish() throws Full {
            bareHeading(0);
            return build(false);
        }

        /** A heading without text is indexed as text: else its words could not be found. */
        private void bareHeading(int nextLevel) throws Full {
            if (bareLevel > 0 && nextLevel <= bareLevel) {
                path = headings.path();
                put(barePlace, bareTitle);
                end();
            }
            bareLevel = 0;
        }

        private void put(String place, String text) throws Full {
            for (String line : text.lines().toList()) {
                if (!line.isBlank()) {
                    characters += line.length() + place.length() + LINE;
                    if (characters > MOST_CHARACTERS) {
                        throw new Full();
                    }
                    lines.add(line.replaceAll("[\\p{Cntrl}&&[^\t]]", " ").stripTrailing());
                    places.add(place);
                }
            }
        }

        private static String oneLine(String title) {
            String line = title.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
            return line.length() > 200 ? line.substring(0, 200) : line;
        }
    }
}
