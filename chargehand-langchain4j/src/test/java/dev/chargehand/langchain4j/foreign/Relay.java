package dev.chargehand.langchain4j.foreign;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Carries bytes between a client and the server, changes none, can hold answers back, and sees who closes first: the
 * server tells nobody that a client went away.
 */
final class Relay implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final int serverPort;
    private final ServerSocket door;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private volatile Hold hold = new Hold(request -> false);

    private Relay(int serverPort, ServerSocket door) {
        this.serverPort = serverPort;
        this.door = door;
    }

    /** Who can close a connection. */
    enum Side {
        CLIENT,
        SERVER
    }

    static Relay to(int serverPort) throws IOException {
        Relay relay = new Relay(serverPort, new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(relay::accept);
        return relay;
    }

    String baseUrl() {
        return "http://127.0.0.1:" + door.getLocalPort() + "/v1";
    }

    /** Holds back the answers to these requests from now on. */
    Hold hold(Predicate<String> requests) {
        hold = new Hold(requests);
        return hold;
    }

    /** Returns the connection that the latest request of a kind came on. */
    Line lineOf(Predicate<String> requests) {
        return lines.stream()
                .filter(line -> requests.test(line.request))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @Override
    public void close() throws IOException {
        hold.release();
        door.close();
        lines.forEach(Line::cut);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Line line = new Line(client);
                lines.add(line);
                Thread.ofVirtual().start(line::carryRequests);
                Thread.ofVirtual().start(line::carryAnswers);
            }
        } catch (IOException closed) {
            // The relay is closed, or the server is gone: the client will see it.
        }
    }

    /** Answers that have begun to come from the server and go no further until they are released. */
    static final class Hold {

        private final Predicate<String> requests;
        private final List<String> held = new CopyOnWriteArrayList<>();
        private final CountDownLatch released = new CountDownLatch(1);

        private Hold(Predicate<String> requests) {
            this.requests = requests;
        }

        /** Waits until the server has answered so many of the requests, none of which the client knows. */
        void await(int count) {
            until("there are " + count + " answers", () -> held.size() >= count);
        }

        void release() {
            released.countDown();
        }

        private void pass(String request) {
            if (requests.test(request)) {
                held.add(request);
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** One connection. */
    final class Line {

        private final Socket client;
        private final Socket server = new Socket();
        private final CompletableFuture<Side> closedBy = new CompletableFuture<>();
        private volatile String request = "";
        private volatile boolean answering;

        private Line(Socket client) throws IOException {
            this.client = client;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
        }

        /** Waits until one side has closed the connection; tells which was the first. */
        Side awaitClosed() {
            return closedBy.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        }

        private void carryRequests() {
            byte[] bytes = new byte[8192];
            try {
                InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream();
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    String more = new String(bytes, 0, n, StandardCharsets.ISO_8859_1);
                    request = answering ? more : request + more;
                    answering = false;
                    out.write(bytes, 0, n);
                }
            } catch (IOException e) {
                // A reset is a close too.
            } finally {
                closedBy.complete(Side.CLIENT);
                cut();
            }
        }

        private void carryAnswers() {
            byte[] bytes = new byte[8192];
            try {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int n = readAnswer(in, bytes); n >= 0; n = readAnswer(in, bytes)) {
                    if (!answering) {
                        answering = true;
                        hold.pass(request);
                    }
                    out.write(bytes, 0, n);
                }
                closedBy.complete(Side.SERVER);
                client.shutdownOutput();
            } catch (IOException e) {
                cut(); // The client is gone, or the line is being cut anyway.
            }
        }

        /** A reset is the end too; that happens where a request comes upon a server that has just closed. */
        private static int readAnswer(InputStream in, byte[] bytes) {
            try {
                return in.read(bytes);
            } catch (IOException e) {
                return -1;
            }
        }

        private void cut() {
            try (client) {
                server.close();
            } catch (IOException e) {
                // It is closed.
            }
        }
    }

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Waited in vain until " + what + ".");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
