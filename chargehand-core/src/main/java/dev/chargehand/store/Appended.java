package dev.chargehand.store;

/**
 * What a store answers to an append.
 *
 * @param treePosition the tree position of the last fact that the tree has now
 * @param undrained how many deliveries to runs of the tree have not been read
 * @param wakes how many of them have to wake a suspended run
 */
public record Appended(long treePosition, long undrained, long wakes) {}
