package dev.chargehand.search.internal.document;

/**
 * Lines of a file that belong together: a paragraph, a list, a block of code.
 *
 * @param first the first line, from 0
 * @param last the last line, from 0
 * @param heading the headings above it
 */
public record Block(int first, int last, String heading) {}
