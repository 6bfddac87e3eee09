package dev.chargehand.cli.config;

/**
 * A text that somebody gave, and where.
 *
 * @param text as it was given, variables and all
 * @param at where
 */
public record Setting(String text, Position at) {}
