package dev.chargehand.store;

/**
 * A message of a thread as a store keeps it.
 *
 * @param messageId unique within the thread; appending an id that exists already changes nothing
 * @param text the message as JSON, which the store never interprets
 */
public record ThreadEntry(String messageId, String text) {}
