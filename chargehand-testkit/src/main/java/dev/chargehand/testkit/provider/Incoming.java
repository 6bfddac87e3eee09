package dev.chargehand.testkit.provider;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One HTTP request as it was read, before it has a number. Header names compare without case. */
final class Incoming {
    final String method;
    final String path;
    final Map<String, List<String>> headers;
    final byte[] body;
    final Instant arrivedAt;
    final long arrivedNanos;
    final boolean lastOfConnection;
    private volatile @Nullable ChatRequest chat;

    Incoming(RequestHead head, Map<String, List<String>> headers, byte[] body, Instant arrivedAt, long arrivedNanos) {
        this.method = head.method();
        this.path = head.path();
        this.headers = headers;
        this.body = body;
        this.arrivedAt = arrivedAt;
        this.arrivedNanos = arrivedNanos;
        String connection = String.join(",", headers.getOrDefault("Connection", List.of()));
        this.lastOfConnection = head.version().equals("HTTP/1.0") || connection.equalsIgnoreCase("close");
    }

    boolean isChat() {
        return method.equals("POST") && path.contains("/chat/completions");
    }

    /** Parses the body when it is first asked about. */
    ChatRequest chat() {
        ChatRequest parsed = chat;
        if (parsed == null) {
            parsed = ChatRequestParser.parse(body);
            chat = parsed;
        }
        return parsed;
    }

    /** The three words of a request line. */
    record RequestHead(String method, String path, String version) {}
}
