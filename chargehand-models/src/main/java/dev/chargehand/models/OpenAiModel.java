package dev.chargehand.models;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.models.internal.ChatClient;
import dev.chargehand.models.internal.Dialect;
import dev.chargehand.models.internal.ModelEndpoint;
import dev.chargehand.provider.connection.Connections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A model behind an OpenAI-compatible chat-completions endpoint.
 *
 * <p>Answers are streamed: text, reasoning, tool arguments as they are written, usage. A server that answers with one
 * JSON document instead is understood too. Each call is one attempt on one pooled HTTP/1.1 connection; one that the
 * server closed while it was kept is replaced, which does not count as an attempt. Redirects are rejected, answers are
 * capped (an event 4 MB, content 64 M characters), and nothing limits how long an answer takes but the caller. An
 * answer without a finish reason is returned with {@code MISSING}. Exceptions never carry a key; of a body they carry
 * what the provider says about a fault, see {@link dev.chargehand.error.ModelException#providerMessage()}.
 *
 * <p>Thread-safe. A model made with {@link #builder} owns its connections: close it. One that came from an
 * {@link OpenAiCompatibleProvider} shares that provider's, and closing it does nothing.
 */
public final class OpenAiModel implements Model, AutoCloseable {

    private final ChatClient client;
    private final @Nullable Connections owned;

    private OpenAiModel(ChatClient client, @Nullable Connections owned) {
        this.client = client;
        this.owned = owned;
    }

    /** Make a model of a provider, on the provider's connections. */
    static OpenAiModel shared(ModelEndpoint endpoint, Dialect dialect, Connections connections) {
        return new OpenAiModel(new ChatClient(endpoint, dialect, connections), null);
    }

    /** Create a builder of a model; base URL and model name are required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return client.name();
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        return client.ask(request, call);
    }

    /** {@inheritDoc} OpenAI's own endpoint has one for schemas of objects; see {@link Builder#responseFormat}. */
    @Override
    public boolean hasFormatFor(JsonSchema schema) {
        return client.hasFormatFor(schema);
    }

    /** Return true, unless the application's own code gives the key: that may take its time. */
    @Override
    public boolean returnsWhenClosed() {
        return client.returnsWhenClosed();
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

        private @Nullable String maxTokensField;
        private boolean streamOptions = true;
        private String seedField = Dialect.COMPATIBLE.seedField();
        private @Nullable Boolean responseFormat;

        private Builder() {
            super(ModelEndpoint.CHAT);
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Set the field that holds the longest answer: {@code max_completion_tokens} by default at
         * {@code api.openai.com}, {@code max_tokens} anywhere else.
         */
        public Builder maxTokensField(String value) {
            maxTokensField = value;
            return this;
        }

        /** Set whether usage is requested with {@code stream_options}; true by default. */
        public Builder streamOptions(boolean value) {
            streamOptions = value;
            return this;
        }

        /** Set the field that holds the seed; {@code seed} by default. */
        public Builder seedField(String value) {
            seedField = value;
            return this;
        }

        /**
         * Set whether the server takes a {@code response_format} with a JSON Schema, in a stream and in addition to
         * tools; true by default at {@code api.openai.com}, false anywhere else. Without it the model receives the
         * schema as text.
         */
        public Builder responseFormat(boolean value) {
            responseFormat = value;
            return this;
        }

        /**
         * Make the model; opens no connection.
         *
         * @throws ConfigurationException if the base URL or the model is missing, or something cannot be sent
         */
        public OpenAiModel build() {
            ModelEndpoint endpoint = endpoint();
            Dialect usual = dialectOf(endpoint);
            String longest = maxTokensField != null ? maxTokensField : usual.maxTokensField();
            boolean format = responseFormat != null ? responseFormat : usual.responseFormat();
            Connections connections = new Connections();
            return new OpenAiModel(
                    new ChatClient(endpoint, usual.with(longest, streamOptions, seedField, format), connections),
                    connections);
        }

        private static Dialect dialectOf(ModelEndpoint endpoint) {
            return endpoint.host().getHostName().equals("api.openai.com") ? Dialect.OPENAI : Dialect.COMPATIBLE;
        }
    }
}
