package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import dev.chargehand.testkit.provider.request.Incoming;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Numbers, checks and logs the requests of all connections, and picks the reply of each. */
final class Reception {
    /** Complaints are kept up to a limit. */
    private static final int MAX_COMPLAINTS = 1000;

    private final ProviderOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final List<String> forbidden = new CopyOnWriteArrayList<>();
    private final ReplyScript script = new ReplyScript();
    private final Deque<Exchange> log = new ArrayDeque<>();
    private final List<Violation> violations = new ArrayList<>();
    private final List<Exchange> unexpected = new ArrayList<>();
    private long count;
    private int inFlight;
    private int peakInFlight;

    Reception(ProviderOptions options) {
        this.options = options;
    }

    /** A logged request and where its reply comes from; the function is called outside the lock. */
    record Assignment(Exchange exchange, Function<ReceivedRequest, Reply> reply) {}

    Assignment receive(Incoming incoming, long connectionId, ConnectionEnd connection) {
        // Reading the body is the expensive part, so it is done before the lock.
        List<RequestChecker.Finding> findings = RequestChecker.check(incoming, options, forbidden);
        if (script.hasRoutes()) {
            incoming.chat();
        }
        lock.lock();
        try {
            long sequence = ++count;
            ReceivedRequest request = new ReceivedRequest(sequence, connectionId, incoming);
            List<Violation> broken = findings.stream().map(f -> f.in(sequence)).toList();
            broken.forEach(this::complain);
            Exchange exchange = new Exchange(request, broken, connection);
            if (options.keptExchanges() > 0) {
                if (log.size() == options.keptExchanges()) {
                    log.removeFirst();
                }
                log.add(exchange);
            }
            peakInFlight = Math.max(peakInFlight, ++inFlight);
            arrived.signalAll();
            return new Assignment(exchange, reply(exchange));
        } finally {
            lock.unlock();
        }
    }

    private Function<ReceivedRequest, Reply> reply(Exchange exchange) {
        try {
            return script.next(exchange.request()).orElseGet(() -> request -> unscripted(exchange));
        } catch (RuntimeException e) {
            return request -> unexpected(exchange, "a predicate threw " + e + " for " + request + ".");
        }
    }

    /** Count a request as unexpected and create the answer that reports it. */
    WireReply unexpected(Exchange exchange, String message) {
        lock.lock();
        try {
            if (unexpected.size() < MAX_COMPLAINTS) {
                unexpected.add(exchange);
            }
        } finally {
            lock.unlock();
        }
        return Reply.error(500, "LoopbackProvider: " + message);
    }

    private WireReply unscripted(Exchange exchange) {
        return unexpected(
                exchange,
                "no reply left for " + exchange.request()
                        + "; enqueue one more, give its model or matcher one, or set a fallback.");
    }

    void unreadable(String message) {
        lock.lock();
        try {
            complain(new Violation(0, Rule.READABLE_HTTP, message));
        } finally {
            lock.unlock();
        }
    }

    private void complain(Violation violation) {
        if (violations.size() < MAX_COMPLAINTS) {
            violations.add(violation);
        }
    }

    /**
     * Count a request as answered. Called before the last write: a client that has its answer may send the next
     * request at once, and the two must not count as concurrent.
     */
    void served(Exchange exchange) {
        if (exchange.served()) {
            lock.lock();
            try {
                inFlight--;
            } finally {
                lock.unlock();
            }
        }
    }

    void ended(Exchange exchange, Ending ending) {
        served(exchange);
        exchange.end(ending);
    }

    void script(Consumer<ReplyScript> change) {
        lock.lock();
        try {
            change.accept(script);
        } finally {
            lock.unlock();
        }
    }

    void forbid(List<String> texts) {
        forbidden.addAll(texts);
    }

    /** Wait until so many requests have come; false when the time is up. */
    boolean awaitCount(long wanted, Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.NANOSECONDS.convert(timeout);
            while (count < wanted) {
                if (left <= 0) {
                    return false;
                }
                left = arrived.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    List<Exchange> log() {
        return read(() -> List.copyOf(log));
    }

    List<Violation> violations() {
        return read(() -> List.copyOf(violations));
    }

    List<Exchange> unexpected() {
        return read(() -> List.copyOf(unexpected));
    }

    long count() {
        return read(() -> count);
    }

    int inFlight() {
        return read(() -> inFlight);
    }

    int peakInFlight() {
        return read(() -> peakInFlight);
    }

    int unused() {
        return read(script::unused);
    }

    private <T> T read(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }
}
