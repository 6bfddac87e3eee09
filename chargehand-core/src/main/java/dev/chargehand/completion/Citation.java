package dev.chargehand.completion;

import org.jspecify.annotations.Nullable;

/** Something that a text cites. */
sealed interface Citation {

    /** Return the source, as it can be looked for. */
    String source();

    /** A web address. */
    record Url(String source) implements Citation {}

    /**
     * Lines of a file, or pages, paragraphs, slides or rows of a document.
     *
     * @param source as it is in the text
     * @param file the path; between brackets it may have spaces
     * @param lastWord the path without what stands before its last space, which may be a word such as "see"
     * @param unit what is counted in a document, such as {@code p} in {@code guide.pdf:p12}; empty for lines
     * @param from the first line, from 1; 0 if the text names none
     * @param to the last line
     */
    record Place(String source, String file, String lastWord, String unit, int from, int to) implements Citation {}

    /**
     * A number whose source is neither a web address nor a place.
     *
     * @param entry what the list of references says, or null if it does not have the number
     */
    record Numbered(int number, @Nullable String entry) implements Citation {

        @Override
        public String source() {
            return entry == null ? "[" + number + "]" : entry;
        }
    }
}
