package dev.chargehand.verify.server.client;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** A client of a server that may be killed at any moment: every request throws if no whole answer arrives. */
public final class Http {

    /** A server that sends not even a comment for so long hangs. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /**
     * An answer.
     *
     * @param status of it
     * @param body a JSON value; an empty object if there is no body
     */
    public record Answer(int status, Json body) {

        /** Return a text of the body; empty if it has none there. */
        public String at(String pointer) {
            return body.at(pointer).flatMap(Json::string).orElse("");
        }

        /** Return whether the server did what the request wants. */
        public boolean isDone() {
            return status >= 200 && status < 300;
        }

        /** Return whether the same request may succeed later. */
        public boolean isForNow() {
            return status == 503 || status == 429;
        }
    }

    private Http() {}

    public static Answer get(URI server, String path) throws IOException {
        return answer(open(server, path, Map.of()));
    }

    public static Answer post(URI server, String path, Object body, Map<String, String> headers) throws IOException {
        HttpURLConnection connection = open(server, path, headers);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        byte[] bytes = Json.of(body).text().getBytes(StandardCharsets.UTF_8);
        connection.setFixedLengthStreamingMode(bytes.length); // so that the JDK never sends a request twice by itself
        try (OutputStream out = connection.getOutputStream()) {
            out.write(bytes);
        }
        return answer(connection);
    }

    /** Prepare a request on a connection of its own, which {@code disconnect} cuts. */
    public static HttpURLConnection open(URI server, String path, Map<String, String> headers) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) server.resolve(path).toURL().openConnection();
        connection.setConnectTimeout((int) LONGEST.toMillis());
        connection.setReadTimeout((int) LONGEST.toMillis());
        connection.setRequestProperty("Connection", "close");
        headers.forEach(connection::setRequestProperty);
        return connection;
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        InputStream body = status >= 400 ? connection.getErrorStream() : connection.getInputStream();
        String text = "";
        if (body != null) {
            try (body) {
                text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        return new Answer(status, text.isBlank() ? Json.of(Map.of()) : Json.parse(text));
    }
}
