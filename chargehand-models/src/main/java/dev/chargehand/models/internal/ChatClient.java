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
import java.time.InstantSource;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.Header;
import tools.jackson.core.JacksonException;
import tools.jackson.core.util.ByteArrayBuilder;

/**
 * Asks one model over its provider's connections: one request, one answer, on the calling thread.
 *
 * <p>Thread-safe.
 */
public final class ChatClient {

    private final ChatEndpoint endpoint;
    private final WireLimits limits;
    private final ProviderFaults faults;
    private final Exchange exchange;

    /** Make a client; opens nothing. */
    public ChatClient(ChatEndpoint endpoint, Connections connections) {
        this(endpoint, connections, WireLimits.DEFAULT, InstantSource.system());
    }

    ChatClient(ChatEndpoint endpoint, Connections connections, WireLimits limits, InstantSource clock) {
        this.endpoint = endpoint;
        this.limits = limits;
        this.faults = new ProviderFaults(endpoint.displayName(), endpoint.keyHint(), endpoint::secrets);
        this.exchange = new Exchange(connections, limits, clock, faults);
    }

    /** Return the name that users know the model by. */
    public String name() {
        return endpoint.displayName();
    }

    /** Return whether the server takes a schema for the answer. */
    public boolean hasFormatFor(JsonSchema schema) {
        return endpoint.dialect().takes(schema);
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
        String key = faults.usable(endpoint.currentKey(), endpoint.needsKey());
        return exchange.send(
                endpoint.host(),
                () -> post(request, key),
                call,
                key,
                (body, mediaType, deltas, isCancelled) ->
                        new ChatResponseBody(deltas, limits, faults, key, isCancelled).read(body, mediaType));
    }

    private HttpPost post(ModelRequest request, String key) {
        HttpPost post = new HttpPost(endpoint.uri());
        post.setHeader("Accept", "text/event-stream, application/json");
        post.setHeader("Accept-Encoding", "identity");
        for (Header header : endpoint.headers()) {
            post.setHeader(header);
        }
        if (!key.isEmpty()) {
            post.setHeader("Authorization", "Bearer " + key);
        }
        try {
            post.setEntity(body(request));
        } catch (JacksonException e) {
            throw faults.invalidRequest("the request has a text or a schema that cannot be written as JSON");
        }
        return post;
    }

    private RequestBody body(ModelRequest request) {
        try (ByteArrayBuilder out = new ByteArrayBuilder()) {
            RequestWriter.write(out, endpoint.model(), endpoint.dialect(), request);
            return new RequestBody(out.toByteArray());
        }
    }
}
