package dev.chargehand.testkit.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * HTTP server on the loopback address that keeps each request as it came, and answers what a test says, byte for byte.
 *
 * <p>The acts given with {@link #then} and its relatives are used in order, one for each request of any connection; a
 * request without one gets an empty JSON object. Safe for use by several threads.
 */
public final class LoopbackServer implements AutoCloseable {

    /** Answer to one request, or what else happens to its connection. */
    @FunctionalInterface
    public interface Act {
        /** Write an answer, and return whether the connection is kept. */
        boolean on(Socket socket, OutputStream out) throws IOException;
    }

    private final ServerSocket socket;
    private final Queue<Act> acts = new ConcurrentLinkedQueue<>();
    private final List<Received> log = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Received> arrived = new LinkedBlockingQueue<>();
    private final CountDownLatch left = new CountDownLatch(1);

    /**
     * A request as it came.
     *
     * @param method such as {@code GET}
     * @param target path and query as they were sent
     * @param headers header lines as they were sent
     * @param body decoded as UTF-8
     */
    public record Received(String method, String target, List<String> headers, String body) {

        /** Return the values of a header, whose name is compared without regard to case. */
        public List<String> header(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ":";
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                    .map(line -> line.substring(start.length()).strip())
                    .toList();
        }
    }

    /** Start a server on a free port. */
    public LoopbackServer() {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Return the address of the server, without a path. */
    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /** Say what happens to the next request; to those without an act, an empty object is answered. */
    public LoopbackServer then(Act act) {
        acts.add(act);
        return this;
    }

    /** Answer the next request with a status, a type and a body. */
    public LoopbackServer answers(int status, String type, String body) {
        return answers(status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Answer the next request with a status, a type, a body and header lines such as {@code "X-Team: 7"}. */
    public LoopbackServer answers(int status, String type, byte[] body, String... headers) {
        return then((socket, out) -> {
            out.write(head(status, type, body.length, headers));
            out.write(body);
            return true;
        });
    }

    static byte[] head(int status, String type, long length, String... headers) {
        String lines = "HTTP/1.1 " + status + " Some\r\n" + (type.isEmpty() ? "" : "Content-Type: " + type + "\r\n")
                + (length < 0 ? "" : "Content-Length: " + length + "\r\n")
                + String.join(
                        "", List.of(headers).stream().map(line -> line + "\r\n").toList()) + "\r\n";
        return lines.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Return the requests so far. */
    public List<Received> log() {
        return List.copyOf(log);
    }

    /** Wait for a request. */
    public Received await() throws InterruptedException {
        return arrived.take();
    }

    /** Wait until a client has left a connection while it was waiting for an answer. */
    public void awaitLeft() throws InterruptedException {
        left.await();
    }

    /** Leave the next request without an answer until its client goes. */
    public LoopbackServer neverAnswers() {
        return then((socket, out) -> {
            awaitEnd(socket);
            return false;
        });
    }

    private void awaitEnd(Socket socket) {
        try {
            if (socket.getInputStream().read() < 0) {
                left.countDown();
            }
        } catch (IOException e) {
            left.countDown();
        }
    }

    /** Write for as long as the client takes it. */
    public LoopbackServer neverEnds(String type) {
        return then((socket, out) -> {
            out.write(head(200, type, -1));
            byte[] some = "0123456789abcdef".repeat(512).getBytes(StandardCharsets.US_ASCII);
            try {
                while (true) {
                    out.write(some);
                }
            } catch (IOException e) {
                left.countDown();
                return false;
            }
        });
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                Thread.ofVirtual().start(() -> serve(accepted));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket accepted) {
        try (accepted) {
            InputStream in = new BufferedInputStream(accepted.getInputStream());
            OutputStream out = accepted.getOutputStream();
            for (Received request = read(in); request != null; request = read(in)) {
                log.add(request);
                arrived.add(request);
                Act act = acts.poll();
                boolean kept = act == null ? empty(out) : act.on(accepted, out);
                out.flush();
                if (!kept) {
                    return;
                }
            }
        } catch (IOException e) {
            left.countDown();
        }
    }

    private static boolean empty(OutputStream out) throws IOException {
        out.write(head(200, "application/json", 2));
        out.write(new byte[] {'{', '}'});
        return true;
    }

    private static @Nullable Received read(InputStream in) throws IOException {
        ArrayDeque<String> lines = new ArrayDeque<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            lines.add(line);
        }
        if (lines.isEmpty()) {
            return null;
        }
        String[] first = lines.poll().split(" ", 3);
        Received head = new Received(first[0], first[1], List.copyOf(lines), "");
        int length = head.header("Content-Length").stream()
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElse(0);
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Received(head.method(), head.target(), head.headers(), body);
    }

    private static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
            }
            line.write(c);
        }
        return null;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
