package dev.chargehand.config.internal.offline;

/**
 * A passage that was found.
 *
 * @param source where it stands, such as {@code docs/concepts.md:12}; empty if that is not known
 * @param heading the heading above it; may be empty
 * @param text the passage
 */
record Finding(String source, String heading, String text) {}
