package dev.chargehand.provider.fault;

/**
 * The maximum size of one answer; more is rejected, so that no provider can fill the heap.
 *
 * @param eventBytes data of one event, and the length of one line
 * @param responseBytes a whole streamed answer as it comes off the wire, decoded
 * @param documentBytes an answer that is one JSON document
 * @param contentChars text, reasoning and arguments of an answer together
 * @param errorBytes the body of an answer that reports an error; the rest is not looked at
 * @param toolCalls calls in one answer
 */
public record WireLimits(
        int eventBytes, long responseBytes, int documentBytes, int contentChars, int errorBytes, int toolCalls) {

    /** Far above the limit of a run (1 M characters), and small enough for a heap. */
    public static final WireLimits DEFAULT = new WireLimits(4 << 20, 512L << 20, 64 << 20, 64 << 20, 64 << 10, 1_000);
}
