package dev.chargehand.internal.fact;

/**
 * Messages of a thread that are recalled together.
 *
 * @param from the position of the first one
 * @param to the position after the last one
 * @param score the similarity of the one that was found
 */
public record RecalledRange(String threadId, long from, long to, double score) {}
