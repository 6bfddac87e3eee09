package dev.chargehand.search.report;

/**
 * A piece of a file that answers a search.
 *
 * @param source the file as it is shown to the user, a colon, and the place where the passage starts, from 1. In texts
 *     and HTML that is the number of a line, such as {@code docs/concepts.md:12}; in documents a word and a number:
 *     {@code p12} for a page of a PDF, {@code para31} for a paragraph, {@code slide4}, and {@code sheet2.row40}
 * @param heading the headings of the passage, outermost first, joined by {@code " > "}; empty if there are
 *     none
 * @param text the text, verbatim, without white space at both ends; at most 1,200 characters
 */
public record Passage(String source, String heading, String text) {}
