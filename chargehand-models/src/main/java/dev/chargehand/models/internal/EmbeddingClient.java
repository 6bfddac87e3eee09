package dev.chargehand.models.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.provider.connection.Connections;
import dev.chargehand.provider.connection.Exchange;
import dev.chargehand.provider.connection.RequestBody;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.ReturnedVectors;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.provider.stream.WireJson;
import dev.chargehand.run.Usage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.util.ByteArrayBuilder;

/**
 * Embeds texts by one model over its provider's connections, on the calling thread. Many texts are sent in several
 * requests, one after the other.
 *
 * <p>Thread-safe.
 */
public final class EmbeddingClient {

    private static final int MOST_TEXTS = 64;
    private static final int MOST_BYTES = 256 << 10;

    private final ModelEndpoint endpoint;
    private final EmbeddingDialect dialect;
    private final int dimensions;
    private final ProviderFaults faults;
    private final Exchange exchange;

    /**
     * Make a client; opens nothing.
     *
     * @param dimensions how many the server is asked for; 0 for as many as the model has
     */
    public EmbeddingClient(ModelEndpoint endpoint, EmbeddingDialect dialect, int dimensions, Connections connections) {
        this.endpoint = endpoint;
        this.dialect = dialect;
        this.dimensions = dimensions;
        this.faults = endpoint.faults();
        this.exchange = new Exchange(connections, faults);
    }

    /** Return the name that users know the model by. */
    public String name() {
        return endpoint.displayName();
    }

    /** Return whether queries and passages are embedded alike. */
    public boolean isSymmetric() {
        return dialect != EmbeddingDialect.INPUT_TYPE;
    }

    /** Return what must not show: the key of this moment, and the values of headers. */
    public Set<String> secrets() {
        return endpoint.secrets();
    }

    /**
     * Embed texts, with one attempt for each request.
     *
     * @throws ModelException if that failed, or a text is larger than a request may be
     * @throws InterruptedException if the thread was interrupted; the connection is closed then
     */
    public Embeddings embed(EmbeddingRequest request) throws InterruptedException {
        List<List<String>> requests = split(request.texts());
        String key = faults.usable(endpoint.key().current(), endpoint.key().needed());
        List<float[]> vectors = new ArrayList<>(request.texts().size());
        Usage usage = Usage.NONE;
        try (TimedCall call = TimedCall.start(request.limit())) {
            for (List<String> texts : requests) {
                Embeddings some = send(texts, request, key, call);
                vectors.addAll(some.vectors());
                usage = usage.plus(some.usage());
            }
        }
        ReturnedVectors.checked(vectors, request.texts().size(), faults);
        int returned = vectors.getFirst().length;
        if (dimensions > 0 && dimensions != returned) {
            throw faults.protocol("the vectors of the answer have " + returned + " dimensions, but " + dimensions
                    + " were requested");
        }
        return new Embeddings(vectors, usage);
    }

    private Embeddings send(List<String> texts, EmbeddingRequest request, String key, TimedCall call)
            throws InterruptedException {
        try {
            return exchange.send(
                    endpoint.host(),
                    () -> post(texts, request.kind(), key),
                    call,
                    key,
                    (body, mediaType, deltas, isCancelled) -> new EmbeddingResponseBody(
                                    texts.size(), WireLimits.DEFAULT, faults, key)
                            .read(body, mediaType));
        } catch (ModelException e) {
            if (call.isOver() && e.kind() == ModelException.Kind.CONNECTION) {
                throw faults.timeout(request.limit());
            }
            throw e;
        }
    }

    private List<List<String>> split(List<String> texts) {
        List<List<String>> requests = new ArrayList<>();
        int first = 0;
        int bytes = 0;
        for (int i = 0; i < texts.size(); i++) {
            int more = bytesOf(texts.get(i));
            if (more > MOST_BYTES) {
                throw faults.invalidRequest("text " + (i + 1) + " of " + texts.size() + " has more than the "
                        + MOST_BYTES + " bytes that are sent in one request; split it");
            }
            if (i - first == MOST_TEXTS || bytes + more > MOST_BYTES) {
                requests.add(texts.subList(first, i));
                first = i;
                bytes = 0;
            }
            bytes += more;
        }
        requests.add(texts.subList(first, texts.size()));
        return requests;
    }

    private static int bytesOf(String text) {
        return text.length() > MOST_BYTES ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private HttpPost post(List<String> texts, EmbeddingRequest.Kind kind, String key) {
        HttpPost post = endpoint.post("application/json", key);
        try (ByteArrayBuilder out = new ByteArrayBuilder()) {
            try (JsonGenerator json = WireJson.FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
                write(json, texts, kind);
            }
            post.setEntity(new RequestBody(out.toByteArray()));
        } catch (JacksonException e) {
            throw faults.invalidRequest("the request has a text that cannot be written as JSON");
        }
        return post;
    }

    private void write(JsonGenerator json, List<String> texts, EmbeddingRequest.Kind kind) {
        json.writeStartObject();
        json.writeStringProperty("model", endpoint.model());
        json.writeArrayPropertyStart("input");
        texts.forEach(json::writeString);
        json.writeEndArray();
        json.writeStringProperty("encoding_format", "float");
        if (dimensions > 0) {
            json.writeNumberProperty("dimensions", dimensions);
        }
        if (dialect == EmbeddingDialect.INPUT_TYPE) {
            json.writeStringProperty("input_type", kind.name().toLowerCase(Locale.ROOT));
        }
        json.writeEndObject();
    }
}
