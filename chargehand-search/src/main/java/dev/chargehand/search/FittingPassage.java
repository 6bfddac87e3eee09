package dev.chargehand.search;

import dev.chargehand.search.report.Passage;

/**
 * A passage as {@code search-files} returns it.
 *
 * @param source where it is, such as {@code docs/concepts.md:12}
 * @param heading the headings above it; may be empty
 * @param text the passage
 * @param fit the most of the query that it has in one place, from 0 to 1 in hundredths: rare words count more, those that
 *     no file has most
 * @param support what else speaks for it, from 0 to 1 in hundredths: the share of the query in its headings and the name of
 *     its file, or the share of its file in the scores of the ten best passages, if that is more
 */
record FittingPassage(String source, String heading, String text, double fit, double support) {

    static FittingPassage of(String source, String heading, String text, double fit, double support) {
        return new FittingPassage(source, heading, text, hundredths(fit), hundredths(support));
    }

    private static double hundredths(double share) {
        return Math.round(share * 100) / 100.0;
    }

    Passage passage() {
        return new Passage(source, heading, text);
    }
}
