package dev.chargehand.tests.faults;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a store and its PostgreSQL server, and breaks the connection of one commit. */
final class BreakingProxy implements AutoCloseable {

    /** When the connection breaks. */
    enum Moment {
        /** The server never receives the commit. */
        BEFORE_COMMIT,
        /** The server has committed, and the client never receives that. */
        AFTER_COMMIT
    }

    private final ServerSocket listening;
    private final int server;
    private final Moment moment;
    private final AtomicInteger commits = new AtomicInteger();
    private volatile int broken;

    BreakingProxy(int server, Moment moment) throws IOException {
        this.server = server;
        this.moment = moment;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Breaks the connection of a commit, counted from now, from 1. */
    void breakCommit(int nth) {
        broken = nth;
        commits.set(0);
    }

    int commits() {
        return commits.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket target = new Socket(InetAddress.getLoopbackAddress(), server);
                Link link = new Link(client, target);
                Thread.ofVirtual().start(() -> link.pass(client, target, true));
                Thread.ofVirtual().start(() -> link.pass(target, client, false));
            } catch (IOException e) {
                closeQuietly(listening);
            }
        }
    }

    private final class Link {

        private final Socket client;
        private final Socket target;
        private volatile boolean breaks;

        private Link(Socket client, Socket target) {
            this.client = client;
            this.target = target;
        }

        private void pass(Socket from, Socket to, boolean upwards) {
            byte[] buffer = new byte[65_536];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    boolean commit = upwards && says(buffer, read) && commits.incrementAndGet() == broken;
                    breaks |= commit;
                    if (breaks && (moment == Moment.BEFORE_COMMIT || !upwards)) {
                        break;
                    }
                    out.write(buffer, 0, read);
                    out.flush();
                }
            } catch (IOException e) {
                // The other side is gone, which is passed on.
            } finally {
                closeQuietly(client);
                closeQuietly(target);
            }
        }

        private boolean says(byte[] buffer, int length) {
            return new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains("COMMIT");
        }
    }

    private static void closeQuietly(Closeable open) {
        try {
            open.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closeQuietly(listening);
    }
}
