package dev.chargehand.langchain4j;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.langchain4j.internal.Anthropic;
import dev.chargehand.langchain4j.internal.Gemini;
import dev.chargehand.langchain4j.internal.Ollama;
import dev.chargehand.langchain4j.internal.Protocol;
import dev.chargehand.langchain4j.internal.ProtocolModel;
import dev.chargehand.langchain4j.internal.wire.Endpoint;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.provider.connection.BaseUrl;
import dev.chargehand.provider.connection.Connections;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A model provider for protocols other than OpenAI's: {@code anthropic/…}, {@code gemini/…}, {@code
 * ollama/…}.
 *
 * <p>The key of {@code anthropic} is the environment's {@code ANTHROPIC_API_KEY}, and {@code ANTHROPIC_BASE_URL} moves
 * it elsewhere; the others likewise. Ollama needs no key. Answers are streamed, each call is one attempt, redirects are
 * rejected, answers are capped (an event 4 MB, content 64 M characters), an answer without a finish reason is returned
 * with {@code MISSING}, and exceptions never carry a body or a key: as {@code dev.chargehand.models.OpenAiModel} does
 * it.
 *
 * <p>Thread-safe. All its models share one pool of connections, opened at the first call and closed with the provider.
 */
public final class LangChain4jProvider implements ModelProvider {

    private static final Map<String, Protocol> PROTOCOLS = List.of(new Anthropic(), new Gemini(), new Ollama()).stream()
            .collect(Collectors.toUnmodifiableMap(Protocol::provider, Function.identity()));

    /** Names that can be part of an address without escaping. */
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@/-]*");

    private final Map<String, Supplier<String>> keys;
    private final Map<String, String> baseUrls;
    private final Function<String, @Nullable String> environment;
    private final Connections connections = new Connections();

    /** Make a provider that takes everything from the environment; for {@link java.util.ServiceLoader}. */
    public LangChain4jProvider() {
        this(new Builder());
    }

    private LangChain4jProvider(Builder builder) {
        this.keys = Map.copyOf(builder.keys);
        this.baseUrls = Map.copyOf(builder.baseUrls);
        this.environment = builder.environment;
    }

    /** Create a builder of a provider with keys or addresses of the application's own. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Set<String> names() {
        return new TreeSet<>(PROTOCOLS.keySet());
    }

    @Override
    public boolean isNative() {
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * @throws ConfigurationException if the base URL that was configured for the provider cannot be one, or the model's
     *     name has characters that no model's name has
     */
    @Override
    public Optional<Model> find(String name) {
        int slash = name.indexOf('/');
        Protocol protocol = slash < 1 ? null : PROTOCOLS.get(name.substring(0, slash));
        if (protocol == null || slash == name.length() - 1) {
            return Optional.empty();
        }
        String model = name.substring(slash + 1);
        if (!MODEL.matcher(model).matches() || model.contains("..")) {
            throw new ConfigurationException(
                    "Model '" + name + "': the name of a model has letters, digits and . _ : @ / -" + " only.");
        }
        return Optional.of(new ProtocolModel(protocol, endpoint(protocol, name, model), connections));
    }

    /**
     * Return the environment variable that holds the key of a provider; nothing for one that needs no key, that was
     * given one, or that is not known.
     */
    public Optional<String> keyVariable(String provider) {
        Protocol protocol = keys.containsKey(provider) ? null : PROTOCOLS.get(provider);
        return Optional.ofNullable(protocol).filter(Protocol::needsKey).map(each -> variable(each, "_API_KEY"));
    }

    /** Close all connections, also those of calls in flight; models that it made fail from then on. */
    @Override
    public void close() {
        connections.close();
    }

    private Endpoint endpoint(Protocol protocol, String name, String model) {
        Supplier<String> given = keys.get(protocol.provider());
        String keyVariable = variable(protocol, "_API_KEY");
        Supplier<Optional<String>> key =
                given == null ? () -> value(keyVariable) : () -> Optional.ofNullable(given.get());
        String hint = given == null
                ? "the environment variable " + keyVariable
                : "the key given for provider '" + protocol.provider() + "'";
        return new Endpoint(name, model, baseUrl(protocol, name), key, hint, protocol.needsKey());
    }

    private URI baseUrl(Protocol protocol, String name) {
        String given = baseUrls.get(protocol.provider());
        String text =
                given != null ? given : value(variable(protocol, "_BASE_URL")).orElse(protocol.baseUrl());
        return protocol.address(BaseUrl.of(name, text));
    }

    private Optional<String> value(String variable) {
        return Optional.ofNullable(environment.apply(variable)).filter(value -> !value.isBlank());
    }

    private static String variable(Protocol protocol, String suffix) {
        return protocol.provider().toUpperCase(Locale.ROOT) + suffix;
    }

    /** Sets keys and addresses. Not thread-safe. */
    public static final class Builder {

        private final Map<String, Supplier<String>> keys = new LinkedHashMap<>();
        private final Map<String, String> baseUrls = new LinkedHashMap<>();
        private Function<String, @Nullable String> environment = System::getenv;

        private Builder() {}

        /**
         * Set the key of a provider.
         *
         * @throws ConfigurationException if no such provider is known here; so below
         */
        public Builder key(String provider, String key) {
            return key(provider, () -> key);
        }

        /** Set what gives the key of a provider, asked at every call. */
        public Builder key(String provider, Supplier<String> key) {
            keys.put(known(provider), key);
            return this;
        }

        /** Set the base URL of a provider's API. */
        public Builder baseUrl(String provider, String baseUrl) {
            baseUrls.put(known(provider), baseUrl);
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
         * @throws ConfigurationException if a base URL cannot be used
         */
        public LangChain4jProvider build() {
            LangChain4jProvider provider = new LangChain4jProvider(this);
            baseUrls.keySet().forEach(name -> provider.find(name + "/any"));
            return provider;
        }

        private static String known(String provider) {
            if (!PROTOCOLS.containsKey(provider)) {
                throw new ConfigurationException("Provider '" + provider + "' is not one of "
                        + String.join(", ", new TreeSet<>(PROTOCOLS.keySet())) + ".");
            }
            return provider;
        }
    }
}
