package dev.chargehand.models.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.provider.connection.Connections;
import dev.chargehand.provider.connection.Exchange;
import dev.chargehand.provider.connection.RequestBody;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import tools.jackson.core.JacksonException;
import tools.jackson.core.util.ByteArrayBuilder;

/**
 * Asks one model over its provider's connections: one request, one answer, on the calling thread.
 *
 * <p>Thread-safe.
 */
public final class ChatClient {

    private final ModelEndpoint endpoint;
    private final Dialect dialect;
    private final WireLimits limits;
    private final ProviderFaults faults;
    private final Exchange exchange;

    /** Make a client; opens nothing. */
    public ChatClient(ModelEndpoint endpoint, Dialect dialect, Connections connections) {
        this.endpoint = endpoint;
        this.dialect = dialect;
        this.limits = WireLimits.DEFAULT;
        this.faults = endpoint.faults();
        this.exchange = new Exchange(connections, faults);
    }

    /** Return the name that users know the model by. */
    public String name() {
        return endpoint.displayName();
    }

    /** Return whether the server takes a schema for the answer. */
    public boolean hasFormatFor(JsonSchema schema) {
        return dialect.takes(schema);
    }

    /** Return whether nothing but the connection, which can be closed from outside, keeps a call from returning. */
    public boolean returnsWhenClosed() {
        return endpoint.key().isAtHand();
    }

    /** Return what must not show: the key of this moment, and the values of headers. */
    public Set<String> secrets() {
        return endpoint.secrets();
    }

    /**
     * Ask the model once.
     *
     * @throws ModelException if that failed
     * @throws InterruptedException if the thread was interrupted; the connection is closed then
     */
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        String key = faults.usable(endpoint.key().current(), endpoint.key().needed());
        return exchange.send(
                endpoint.host(),
                () -> post(request, key),
                call,
                key,
                (body, mediaType, deltas, isCancelled) -> new ChatResponseBody(deltas, limits, faults, key, isCancelled)
                        .keepingFor(dialect.thinking() == Thinking.OPENROUTER ? endpoint.model() : "")
                        .read(body, mediaType));
    }

    private HttpPost post(ModelRequest request, String key) {
        HttpPost post = endpoint.post("text/event-stream, application/json", key);
        try {
            post.setEntity(body(request));
        } catch (JacksonException e) {
            throw faults.invalidRequest("the request has a text or a schema that cannot be written as JSON");
        }
        return post;
    }

    private RequestBody body(ModelRequest request) {
        try (ByteArrayBuilder out = new ByteArrayBuilder()) {
            RequestWriter.write(out, endpoint.model(), dialect, request);
            return new RequestBody(out.toByteArray());
        }
    }
}
