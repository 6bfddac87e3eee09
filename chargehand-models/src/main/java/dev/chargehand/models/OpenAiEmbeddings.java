package dev.chargehand.models;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.models.internal.EmbeddingClient;
import dev.chargehand.models.internal.EmbeddingDialect;
import dev.chargehand.models.internal.ModelEndpoint;
import dev.chargehand.provider.connection.Connections;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An embedding model behind an OpenAI-compatible embeddings endpoint.
 *
 * <pre>{@code
 * try (OpenAiEmbeddings embeddings = OpenAiEmbeddings.builder()
 *         .baseUrl("http://localhost:8080/v1")
 *         .model("bge-small")
 *         .build()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>One HTTP request has at most 64 texts and 256 KB of text; more texts are sent in several, one after the other, and a
 * text that is larger is rejected before any is sent. Each of them is one attempt, and the limit of an
 * {@link EmbeddingRequest} applies to all together. An answer with another number of vectors than texts, with vectors of
 * different lengths, or with values that are not finite numbers is rejected, as are redirects, and answers of more than 64
 * MB. Exceptions never carry a key or a text; they carry what the provider says about a fault, see
 * {@link dev.chargehand.error.ModelException#providerMessage()}.
 *
 * <p>Thread-safe. An interrupt ends a call at once if its thread is virtual. A model made with {@link #builder} owns its
 * connections: close it. One that came from an {@link OpenAiCompatibleProvider} shares that provider's, and closing it does
 * nothing.
 */
public final class OpenAiEmbeddings implements EmbeddingModel, AutoCloseable {

    private final EmbeddingClient client;
    private final @Nullable Connections owned;

    /** As many dimensions as requested, or as the last answer had; 0 before it. */
    private volatile int dimensions;

    private OpenAiEmbeddings(EmbeddingClient client, int dimensions, @Nullable Connections owned) {
        this.client = client;
        this.dimensions = dimensions;
        this.owned = owned;
    }

    /** Make a model of a provider, on the provider's connections. */
    static OpenAiEmbeddings shared(ModelEndpoint endpoint, EmbeddingDialect dialect, Connections connections) {
        return new OpenAiEmbeddings(new EmbeddingClient(endpoint, dialect, 0, connections), 0, null);
    }

    /** Create a builder of a model; base URL and model name are required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return client.name();
    }

    /** Return the requested number, or that of the last answer; empty before the first. */
    @Override
    public OptionalInt dimensions() {
        int known = dimensions;
        return known == 0 ? OptionalInt.empty() : OptionalInt.of(known);
    }

    /** {@inheritDoc} False for {@code nvidia}. */
    @Override
    public boolean symmetric() {
        return client.isSymmetric();
    }

    @Override
    public Embeddings embed(EmbeddingRequest request) throws InterruptedException {
        Embeddings embeddings = client.embed(request);
        dimensions = embeddings.vectors().getFirst().length;
        return embeddings;
    }

    /** Return the key of this moment, and the values of headers. */
    @Override
    public Set<String> secrets() {
        return client.secrets();
    }

    /** Close the connections if this model owns them, also those of calls in flight; further calls fail. */
    @Override
    public void close() {
        if (owned != null) {
            owned.close();
        }
    }

    /** Says where a model is and how it is called. Not thread-safe. */
    public static final class Builder extends EndpointSettings<Builder> {

        private int dimensions;

        private Builder() {
            super(ModelEndpoint.EMBEDDINGS);
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Set how many dimensions the server is asked for, in the field {@code dimensions}; as many as the model has by
         * default. Few models can shorten their vectors. Models with different numbers need different names.
         *
         * @throws ConfigurationException below 1
         */
        public Builder dimensions(int value) {
            if (value < 1) {
                throw new ConfigurationException("A vector has at least 1 dimension, not " + value + ".");
            }
            dimensions = value;
            return this;
        }

        /**
         * Make the model; opens no connection.
         *
         * @throws ConfigurationException if the base URL or the model is missing, or something cannot be sent
         */
        public OpenAiEmbeddings build() {
            Connections connections = new Connections();
            return new OpenAiEmbeddings(
                    new EmbeddingClient(endpoint(), EmbeddingDialect.PLAIN, dimensions, connections),
                    dimensions,
                    connections);
        }
    }
}
