package dev.chargehand.provider.connection;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
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
 * A connection that logs neither headers nor bytes, and knows whether it has been used.
 *
 * <p>The library's own does at debug level, with keys and prompts in clear, and whole applications run at that level.
 */
final class QuietConnection extends DefaultManagedHttpClientConnection {

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
        bind(new SocketHolder(socket));
    }

    @Override
    public void bind(SSLSocket tls, Socket socket) throws IOException {
        used = false;
        bind(new SocketHolder(tls, socket));
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
