package dev.chargehand.search;

/**
 * A piece of a file that answers a search.
 *
 * @param source the file as it is shown to the user, a colon, and the number of the passage's first line, from 1; such
 *     as {@code docs/concepts.md:12}
 * @param heading the headings the passage stands under, outermost first, joined by {@code " > "}; empty if there are
 *     none
 * @param text what stands there, word for word, white space at both ends removed; at most 1,200 characters
 */
public record Passage(String source, String heading, String text) {}
