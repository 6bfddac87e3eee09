package dev.chargehand.memory;

import dev.chargehand.thread.ThreadMessage;

/**
 * A message that a search has found.
 *
 * @param threadId its thread
 * @param message the message, with its place in the thread
 * @param score the similarity of its best passage, at most 1
 */
public record FoundMessage(String threadId, ThreadMessage message, double score) {}
