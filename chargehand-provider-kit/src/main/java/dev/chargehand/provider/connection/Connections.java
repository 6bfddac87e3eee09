package dev.chargehand.provider.connection;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The pooled connections of one provider or of one file's tools: HTTP/1.1, kept alive, nothing followed, retried,
 * cached or logged.
 *
 * <p>Thread-safe. Made on the first call: loading TLS takes longer than everything else of a short program. No thread
 * of its own: connections that were idle for a minute are closed when a later call ends.
 */
public final class Connections implements AutoCloseable {

    /** A limit on calls belongs to the runtime; this one only has to be out of the way. */
    private static final int MAX_CONNECTIONS = 100_000;

    private static final TimeValue MAX_IDLE = TimeValue.ofSeconds(60);
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong lastSweep = new AtomicLong(System.nanoTime());
    private volatile @Nullable Open open;
    private volatile boolean closed;

    private record Open(CloseableHttpClient client, PoolingHttpClientConnectionManager pool) {}

    /** One call: its request, which closes the connection when cancelled, and the connection it is on. */
    static final class CallContext extends HttpClientContext {

        private final HttpUriRequestBase request;
        private @Nullable HttpClientConnection connection;
        private boolean kept;
        private volatile Runnable onGivingUp = QuietConnection.NOTHING;

        /** The action before each read from the network, on the thread that reads. */
        Runnable beforeReads = QuietConnection.NOTHING;

        CallContext(HttpUriRequestBase request) {
            this.request = request;
        }

        boolean isCancelled() {
            return request.isCancelled();
        }

        /** Close the connection at once, from any thread; harmless after it went back to the pool. */
        void giveUp() {
            request.cancel();
            onGivingUp.run();
        }

        /** Set what is done, perhaps more than once, when the call is given up; at once if it was before. */
        void onGivingUp(Runnable action) {
            onGivingUp = action;
            if (isCancelled()) {
                action.run();
            }
        }

        /** Let go of the action before reads: the connection may be that of another call already. */
        void forgetReads() {
            if (connection instanceof QuietConnection known) {
                known.forget(beforeReads);
            }
        }

        /** Limit each of the reads that follow; the next call on the connection has no such limit. */
        void limitReads(Duration limit) {
            if (connection != null) {
                connection.setSocketTimeout(Timeout.of(limit));
            }
        }
    }

    /** A kept connection was dead: the server had let go of it, and not a byte of an answer came. */
    static final class DeadConnectionException extends IOException {

        DeadConnectionException(IOException cause) {
            super("The server had closed the connection.", cause);
        }
    }

    /**
     * Send a call's request and return the answer's head; its body must be read to the end, or the call given up.
     *
     * @throws DeadConnectionException if the connection was one that an earlier call had left; it is gone, so that a
     *     repeated call gets a new one
     * @throws IOException if no answer came
     */
    ClassicHttpResponse execute(HttpHost host, CallContext context) throws IOException {
        CloseableHttpClient client = client();
        try {
            return client.executeOpen(host, context.request, context);
        } catch (NoHttpResponseException | SocketException | SSLException e) {
            if (context.kept && !closed && !context.isCancelled()) {
                throw new DeadConnectionException(e);
            }
            throw e;
        } catch (IllegalStateException e) {
            // What the library says when its connection is taken away between two of its steps.
            if (closed || context.isCancelled()) {
                throw new ConnectionClosedException("The connection was closed.", e);
            }
            throw e;
        }
    }

    /** Return whether these connections were closed for good. */
    boolean isClosed() {
        return closed;
    }

    /** Returns how a call waits: only for the connection. How long an answer may take is the loop's. */
    @SuppressWarnings("deprecation") // The replacement is per pool or per route; our limit is per call.
    static RequestConfig config(Duration connectTimeout) {
        Timeout limit = Timeout.ofMilliseconds(Math.max(1, connectTimeout.toMillis()));
        return RequestConfig.custom()
                .setConnectTimeout(limit)
                .setConnectionRequestTimeout(limit)
                .setResponseTimeout(Timeout.DISABLED)
                .setAuthenticationEnabled(false)
                .setExpectContinueEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .setRedirectsEnabled(false)
                .build();
    }

    /** Close what was idle for too long; call it when a call has ended. */
    void sweep() {
        long now = System.nanoTime();
        long last = lastSweep.get();
        Open current = open;
        if (current != null && now - last > SWEEP_NANOS && lastSweep.compareAndSet(last, now)) {
            current.pool.closeExpired();
            current.pool.closeIdle(MAX_IDLE);
        }
    }

    /** Close all connections, also those in use; calls after it fail. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (open != null) {
                open.client.close(CloseMode.IMMEDIATE);
            }
        } finally {
            lock.unlock();
        }
    }

    private CloseableHttpClient client() throws IOException {
        Open ready = open;
        if (ready != null && !closed) {
            return ready.client;
        }
        lock.lock();
        try {
            if (closed) {
                throw new ConnectionClosedException("The connections were closed.");
            }
            Open made = open;
            if (made == null) {
                made = build();
                open = made;
            }
            return made.client;
        } finally {
            lock.unlock();
        }
    }

    private static Open build() {
        Http1Config http = Http1Config.custom()
                .setBufferSize(4096)
                .setMaxLineLength(16 << 10)
                .setMaxHeaderCount(200)
                .build();
        PoolingHttpClientConnectionManager pool = new OpenedElsewhere()
                .setConnectionFactory(QuietConnection.factory(http))
                .setTlsSocketStrategy(new LateTls())
                .setMaxConnTotal(MAX_CONNECTIONS)
                .setMaxConnPerRoute(MAX_CONNECTIONS)
                .setDefaultSocketConfig(SocketConfig.custom()
                        .setTcpNoDelay(true)
                        .setSoKeepAlive(true)
                        .setSoTimeout(Timeout.DISABLED)
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setValidateAfterInactivity(TimeValue.ofSeconds(1))
                        .setSocketTimeout(Timeout.DISABLED)
                        .build())
                .build();
        CloseableHttpClient client = HttpClients.custom()
                .setConnectionManager(pool)
                .setRequestExecutor(new RememberingExecutor())
                .setUserAgent("chargehand/" + version())
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableConnectionState()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .build();
        return new Open(client, pool);
    }

    private static String version() {
        String version = Connections.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    /** A builder of pools whose connections are opened on threads of their own. */
    private static final class OpenedElsewhere extends PoolingHttpClientConnectionManagerBuilder {

        @Override
        protected HttpClientConnectionOperator createConnectionOperator(
                @Nullable SchemePortResolver ports, @Nullable DnsResolver names, TlsSocketStrategy tls) {
            return new ConnectionOpener(ports, names, tls);
        }
    }

    /** Loads TLS and its certificates for the first connection that needs them: a model on this machine does not. */
    private static final class LateTls implements TlsSocketStrategy {

        private volatile @Nullable TlsSocketStrategy loaded;

        @Override
        public SSLSocket upgrade(Socket socket, String target, int port, Object attachment, HttpContext context)
                throws IOException {
            TlsSocketStrategy tls = loaded;
            if (tls == null) {
                tls = DefaultClientTlsStrategy.createSystemDefault(); // twice is harmless
                loaded = tls;
            }
            return tls.upgrade(socket, target, port, attachment, context);
        }
    }

    /** Shows a call which connection it is on, and whether that is a new one; the library does not. */
    private static final class RememberingExecutor extends HttpRequestExecutor {

        @Override
        public ClassicHttpResponse execute(
                ClassicHttpRequest request,
                HttpClientConnection connection,
                @Nullable HttpResponseInformationCallback informed,
                HttpContext context)
                throws IOException, HttpException {
            if (context instanceof CallContext call) {
                call.connection = connection;
                if (connection instanceof QuietConnection known) {
                    call.kept = known.isUsed();
                    known.beforeReads(call.beforeReads);
                }
            }
            return super.execute(request, connection, informed, context);
        }
    }
}
