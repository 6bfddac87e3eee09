package dev.chargehand.server.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** One HTTP request and the response to it. Used by the thread that handles the request. */
public interface Exchange {

    /** Return the method, such as {@code GET}. */
    String method();

    /** Return whether only the head of the response is sent. */
    default boolean isHead() {
        return method().equals("HEAD");
    }

    /** Return the path as it was sent, percent-encoded and without the query. */
    String path();

    /** Return the query as it was sent, without the question mark; empty if there is none. */
    String query();

    /** Return the values of a header; empty if it was not sent. */
    List<String> headers(String name);

    /** Return the body as it arrives. */
    InputStream body() throws IOException;

    /**
     * Send a response and its whole body; to a request with {@code HEAD} without the body, and with its length.
     *
     * @throws IOException if the client is gone
     */
    void send(int status, Map<String, String> headers, byte[] body) throws IOException;

    /**
     * Start a response and return its body. A flush sends what was written; the caller closes it.
     *
     * @throws IOException if the client is gone
     */
    OutputStream stream(int status, Map<String, String> headers) throws IOException;
}
