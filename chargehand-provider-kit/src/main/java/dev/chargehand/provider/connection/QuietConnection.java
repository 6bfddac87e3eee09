package dev.chargehand.provider.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.HttpConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection that logs neither headers nor bytes, knows whether it has been used, and says when it is about to read.
 *
 * <p>The library's own does at debug level, with keys and prompts in clear, and whole applications run at that level.
 */
final class QuietConnection extends DefaultManagedHttpClientConnection {

    static final Runnable NOTHING = () -> {};

    private final AtomicReference<Runnable> beforeReads = new AtomicReference<>(NOTHING);
    private volatile boolean used;

    private QuietConnection(String id, Http1Config config) {
        super(id, null, null, config, null, null, null, null);
    }

    /** Make connections with small buffers, each with a number of its own. */
    static HttpConnectionFactory<ManagedHttpClientConnection> factory(Http1Config config) {
        AtomicLong count = new AtomicLong();
        return new HttpConnectionFactory<>() {
            @Override
            public ManagedHttpClientConnection createConnection(@Nullable Socket socket) throws IOException {
                QuietConnection connection = new QuietConnection("chargehand-" + count.incrementAndGet(), config);
                if (socket != null) {
                    connection.bind(socket);
                }
                return connection;
            }
        };
    }

    @Override
    public void bind(Socket socket) throws IOException {
        used = false;
        bind(new Announcing(socket));
    }

    @Override
    public void bind(SSLSocket tls, Socket socket) throws IOException {
        used = false;
        bind(new Announcing(tls, socket));
    }

    /** Do this before each read from the network, which may have to wait, until another action is set. */
    void beforeReads(Runnable action) {
        beforeReads.set(action);
    }

    /** Do nothing any more, unless another action was set. */
    void forget(Runnable action) {
        beforeReads.compareAndSet(action, NOTHING);
    }

    /** A socket that says when it is about to be read. */
    private final class Announcing extends SocketHolder {

        private Announcing(Socket socket) {
            super(socket);
        }

        private Announcing(SSLSocket tls, Socket socket) {
            super(tls, socket);
        }

        @Override
        protected InputStream getInputStream(Socket socket) throws IOException {
            return new FilterInputStream(super.getInputStream(socket)) {
                @Override
                public int read() throws IOException {
                    beforeReads.get().run();
                    return super.read();
                }

                @Override
                public int read(byte[] into, int from, int most) throws IOException {
                    beforeReads.get().run();
                    return super.read(into, from, most);
                }
            };
        }
    }

    /** Return whether a request was sent on its present socket. */
    boolean isUsed() {
        return used;
    }

    @Override
    protected void onRequestSubmitted(@Nullable ClassicHttpRequest request) {
        used = true;
    }

    @Override
    protected void onResponseReceived(@Nullable ClassicHttpResponse response) {}
}
