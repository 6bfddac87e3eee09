package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follow one request from its arrival to the end of its connection, as the provider sees it.
 *
 * <p>Safe to read from any thread while it continues; what has not happened yet is empty. The client may have its
 * answer an instant before the ending is noted here: {@link LoopbackProvider#awaitEnding} waits for that. All times are
 * nanoseconds of {@link System#nanoTime()}, so they compare with each other and with what a test of the same JVM
 * measures.
 */
public final class Exchange {
    private final ReceivedRequest request;
    private final List<Violation> violations;
    private final ConnectionEnd connection;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile OptionalLong firstByte = OptionalLong.empty();
    private volatile OptionalLong finished = OptionalLong.empty();
    private volatile long lastWrite;
    private volatile long bytesWritten;
    private volatile @Nullable Ending ending;
    private boolean served;

    Exchange(ReceivedRequest request, List<Violation> violations, ConnectionEnd connection) {
        this.request = request;
        this.violations = violations;
        this.connection = connection;
    }

    /** Return the request. */
    public ReceivedRequest request() {
        return request;
    }

    /** Return the rules the request broke. */
    public List<Violation> violations() {
        return violations;
    }

    /** Return when the first write of the reply started. */
    public OptionalLong firstByteNanos() {
        return firstByte;
    }

    /** Return when the last write of the reply started if it is complete, else when the reply was cut. */
    public OptionalLong finishedNanos() {
        return finished;
    }

    /** Return how the reply ended; empty while it continues. */
    public Optional<Ending> ending() {
        return Optional.ofNullable(ending);
    }

    /** Return when the end of its connection was noticed; a connection that is kept for more requests has none yet. */
    public OptionalLong closedNanos() {
        return connection.close().map(c -> OptionalLong.of(c.nanos())).orElseGet(OptionalLong::empty);
    }

    /** Return which side closed its connection first. */
    public Optional<Side> closedBy() {
        return connection.close().map(ConnectionEnd.Close::by);
    }

    /** Report whether the client closed before the reply was complete. */
    public boolean leftByClient() {
        return ending == Ending.CUT_BY_CLIENT;
    }

    /** Return how many bytes were handed to the socket so far, head and framing included. */
    public long bytesWritten() {
        return bytesWritten;
    }

    /**
     * Measure the pause a client made: from the last write of an earlier reply to the arrival of this request.
     *
     * @throws IllegalStateException when the earlier reply has not ended
     */
    public Duration gapAfter(Exchange earlier) {
        long end = earlier.finished.orElseThrow(() ->
                new IllegalStateException("The reply to " + earlier.request + " has not ended; wait for it first."));
        return Duration.ofNanos(request.arrivedNanos() - end);
    }

    /** Name the request and how it went. */
    @Override
    public String toString() {
        return request + " → " + ending().map(Enum::toString).orElse("unfinished") + ", " + bytesWritten + " bytes";
    }

    /** True once, when the last write of the reply is about to happen. Called by the thread that plays the reply. */
    boolean served() {
        boolean first = !served;
        served = true;
        return first;
    }

    ConnectionEnd connection() {
        return connection;
    }

    /** Called by the one thread that plays the reply, before each write. */
    void writing(int bytes) {
        long now = System.nanoTime();
        if (firstByte.isEmpty()) {
            firstByte = OptionalLong.of(now);
        }
        lastWrite = now;
        long total = bytesWritten + bytes;
        bytesWritten = total;
    }

    void end(Ending how) {
        boolean complete = how == Ending.COMPLETE && firstByte.isPresent();
        finished = OptionalLong.of(complete ? lastWrite : System.nanoTime());
        ending = how;
        ended.countDown();
    }

    boolean awaitEnd(Duration timeout) throws InterruptedException {
        return ended.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    }
}
