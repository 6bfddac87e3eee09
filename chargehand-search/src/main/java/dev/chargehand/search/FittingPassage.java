package dev.chargehand.search;

import dev.chargehand.search.report.Passage;

/**
 * A passage as {@code search-files} returns it.
 *
 * @param source where it is, such as {@code docs/concepts.md:12}
 * @param heading the headings above it; may be empty
 * @param text the passage
 * @param sure how sure it is that it answers the query, from 0 to 1 in hundredths
 */
record FittingPassage(String source, String heading, String text, double sure) {

    static FittingPassage of(String source, String heading, String text, double sure) {
        return new FittingPassage(source, heading, text, Math.round(sure * 100) / 100.0);
    }

    Passage passage() {
        return new Passage(source, heading, text);
    }
}
