package dev.chargehand.document;

/**
 * A given text, and its place.
 *
 * @param text as it was given, variables and all
 * @param at where
 */
public record Setting(String text, Position at) {}
