package dev.chargehand.testkit.provider.reply;

import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Script the bytes of one answer: events, their timing, and how it breaks off.
 *
 * <p>What is added is written in that order. Nothing is completed: without {@link #finish} there is no finish reason,
 * without {@link #done} no {@code [DONE]}. Unless a last step says otherwise, the body is ended by its
 * {@link Framing} and the connection stays open for the next request. After a last step ({@link #stall},
 * {@link #reset}, {@link #hangUp}, {@link #closeCleanly}) nothing can be added: {@link IllegalStateException}.
 *
 * <p>Immutable, safe to share; see {@link Reply}.
 */
public final class WireReply implements Reply {
    private final int status;
    private final List<Header> headers;
    private final Framing framing;
    private final boolean gzip;
    private final Pacing pacing;
    private final String lineEnd;
    private final List<Action> actions;
    private final Finish finish;
    private volatile @Nullable WirePlan plan;

    private WireReply(
            int status,
            List<Header> headers,
            Framing framing,
            boolean gzip,
            Pacing pacing,
            String lineEnd,
            List<Action> actions,
            Finish finish) {
        this.status = status;
        this.headers = headers;
        this.framing = framing;
        this.gzip = gzip;
        this.pacing = pacing;
        this.lineEnd = lineEnd;
        this.actions = actions;
        this.finish = finish;
    }

    static WireReply of(int status, List<Header> headers, Framing framing) {
        return new WireReply(status, headers, framing, false, Pacing.NONE, "\n", List.of(), Finish.KEEP_OPEN);
    }

    public WirePlan plan() {
        WirePlan made = plan;
        if (made == null) {
            made = WirePlan.of(status, headers, framing, gzip, pacing, actions, finish);
            plan = made;
        }
        return made;
    }

    @Override
    public WireReply onWire(ReceivedRequest request) {
        return this;
    }

    // ---- head

    @Override
    public WireReply header(String name, String value) {
        List<Header> changed = new ArrayList<>(headers);
        changed.removeIf(header -> header.name().equalsIgnoreCase(name));
        changed.add(new Header(name, value));
        return new WireReply(status, List.copyOf(changed), framing, gzip, pacing, lineEnd, actions, finish);
    }

    /** Announce the end of the body in this way; a framing header set by hand was not changed. */
    public WireReply framing(Framing framing) {
        return new WireReply(status, headers, framing, gzip, pacing, lineEnd, actions, finish);
    }

    @Override
    public WireReply gzip() {
        return new WireReply(status, headers, framing, true, pacing, lineEnd, actions, finish);
    }

    // ---- body

    /** Add text to the body as it is; without a content type the answer says JSON. */
    public WireReply body(String text) {
        boolean typed = framing == Framing.NONE
                || headers.stream().anyMatch(header -> header.name().equalsIgnoreCase("Content-Type"));
        return (typed ? this : header("Content-Type", "application/json")).part(text);
    }

    /** Add bytes to the body as they are, so many times. */
    public WireReply body(byte[] bytes, int times) {
        return add(new Action.Part(Bytes.of(bytes), times));
    }

    /** Add a server-sent event with this data, JSON or not; each line of it becomes a {@code data:} line. */
    public WireReply event(String data) {
        return add(encode(data, 1, lineEnd));
    }

    /** Add the chunk that opens an answer: role assistant, empty content. */
    public WireReply role() {
        return event(ChatJson.role());
    }

    /** Add one chunk per text delta. */
    public WireReply text(String... deltas) {
        return events(Stream.of(deltas), ChatJson::text);
    }

    /** Add the same text delta so many times. */
    public WireReply repeated(String delta, int times) {
        return add(encode(ChatJson.text(delta), times, lineEnd));
    }

    /** Add one chunk per reasoning delta ({@code reasoning_content}). */
    public WireReply reasoning(String... deltas) {
        return events(Stream.of(deltas), ChatJson::reasoning);
    }

    /** Add a chunk that opens the tool call at this index, with the arguments it has so far. */
    public WireReply toolCall(int index, FunctionCall call) {
        return event(ChatJson.call(index, call));
    }

    /** Add a chunk per fragment of the arguments of the tool call at this index. */
    public WireReply arguments(int index, String... fragments) {
        return events(Stream.of(fragments), fragment -> ChatJson.arguments(index, fragment));
    }

    /** Add a chunk with this JSON as its {@code delta}. */
    public WireReply delta(String json) {
        return event(ChatJson.delta(json));
    }

    /** Add a chunk whose {@code choices} is empty. */
    public WireReply emptyChoices() {
        return event(ChatJson.noChoices());
    }

    /** Add an error object as an event, as providers do when they fail after the head was sent. */
    public WireReply error(String message, int code) {
        return event(ChatJson.error(message, code));
    }

    /** Add the chunk with the finish reason. */
    public WireReply finish(String reason) {
        return event(ChatJson.finish(reason));
    }

    /** Add the chunk with the token counts and without choices. */
    public WireReply usage(TokenUsage usage) {
        return event(ChatJson.usage(usage));
    }

    /** Add {@code [DONE]}. */
    public WireReply done() {
        return event("[DONE]");
    }

    /** Add one line of the event stream as it is: an unknown field, {@code id: 3}, {@code retry: 10}. */
    public WireReply line(String line) {
        return part(line + lineEnd);
    }

    /** Add a comment line. */
    public WireReply comment(String text) {
        return line(": " + text);
    }

    /** Add a byte order mark. */
    public WireReply byteOrderMark() {
        return part("\ufeff");
    }

    /** End the lines of what follows with this, {@code "\r\n"} or {@code "\r"}; {@code "\n"} by default. */
    public WireReply lineEnding(String end) {
        return new WireReply(status, headers, framing, gzip, pacing, end, actions, finish);
    }

    /** Add bytes that bypass the framing. */
    public WireReply raw(byte[] bytes) {
        return add(new Action.Raw(Bytes.of(bytes)));
    }

    /** Add text that bypasses the framing. */
    public WireReply raw(String text) {
        return add(new Action.Raw(Bytes.of(text)));
    }

    /** Add a chunk size that is not a number ({@code ZZZ}) where a chunk should start. */
    public WireReply badChunk() {
        return raw("ZZZ\r\n");
    }

    // ---- time

    @Override
    public WireReply delay(Duration delay) {
        return paced(pacing.withDelay(delay));
    }

    @Override
    public WireReply between(Duration gap) {
        return paced(pacing.withParts(gap));
    }

    @Override
    public WireReply chunkSplit(int bytes) {
        return paced(pacing.withPieces(bytes, Duration.ZERO));
    }

    @Override
    public WireReply writeSplit(int bytes) {
        return paced(pacing.withWrites(bytes));
    }

    @Override
    public WireReply drip(int bytesPerSecond) {
        return paced(pacing.withRate(bytesPerSecond));
    }

    /** Write what there is so far, head included, and wait this long. */
    public WireReply pause(Duration duration) {
        return add(new Action.Pause(duration));
    }

    /** Write what there is so far, head included, and wait until the latch is open or the client leaves. */
    public WireReply hold(CountDownLatch latch) {
        return add(new Action.Hold(latch));
    }

    /** Write what there is so far, head included, and count the latch down: the script has come to this point. */
    public WireReply signal(CountDownLatch reached) {
        return add(new Action.Signal(reached));
    }

    // ---- last steps

    /** Write what there is, then stay silent until the client closes. */
    public WireReply stall() {
        return last(Finish.STALL);
    }

    /**
     * Write what there is, then reset the connection.
     *
     * <p>A reset may overtake bytes that the client's program has not read yet; {@link #hold} first where it must have
     * read them.
     */
    public WireReply reset() {
        return last(Finish.RESET);
    }

    /** Write what there is, then close the connection without ending the body. */
    public WireReply hangUp() {
        return last(Finish.HANG_UP);
    }

    /** End the body as its framing wants and close the connection, which no header announces. */
    public WireReply closeCleanly() {
        return last(Finish.CLOSE);
    }

    private WireReply last(Finish step) {
        return new WireReply(status, headers, framing, gzip, pacing, lineEnd, open(), step);
    }

    WireReply paced(Pacing changed) {
        return new WireReply(status, headers, framing, gzip, changed, lineEnd, actions, finish);
    }

    private WireReply part(String text) {
        return add(new Action.Part(Bytes.of(text), 1));
    }

    private WireReply events(Stream<String> items, Function<String, String> json) {
        return addAll(items.map(json).map(data -> encode(data, 1, lineEnd)).toList());
    }

    /** One event, so many times. */
    static Action encode(String data, int times, String lineEnd) {
        String lines = data.indexOf('\n') < 0 ? data : String.join(lineEnd + "data: ", data.split("\n", -1));
        return new Action.Part(Bytes.of("data: " + lines + lineEnd + lineEnd), times);
    }

    private WireReply add(Action action) {
        return addAll(List.of(action));
    }

    WireReply addAll(List<Action> more) {
        List<Action> all = new ArrayList<>(open());
        all.addAll(more);
        return new WireReply(status, headers, framing, gzip, pacing, lineEnd, List.copyOf(all), finish);
    }

    private List<Action> open() {
        if (finish != Finish.KEEP_OPEN) {
            throw new IllegalStateException(
                    "The reply ends with " + finish + "; nothing can be added after its last step.");
        }
        return actions;
    }
}
