package dev.chargehand.store;

/**
 * What a store answers to an append.
 *
 * @param treePosition the tree position of the last fact that the tree has now
 */
public record Appended(long treePosition) {}
