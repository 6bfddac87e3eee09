package dev.chargehand.models.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import java.io.IOException;
import java.time.InstantSource;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Asks one model over its provider's connections: one request, one answer, on the calling thread.
 *
 * <p>Thread-safe.
 */
public final class ChatClient {

    private static final Logger LOG = LoggerFactory.getLogger(ChatClient.class);

    private final ChatEndpoint endpoint;
    private final Connections connections;
    private final WireLimits limits;
    private final InstantSource clock;
    private final Faults faults;

    /** Makes a client; opens nothing. */
    public ChatClient(ChatEndpoint endpoint, Connections connections) {
        this(endpoint, connections, WireLimits.DEFAULT, InstantSource.system());
    }

    ChatClient(ChatEndpoint endpoint, Connections connections, WireLimits limits, InstantSource clock) {
        this.endpoint = endpoint;
        this.connections = connections;
        this.limits = limits;
        this.clock = clock;
        this.faults = new Faults(endpoint.displayName(), endpoint.keyHint());
    }

    /** Returns the name that users know the model by. */
    public String name() {
        return endpoint.displayName();
    }

    /** Tells whether the server takes a schema for the answer. */
    public boolean hasFormatFor(JsonSchema schema) {
        return endpoint.dialect().takes(schema);
    }

    /** Returns the key of this moment; empty if there is none. */
    public String currentKey() {
        return endpoint.currentKey();
    }

    /**
     * Asks the model once.
     *
     * <p>A kept connection that turns out to be dead is no failed attempt: the request goes out again on another.
     *
     * @throws ModelException if that failed
     * @throws InterruptedException if the thread was interrupted; the connection is closed then
     */
    public ModelAnswer ask(ModelRequest request, ModelCall call) throws InterruptedException {
        String key = key();
        while (true) {
            try {
                return send(request, call, key);
            } catch (Connections.DeadConnection e) {
                // Each is taken out of the pool, so that this ends with a new connection at the latest.
                LOG.debug("{}: a kept connection was dead", endpoint.displayName());
            }
        }
    }

    private ModelAnswer send(ModelRequest request, ModelCall call, String key)
            throws InterruptedException, Connections.DeadConnection {
        HttpPost post = post(request, call, key);
        Connections.CallContext context = new Connections.CallContext(post);
        call.onCancel(context::giveUp);
        try {
            stopIfInterrupted();
            ClassicHttpResponse response = connections.execute(endpoint.host(), context);
            LOG.debug("{}: status {}", endpoint.displayName(), response.getCode());
            return new AnswerReader(response, context, call, limits, faults, key, clock).read();
        } catch (Connections.DeadConnection e) {
            throw e;
        } catch (IOException e) {
            stopIfInterrupted();
            throw failure(e, context.isCancelled());
        } finally {
            // Closes the connection unless it went back to the pool after the last byte.
            context.giveUp();
            connections.sweep();
        }
    }

    private ModelException failure(IOException e, boolean cancelled) {
        if (cancelled) {
            return faults.connection("the call was cancelled", false, null);
        }
        if (connections.isClosed()) {
            return faults.connection("its provider was closed", false, null);
        }
        LOG.debug("{}: failed with {}", endpoint.displayName(), e.getClass().getName());
        return ConnectionFaults.of(e, faults);
    }

    private String key() {
        String key = endpoint.currentKey();
        if (key.isEmpty() && endpoint.needsKey()) {
            throw faults.authentication("there is no key; set " + endpoint.keyHint());
        }
        if (!ChatEndpoint.isHeaderText(key)) {
            throw faults.authentication("the key has characters that cannot be sent; check " + endpoint.keyHint());
        }
        return key;
    }

    private HttpPost post(ModelRequest request, ModelCall call, String key) {
        HttpPost post = new HttpPost(endpoint.uri());
        post.setConfig(Connections.config(call.connectTimeout()));
        post.setHeader("Accept", "text/event-stream, application/json");
        post.setHeader("Accept-Encoding", "identity");
        for (Header header : endpoint.headers()) {
            post.setHeader(header);
        }
        if (!key.isEmpty()) {
            post.setHeader("Authorization", "Bearer " + key);
        }
        try {
            post.setEntity(new RequestBody(endpoint.model(), endpoint.dialect(), request));
        } catch (JacksonException e) {
            throw faults.invalidRequest("the request has a text or a schema that cannot be written as JSON");
        }
        return post;
    }

    static void stopIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("The thread was interrupted while it asked a model.");
        }
    }
}
