package dev.chargehand.testkit.provider.request;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One HTTP request as it was read, before it has a number. Header names compare without case. */
public final class Incoming {
    final String method;
    public final String path;
    public final Map<String, List<String>> headers;
    public final byte[] body;
    final Instant arrivedAt;
    final long arrivedNanos;
    public final boolean lastOfConnection;
    private volatile @Nullable ChatRequest chat;

    public Incoming(
            RequestHead head, Map<String, List<String>> headers, byte[] body, Instant arrivedAt, long arrivedNanos) {
        this.method = head.method();
        this.path = head.path();
        this.headers = headers;
        this.body = body;
        this.arrivedAt = arrivedAt;
        this.arrivedNanos = arrivedNanos;
        String connection = String.join(",", headers.getOrDefault("Connection", List.of()));
        this.lastOfConnection = head.version().equals("HTTP/1.0") || connection.equalsIgnoreCase("close");
    }

    public boolean isChat() {
        return method.equals("POST") && path.contains("/chat/completions");
    }

    public boolean isEmbeddings() {
        return method.equals("POST") && path.contains("/embeddings");
    }

    /** Parse the body when it is first asked about. */
    public ChatRequest chat() {
        ChatRequest parsed = chat;
        if (parsed == null) {
            parsed = ChatRequestParser.parse(body);
            chat = parsed;
        }
        return parsed;
    }

    /** Return the texts of an embeddings request; empty for any other, or if they could not be read. */
    public List<String> texts() {
        return isEmbeddings() ? ChatRequestParser.texts(body) : List.of();
    }

    /** The three words of a request line. */
    public record RequestHead(String method, String path, String version) {}
}
