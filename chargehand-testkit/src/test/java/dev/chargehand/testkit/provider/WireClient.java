package dev.chargehand.testkit.provider;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A client on a bare socket, which shows what is on the wire; and the JDK's client, which shows what a program sees.
 */
final class WireClient implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(30);

    private final Socket socket;
    private final InputStream in;

    WireClient(LoopbackProvider provider) throws IOException {
        socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), provider.port());
        socket.setSoTimeout((int) SOON.toMillis());
        in = socket.getInputStream();
    }

    static String ask(String model) {
        return "{\"model\":\"" + model + "\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    }

    static HttpRequest request(LoopbackProvider provider, String body) {
        return HttpRequest.newBuilder(URI.create(provider.baseUrl() + "/chat/completions"))
                .version(HttpClient.Version.HTTP_1_1)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** Posts with the JDK's client and returns the whole answer. */
    static HttpResponse<String> post(LoopbackProvider provider, String body) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request(provider, body), HttpResponse.BodyHandlers.ofString());
        }
    }

    /** The data of each event of a stream, as {@code data: } lines give it. */
    static List<String> data(String stream) {
        return stream.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring("data: ".length()))
                .toList();
    }

    WireClient post(String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return send(
                "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: " + bytes.length + "\r\n\r\n" + body);
    }

    WireClient send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Reads to the empty line that ends a head. */
    String head() throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = line(); !line.isEmpty(); line = line()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the stream ended within a line");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    /** Reads one chunk; an empty one is the end of the body. */
    byte[] chunk() throws IOException {
        byte[] bytes = in.readNBytes(Integer.parseInt(line(), 16));
        line();
        return bytes;
    }

    String textChunk() throws IOException {
        return new String(chunk(), StandardCharsets.UTF_8);
    }

    /** Reads all chunks to the end of the body. */
    List<byte[]> chunks() throws IOException {
        List<byte[]> chunks = new ArrayList<>();
        for (byte[] chunk = chunk(); chunk.length > 0; chunk = chunk()) {
            chunks.add(chunk);
        }
        return chunks;
    }

    byte[] bytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    /** Reads until the server closes. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    /** Leaves with a reset instead of a goodbye. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
