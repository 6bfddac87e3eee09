package dev.chargehand.provider.connection;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/**
 * Carries the calls of tools over {@link Connections}: one request, one answer, on the calling thread, which must be
 * virtual for an interrupt to end a call that waits. Nothing is followed, and nothing is sent twice that could act
 * twice.
 *
 * <p>Thread-safe.
 */
public final class HttpCalls implements AutoCloseable {

    /** How long the rest of a body is waited for when nothing matters any more but the connection's reuse. */
    private static final Duration LAST_BYTES = Duration.ofSeconds(1);

    private final Connections connections = new Connections();

    /**
     * A request.
     *
     * @param method such as {@code GET}
     * @param uri where it goes, http or https; it is sent unchanged
     * @param headers what is sent besides; the caller has seen to it that each is one line of printable ASCII
     * @param body what is sent below, as UTF-8, or null for nothing
     * @param again whether it may be sent a second time, should the first connection turn out to be dead
     */
    public record Request(
            String method,
            URI uri,
            Map<String, String> headers,
            @Nullable String body,
            boolean again) {

        public Request {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * An answer.
     *
     * @param status its status
     * @param mediaType the type its head says it has, without parameters; empty if it says none
     * @param redirect scheme, host and port that a redirect points to
     * @param text its body, decoded, or the start of it
     * @param bytes how many bytes that was, not compressed
     * @param cut whether there is more of it
     */
    public record Answer(int status, String mediaType, String redirect, String text, int bytes, boolean cut) {}

    /** A call that brought no answer. Its message is part of a sentence and quotes nothing of the wire. */
    public static final class NoAnswerException extends IOException {

        private static final long serialVersionUID = 1L;

        private final boolean sent;

        private NoAnswerException(String what, boolean sent, @Nullable Throwable cause) {
            super(what, cause);
            this.sent = sent;
        }

        /** Return whether the request may have reached the server. */
        public boolean isSent() {
            return sent;
        }
    }

    /**
     * Send a request and read its answer, as far as it is wanted.
     *
     * @param mostBytes how much of the body is read
     * @throws NoAnswerException if the connection failed
     * @throws InterruptedException if the thread was interrupted; the connection is closed then
     */
    public Answer send(Request request, Duration connectTimeout, int mostBytes)
            throws NoAnswerException, InterruptedException {
        while (true) {
            try {
                return sendOnce(request, connectTimeout, mostBytes);
            } catch (Connections.DeadConnectionException e) {
                if (!request.again()) {
                    throw new NoAnswerException("the connection was closed before an answer came", true, e);
                }
                // Each is taken out of the pool, so that this ends with a new connection at the latest.
            }
        }
    }

    private Answer sendOnce(Request request, Duration connectTimeout, int mostBytes)
            throws NoAnswerException, Connections.DeadConnectionException, InterruptedException {
        HttpUriRequestBase sent = new HttpUriRequestBase(request.method(), request.uri());
        sent.setConfig(Connections.config(connectTimeout));
        sent.setHeader("Accept-Encoding", "identity");
        request.headers().forEach(sent::setHeader);
        String body = request.body();
        if (body != null) {
            sent.setEntity(new ByteArrayEntity(body.getBytes(StandardCharsets.UTF_8), null));
        }
        Connections.CallContext context = new Connections.CallContext(sent);
        try {
            Exchange.stopIfInterrupted();
            URI uri = request.uri();
            return read(
                    connections.execute(new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort()), context),
                    context,
                    mostBytes);
        } catch (Connections.DeadConnectionException e) {
            Exchange.stopIfInterrupted();
            throw e;
        } catch (IOException e) {
            Exchange.stopIfInterrupted();
            if (e instanceof NoAnswerException known) {
                throw known;
            }
            ConnectionFaults.Meaning meaning = ConnectionFaults.meaning(e);
            throw new NoAnswerException(meaning.what(), meaning.sent(), meaning.cause());
        } finally {
            // Closes the connection unless it went back to the pool after the last byte.
            context.giveUp();
            connections.sweep();
        }
    }

    private static Answer read(ClassicHttpResponse response, Connections.CallContext context, int mostBytes)
            throws IOException {
        ResponseHead head = new ResponseHead(response);
        HttpEntity entity = response.getEntity();
        byte[] body = {};
        boolean cut = false;
        if (entity != null) {
            InputStream raw = entity.getContent();
            InputStream decoded = decoded(raw, head);
            body = decoded.readNBytes(mostBytes);
            context.limitReads(LAST_BYTES);
            cut = body.length == mostBytes && hasMore(decoded);
            if (!cut && hasMore(raw)) {
                context.giveUp(); // what stands behind the end of something compressed
            }
        }
        return new Answer(
                response.getCode(),
                head.mediaType(),
                head.redirectOrigin(),
                new String(body, charset(head)),
                body.length,
                cut);
    }

    private static boolean hasMore(InputStream decoded) {
        try {
            return decoded.read() >= 0;
        } catch (IOException e) {
            return true; // it did not end, as far as anybody waited for it
        }
    }

    /** An answer to HEAD, and others without a body, may say that it would be compressed. */
    private static InputStream decoded(InputStream raw, ResponseHead head) throws IOException {
        try {
            return head.decoded(raw);
        } catch (ResponseHead.UnknownEncodingException e) {
            throw new NoAnswerException(String.valueOf(e.getMessage()), true, null);
        } catch (EOFException e) {
            return InputStream.nullInputStream();
        }
    }

    private static Charset charset(ResponseHead head) {
        for (String part : head.text("Content-Type").split(";", -1)) {
            String parameter = part.strip();
            if (parameter.regionMatches(true, 0, "charset=", 0, 8)) {
                return charset(parameter.substring(8).replace("\"", "").strip());
            }
        }
        return StandardCharsets.UTF_8;
    }

    private static Charset charset(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            return StandardCharsets.UTF_8; // a name that means nothing here
        }
    }

    /** Close all connections, also those in use; calls after it fail. */
    @Override
    public void close() {
        connections.close();
    }
}
