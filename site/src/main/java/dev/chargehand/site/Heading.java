package dev.chargehand.site;

/**
 * A heading of a page.
 *
 * @param level 1 for the title
 * @param id its anchor, the same as on GitHub
 * @param text its text, without marks
 */
record Heading(int level, String id, String text) {}
