package dev.chargehand.testkit.provider.reply;

import dev.chargehand.model.HashedWords;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.time.Duration;
import java.util.List;

/**
 * Say how the provider answers one request.
 *
 * <p>Replies are immutable: each method returns a new one, and one reply may answer any number of requests, at the
 * same time too (but a latch given to {@link WireReply#hold} opens once for all of them). Their bytes are encoded at
 * the first use and kept.
 */
public sealed interface Reply permits ChatReply, WireReply {

    /** Render this reply for a request; a {@link ChatReply} streams only if the request asks for a stream. */
    WireReply onWire(ReceivedRequest request);

    /**
     * Wait before the first byte, status line included; none by default. A client that leaves ends the wait.
     *
     * @throws IllegalArgumentException for a negative time, here and below
     */
    Reply delay(Duration delay);

    /**
     * Write each part of the body (each event) on its own, with this pause before all but the first.
     *
     * <p>{@link Duration#ZERO} separates the writes without a pause. By default parts that are ready share a write.
     */
    Reply between(Duration gap);

    /**
     * Write the body in pieces of so many bytes, each a chunk and a write of its own, wherever that cuts: inside a
     * line, an event, or one character.
     *
     * @throws IllegalArgumentException below 1
     */
    Reply chunkSplit(int bytes);

    /**
     * Write no more than so many bytes at a time, head and chunk framing included.
     *
     * @throws IllegalArgumentException below 1
     */
    Reply writeSplit(int bytes);

    /**
     * Let the body drip at this rate, in about twenty pieces a second.
     *
     * @throws IllegalArgumentException below 1
     */
    Reply drip(int bytesPerSecond);

    /** Compress the body and report it, whether the client asked for it or not. */
    Reply gzip();

    /** Set a response header, unchecked; one of the same name is replaced. */
    Reply header(String name, String value);

    /** Answer with these text deltas, finish reason {@code stop}, usage 10 in and 5 out. */
    static ChatReply text(String... deltas) {
        return ChatReply.EMPTY.andText(deltas);
    }

    /** Answer with the same text delta so many times; it is kept once, so 50 MB cost what one delta costs. */
    static ChatReply repeated(String delta, int times) {
        return ChatReply.EMPTY.andRepeated(delta, times);
    }

    /** Answer with these tool calls, finish reason {@code tool_calls}, usage 10 in and 5 out. */
    static ChatReply toolCalls(FunctionCall... calls) {
        return ChatReply.EMPTY.andToolCalls(calls);
    }

    /** Name a tool call; nothing is checked. */
    static FunctionCall call(String id, String name, String arguments) {
        return new FunctionCall(id, name, arguments);
    }

    /**
     * Answer an embeddings request with these vectors in their order, regardless of its texts, and usage 10 in. A number
     * that is not finite is written as a string.
     */
    static WireReply vectors(List<float[]> vectors) {
        return status(200).body(EmbeddingsJson.answer(vectors));
    }

    /** Answer an embeddings request as a healthy provider does, with the vectors that {@link HashedWords} has for its texts. */
    static WireReply hashedWords(ReceivedRequest request) {
        return vectors(request.texts().stream().map(HashedWords::vector).toList());
    }

    /** Answer with this status, without a body as yet. */
    static WireReply status(int status) {
        return WireReply.of(status, List.of(), Framing.LENGTH);
    }

    /** Answer with this status and an error object as OpenAI writes it. */
    static WireReply error(int status, String message) {
        return status(status).body(ChatJson.error(message, status));
    }

    /** Send the client elsewhere. */
    static WireReply redirect(int status, String location) {
        return status(status).header("Location", location);
    }

    /** Answer 200 with a web page, as a proxy's login does. */
    static WireReply html(String page) {
        return status(200).header("Content-Type", "text/html; charset=utf-8").body(page);
    }

    /** Start a stream whose events are written by hand: 200, {@code text/event-stream}, chunked. */
    static WireReply sse() {
        List<Header> headers = List.of(
                new Header("Content-Type", "text/event-stream; charset=utf-8"),
                new Header("Cache-Control", "no-cache"));
        return WireReply.of(200, headers, Framing.CHUNKED);
    }

    /** Start an answer without a head: what is written is all that is sent, then the connection is closed. */
    static WireReply connection() {
        return WireReply.of(0, List.of(), Framing.NONE);
    }

    /** Take the request and never answer, not even with a head. */
    static WireReply silence() {
        return connection().stall();
    }
}
