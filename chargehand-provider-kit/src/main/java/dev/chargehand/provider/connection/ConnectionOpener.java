package dev.chargehand.provider.connection;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Opens each connection on a thread of its own, so that a call returns when it is given up even while a name is being
 * resolved, which nothing can end.
 */
final class ConnectionOpener extends DefaultHttpClientConnectionOperator {

    /** Resolving a name occupies a carrier; before JDK 24 no other takes its place. */
    private static final ThreadFactory THREADS = Runtime.version().feature() >= 24
            ? Thread.ofVirtual().name("chargehand-connect").factory()
            : Thread.ofPlatform().daemon().name("chargehand-connect").factory();

    ConnectionOpener(@Nullable SchemePortResolver ports, @Nullable DnsResolver names, TlsSocketStrategy tls) {
        super(
                ports,
                names,
                RegistryBuilder.<TlsSocketStrategy>create()
                        .register(URIScheme.HTTPS.id, tls)
                        .build());
    }

    @Override
    public void connect(
            ManagedHttpClientConnection connection,
            HttpHost host,
            @Nullable NamedEndpoint endpoint,
            @Nullable Path socketFile,
            @Nullable InetSocketAddress local,
            Timeout limit,
            SocketConfig config,
            @Nullable Object attachment,
            HttpContext context)
            throws IOException {
        CompletableFuture<Boolean> opened = new CompletableFuture<>();
        Connections.CallContext call = (Connections.CallContext) context;
        call.onGivingUp(() -> opened.completeExceptionally(new ConnectionClosedException("The call was given up.")));
        Runnable open = () -> {
            try {
                super.connect(connection, host, endpoint, socketFile, local, limit, config, attachment, context);
                if (!opened.complete(true)) {
                    connection.close(CloseMode.IMMEDIATE);
                }
            } catch (IOException | RuntimeException | Error e) {
                opened.completeExceptionally(e);
            }
        };
        THREADS.newThread(open).start();
        await(opened, connection);
    }

    private static void await(CompletableFuture<Boolean> opened, ManagedHttpClientConnection connection)
            throws IOException {
        try {
            opened.get();
        } catch (InterruptedException e) {
            opened.cancel(false);
            connection.close(CloseMode.IMMEDIATE);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The thread was interrupted while it waited for a connection.");
        } catch (ExecutionException e) {
            connection.close(CloseMode.IMMEDIATE); // harmless if it failed
            throw thrown(e);
        }
    }

    private static IOException thrown(ExecutionException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof RuntimeException unexpected) {
            throw unexpected;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException known ? known : new IOException("No connection could be opened.", failed);
    }
}
