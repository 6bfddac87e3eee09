package dev.chargehand.testkit.provider;

import dev.chargehand.internal.text.Counted;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Serve OpenAI chat completions and embeddings on a loopback socket, as the script says.
 *
 * <p>A request is answered by the first of these that has a reply: the rules that claim it ({@link #on},
 * {@link #onModel}, {@link #onSystem}) in the order they were made; the common queue ({@link #enqueue}), but only if no
 * rule claims it; the {@link #fallback}. Where there is none it is answered 500 and listed in {@link #unexpected()}.
 * Requests for embeddings have a queue ({@link #enqueueEmbeddings}) and a fallback ({@link #onEmbeddings}) of their own, so
 * that they take no reply of a chat; without either they get the vectors of {@link dev.chargehand.model.HashedWords}.
 * Each request of the two kinds is checked against the {@link Rule}s of the options; see {@link #violations()}.
 *
 * <pre>{@code
 * try (LoopbackProvider provider = LoopbackProvider.start()) {
 *     provider.onModel("boss", Reply.toolCalls(Reply.call("c1", "ask", "{}")), Reply.text("done"));
 *     provider.onModel("worker", Reply.status(429).header("Retry-After", "2"), Reply.text("ok"));
 *     // ... run agents against provider.baseUrl() ...
 *     provider.verify();
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads. Connections are served by virtual threads, two each while a reply is played. A
 * client that closes only its sending half counts as gone.
 */
public final class LoopbackProvider implements AutoCloseable {
    private static final int BACKLOG = 8192;

    private final ServerSocket listener;
    private final Reception reception;
    private final ThreadFactory threads =
            Thread.ofVirtual().name("loopback-provider-", 0).factory();
    private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread acceptor;

    private LoopbackProvider(ServerSocket listener, ProviderOptions options) {
        this.listener = listener;
        this.reception = new Reception(options);
        this.acceptor = threads.newThread(this::accept);
    }

    /** Start with the default options. */
    public static LoopbackProvider start() {
        return start(ProviderOptions.DEFAULT);
    }

    /**
     * Start on the loopback address.
     *
     * @throws UncheckedIOException when the port is taken
     */
    public static LoopbackProvider start(ProviderOptions options) {
        try {
            ServerSocket listener = new ServerSocket();
            listener.bind(
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), options.port()),
                    BACKLOG);
            LoopbackProvider provider = new LoopbackProvider(listener, options);
            provider.acceptor.start();
            return provider;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "LoopbackProvider cannot listen on port " + options.port() + "; port 0 takes a free one.", e);
        }
    }

    /** Return {@code http://127.0.0.1:PORT/v1}. */
    public String baseUrl() {
        return "http://127.0.0.1:" + port() + "/v1";
    }

    /** Return the port it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Answer the next requests that no rule claims with these replies, one each, in order of arrival. */
    public LoopbackProvider enqueue(Reply... replies) {
        reception.script(script -> script.enqueue(List.of(replies)));
        return this;
    }

    /** Answer the next embeddings requests that no rule claims with these replies, one each, in order of arrival. */
    public LoopbackProvider enqueueEmbeddings(Reply... replies) {
        reception.script(script -> script.enqueueEmbeddings(List.of(replies)));
        return this;
    }

    /**
     * Answer every embeddings request that has no reply by this function, by default {@link Reply#hashedWords}; see
     * {@link #fallback}.
     */
    public LoopbackProvider onEmbeddings(Function<ReceivedRequest, Reply> function) {
        reception.script(script -> script.embeddingsFallback(function));
        return this;
    }

    /**
     * Answer the requests that match with these replies, one each.
     *
     * @param claims is called for each request while others wait: it must be quick and must not throw
     */
    public LoopbackProvider on(Predicate<ReceivedRequest> claims, Reply... replies) {
        reception.script(script -> script.on(claims, List.of(replies)));
        return this;
    }

    /** Answer all requests that match by this function; see {@link #fallback}. */
    public LoopbackProvider on(Predicate<ReceivedRequest> claims, Function<ReceivedRequest, Reply> function) {
        reception.script(script -> script.on(claims, function));
        return this;
    }

    /** Answer the requests for this model with these replies, one each. */
    public LoopbackProvider onModel(String model, Reply... replies) {
        return on(request -> request.model().equals(model), replies);
    }

    /** Answer the requests that have this text in a system message with these replies, one each. */
    public LoopbackProvider onSystem(String text, Reply... replies) {
        return on(request -> request.systemText().contains(text), replies);
    }

    /**
     * Answer every request that has no reply by this function, but those for embeddings.
     *
     * <p>It is called on the thread of the connection, for many requests at the same time, and may block. An exception
     * becomes a 500 and an entry in {@link #unexpected()}.
     */
    public LoopbackProvider fallback(Function<ReceivedRequest, Reply> function) {
        reception.script(script -> script.fallback(function));
        return this;
    }

    /** Answer every request that has no reply with this one, but those for embeddings. */
    public LoopbackProvider always(Reply reply) {
        return fallback(request -> reply);
    }

    /**
     * Let no request carry one of these texts, escaped or not; credential headers may ({@link Rule#FORBIDDEN_TEXT}).
     */
    public LoopbackProvider forbid(String... texts) {
        reception.forbid(List.of(texts));
        return this;
    }

    /** Return the exchanges so far in order of arrival, the oldest left out beyond what the options keep. */
    public List<Exchange> log() {
        return reception.log();
    }

    /** Return the requests that found no reply, or whose reply function threw; the first 1,000. */
    public List<Exchange> unexpected() {
        return reception.unexpected();
    }

    /** Return the broken rules in order of arrival; the first 1,000. */
    public List<Violation> violations() {
        return reception.violations();
    }

    /** Return how many queued replies have not been used. */
    public int unusedReplies() {
        return reception.unused();
    }

    /** Return how many requests have come. */
    public long requestCount() {
        return reception.count();
    }

    /** Return how many requests are being answered now. */
    public int inFlight() {
        return reception.inFlight();
    }

    /** Return how many requests were being answered at the same time, at most. */
    public int peakInFlight() {
        return reception.peakInFlight();
    }

    /** Return how many connections are open now. */
    public int openConnections() {
        return connections.size();
    }

    /**
     * Fail unless the script was followed: nothing unexpected, no violation, no reply left over.
     *
     * @throws AssertionError with all that is wrong
     */
    public void verify() {
        List<String> wrong = new ArrayList<>();
        unexpected().forEach(exchange -> wrong.add("no reply for " + exchange.request()));
        violations().forEach(violation -> wrong.add(violation.toString()));
        if (unusedReplies() > 0) {
            wrong.add(Counted.of(unusedReplies(), "queued reply", "queued replies")
                    + (unusedReplies() == 1 ? " was" : " were") + " not used");
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError("LoopbackProvider: " + String.join("; ", wrong) + ".");
        }
    }

    /**
     * Wait until so many requests have come since the start.
     *
     * @return the log
     * @throws AssertionError when they have not come in time, or the waiting thread is interrupted (it stays so)
     */
    public List<Exchange> awaitRequests(long count, Duration timeout) {
        await(
                () -> reception.awaitCount(count, timeout),
                () -> Counted.of(count, "request") + " did not come within " + ReadableTime.of(timeout) + ", only "
                        + requestCount() + " did");
        return log();
    }

    /**
     * Wait until the reply of an exchange has ended in one way or another.
     *
     * @throws AssertionError as {@link #awaitRequests} does
     */
    public Ending awaitEnding(Exchange exchange, Duration timeout) {
        await(
                () -> exchange.awaitEnd(timeout),
                () -> "the reply did not end within " + ReadableTime.of(timeout) + ": " + exchange);
        return exchange.ending().orElseThrow();
    }

    /**
     * Wait until the connection of an exchange is closed.
     *
     * @return the side that closed it first
     * @throws AssertionError as {@link #awaitRequests} does
     */
    public Side awaitClosed(Exchange exchange, Duration timeout) {
        await(
                () -> exchange.connection().await(timeout),
                () -> "the connection was not closed within " + ReadableTime.of(timeout) + ": " + exchange);
        return exchange.closedBy().orElseThrow();
    }

    /** Close all connections, idle ones that clients keep for later included; new ones are still taken. */
    public void disconnectAll() {
        connections.forEach(ClientConnection::disconnect);
    }

    /**
     * Stop listening and close all connections; replies that wait end as {@link Ending#CUT_BY_PROVIDER}.
     *
     * <p>When it returns, new connections are rejected. It does not wait for reply functions that are still running.
     */
    @Override
    public void close() {
        closed.countDown();
        try {
            listener.close();
        } catch (IOException e) {
            // Nothing listens either way.
        }
        disconnectAll();
        try {
            // The port is free only when no thread is inside accept() any more.
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Wait {
        boolean inTime() throws InterruptedException;
    }

    private static void await(Wait wait, Supplier<String> failure) {
        try {
            if (!wait.inTime()) {
                throw new AssertionError("LoopbackProvider: " + failure.get() + ".");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("LoopbackProvider: interrupted while waiting.", e);
        }
    }

    private void accept() {
        for (long id = 1; isOpen(); id++) {
            try {
                serve(new ClientConnection(id, listener.accept(), reception, threads));
            } catch (IOException e) {
                // A connection that died before it was taken, or too many open files: the next may succeed.
                awaitClosing();
            }
        }
    }

    private void serve(ClientConnection connection) {
        connections.add(connection);
        threads.newThread(() -> {
                    try {
                        connection.serve();
                    } finally {
                        connections.remove(connection);
                    }
                })
                .start();
        if (!isOpen()) {
            connection.disconnect();
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    /** A pause between two attempts to accept, which ends at once when the provider is closed. */
    private void awaitClosing() {
        try {
            closed.await(10, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
