package dev.chargehand.models;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.models.internal.Dialect;
import dev.chargehand.models.internal.EmbeddingDialect;
import dev.chargehand.models.internal.EndpointKey;
import dev.chargehand.models.internal.FixedKey;
import dev.chargehand.models.internal.KnownProvider;
import dev.chargehand.models.internal.ModelEndpoint;
import dev.chargehand.provider.connection.Connections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A provider of models that understand OpenAI's chat completions or embeddings, from names such as {@code
 * openai/gpt-5-mini} and {@code openai/text-embedding-3-small}.
 *
 * <p>Known without configuration: openai, openrouter, groq, together, deepseek, mistral, xai, fireworks, perplexity,
 * cerebras, nvidia, deepinfra, moonshot, sambanova, and on this machine ollama, lmstudio, vllm, llamacpp. The key of
 * {@code groq} is the environment's {@code GROQ_API_KEY}, and {@code GROQ_BASE_URL} moves it elsewhere; the others
 * likewise. Local ones need no key.
 *
 * <p>Thread-safe. All its models share one pool of connections, opened at the first call and closed with the provider.
 */
public final class OpenAiCompatibleProvider implements ModelProvider {

    /** The modules of ours that know other providers. */
    private static final Map<String, String> OWN_PROTOCOL = Map.of(
            "anthropic", "chargehand-langchain4j", "gemini", "chargehand-langchain4j", "bedrock", "chargehand-bedrock");

    /** The environment of this process. */
    private static final Function<String, @Nullable String> PROCESS = System::getenv;

    private final Map<String, Configured> configured;
    private final Function<String, @Nullable String> environment;
    private final Connections connections = new Connections();

    /** A provider that the application configured itself. */
    private record Configured(String baseUrl, @Nullable Supplier<String> key, Map<String, String> headers) {}

    /** Where a model of a name is. */
    private record Place(
            String name,
            String model,
            String baseUrl,
            EndpointKey key,
            Map<String, String> headers,
            Dialect dialect,
            EmbeddingDialect embeddings) {

        ModelEndpoint endpoint(String path) {
            return ModelEndpoint.of(name, model, baseUrl, path, key, headers);
        }
    }

    /** Make a provider that takes everything from the environment; for {@link java.util.ServiceLoader}. */
    public OpenAiCompatibleProvider() {
        this(Map.of(), PROCESS);
    }

    private OpenAiCompatibleProvider(
            Map<String, Configured> configured, Function<String, @Nullable String> environment) {
        this.configured = Map.copyOf(configured);
        this.environment = environment;
    }

    /** Create a builder of a provider with entries of the application's own. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Set<String> names() {
        Set<String> names = new TreeSet<>(KnownProvider.ALL.keySet());
        names.addAll(configured.keySet());
        return names;
    }

    /**
     * {@inheritDoc}
     *
     * @throws ConfigurationException if the base URL that was configured for the provider cannot be one
     */
    @Override
    public Optional<Model> find(String name) {
        return place(name)
                .map(place -> OpenAiModel.shared(place.endpoint(ModelEndpoint.CHAT), place.dialect, connections));
    }

    /**
     * {@inheritDoc} Nothing for deepseek, perplexity, cerebras and moonshot, unless the application configured them.
     *
     * @throws ConfigurationException if the base URL that was configured for the provider cannot be one
     */
    @Override
    public Optional<EmbeddingModel> findEmbeddingModel(String name) {
        return place(name)
                .filter(place -> place.embeddings != EmbeddingDialect.NONE)
                .map(place -> OpenAiEmbeddings.shared(
                        place.endpoint(ModelEndpoint.EMBEDDINGS), place.embeddings, connections));
    }

    /** Return the dependency to add for providers with a protocol of their own. */
    @Override
    public Optional<String> adviceOn(String name) {
        String provider = providerOf(name);
        return Optional.ofNullable(OWN_PROTOCOL.get(provider))
                .map(module ->
                        "Provider '" + provider + "' has a protocol of its own; add the dependency dev.chargehand:"
                                + module + ", which speaks it.");
    }

    /** Return what to do about a known provider whose embedding models cannot be called. */
    @Override
    public Optional<String> adviceOnEmbeddingModel(String name) {
        String provider = providerOf(name);
        boolean known = KnownProvider.ALL.containsKey(provider) || OWN_PROTOCOL.containsKey(provider);
        return known && findEmbeddingModel(name).isEmpty()
                ? Optional.of(
                        "Provider '" + provider + "' has no embedding models that can be called by name; use one of"
                                + " another provider, such as openai/text-embedding-3-small, or adapt one with"
                                + " LangChain4jEmbeddings of dev.chargehand:chargehand-langchain4j.")
                : Optional.empty();
    }

    /**
     * Return the environment variable that holds the key of a provider; nothing for one that needs no key, that was
     * configured, or that is not known.
     */
    public Optional<String> keyVariable(String provider) {
        KnownProvider known = configured.containsKey(provider) ? null : KnownProvider.ALL.get(provider);
        return Optional.ofNullable(known).filter(KnownProvider::needsKey).map(KnownProvider::keyVariable);
    }

    /** Close all connections, also those of calls in flight; models that it made fail from then on. */
    @Override
    public void close() {
        connections.close();
    }

    private Optional<Place> place(String name) {
        String provider = providerOf(name);
        String model = name.substring(Math.min(name.length(), provider.length() + 1));
        Configured own = configured.get(provider);
        KnownProvider known = KnownProvider.ALL.get(provider);
        if (model.isEmpty()) {
            return Optional.empty();
        }
        if (own != null) {
            return Optional.of(own(own, known, name, model));
        }
        return Optional.ofNullable(known).map(found -> known(found, name, model));
    }

    /** Return the part before the first slash; empty if there is none. */
    private static String providerOf(String name) {
        return name.substring(0, Math.max(0, name.indexOf('/')));
    }

    private static Place own(Configured own, @Nullable KnownProvider known, String name, String model) {
        EmbeddingDialect usual = known == null ? EmbeddingDialect.PLAIN : known.embeddings();
        return new Place(
                name,
                model,
                own.baseUrl,
                EndpointKey.given(own.key, "the key configured for provider '" + providerOf(name) + "'"),
                own.headers,
                known == null ? Dialect.COMPATIBLE : known.dialect(),
                usual == EmbeddingDialect.NONE ? EmbeddingDialect.PLAIN : usual);
    }

    private Place known(KnownProvider known, String name, String model) {
        return new Place(
                name,
                model,
                variable(known.baseUrlVariable()).map(known::address).orElse(known.baseUrl()),
                new EndpointKey(
                        () -> variable(known.keyVariable()),
                        "the environment variable " + known.keyVariable(),
                        known.needsKey(),
                        environment.equals(PROCESS)),
                Map.of(),
                known.dialect(),
                known.embeddings());
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
    }

    /** Adds providers, or overrides known ones. Not thread-safe. */
    public static final class Builder {

        private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]*");

        private final Map<String, Configured> configured = new LinkedHashMap<>();
        private Function<String, @Nullable String> environment = PROCESS;

        private Builder() {}

        /** Add a provider that needs no key. */
        public Builder provider(String name, String baseUrl) {
            return add(name, new Configured(baseUrl, null, Map.of()));
        }

        /** Add a provider with a key that never changes. */
        public Builder provider(String name, String baseUrl, String key) {
            return provider(name, baseUrl, new FixedKey(key));
        }

        /** Add a provider with what gives its key, asked at every call. */
        public Builder provider(String name, String baseUrl, Supplier<String> key) {
            return add(name, new Configured(baseUrl, key, Map.of()));
        }

        /**
         * Add a header to every request to a provider that was added before; printable ASCII. Its value is treated as a
         * secret, as is the token of a value such as {@code Bearer abc}; values of headers such as {@code User-Agent}
         * or {@code X-Title} are not.
         *
         * @throws ConfigurationException if no such provider was added
         */
        public Builder header(String provider, String header, String value) {
            Configured before = configured.get(provider);
            if (before == null) {
                throw new ConfigurationException("Header '" + header + "' is for provider '" + provider
                        + "', which was not added; add it first.");
            }
            Map<String, String> headers = new LinkedHashMap<>(before.headers);
            headers.put(header, value);
            configured.put(provider, new Configured(before.baseUrl, before.key, Map.copyOf(headers)));
            return this;
        }

        /** Set what environment variables are read from; the process's own by default. */
        public Builder environment(Function<String, @Nullable String> value) {
            environment = value;
            return this;
        }

        /**
         * Make the provider; opens no connection.
         *
         * @throws ConfigurationException if a base URL or a header cannot be used
         */
        public OpenAiCompatibleProvider build() {
            OpenAiCompatibleProvider provider = new OpenAiCompatibleProvider(configured, environment);
            configured.keySet().forEach(name -> provider.find(name + "/any"));
            return provider;
        }

        private Builder add(String name, Configured provider) {
            if (!NAME.matcher(name).matches()) {
                throw new ConfigurationException(
                        "Provider '" + name + "' must be named in a-z, 0-9, '_', '-' and '.', for example my-gateway.");
            }
            if (configured.put(name, provider) != null) {
                throw new ConfigurationException("Provider '" + name + "' is added twice; names must be unique.");
            }
            return this;
        }
    }
}
