package dev.chargehand.event;

/**
 * Messages of a thread that a run recalled together: one that a search found, and those around it.
 *
 * @param from the position of the first one
 * @param to the position after the last one
 * @param score the similarity of the one that was found, at most 1
 */
public record RecalledMessages(String threadId, long from, long to, double score) {}
