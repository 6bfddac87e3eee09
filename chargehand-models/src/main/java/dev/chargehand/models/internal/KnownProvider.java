package dev.chargehand.models.internal;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A provider with a well-known address.
 *
 * @param name the first part of its models' names
 * @param baseUrl the address of its API, unless the environment sets another
 * @param needsKey whether it requires a key; a local server does not
 * @param dialect how it differs
 * @param embeddings how it embeds texts
 */
public record KnownProvider(
        String name, String baseUrl, boolean needsKey, Dialect dialect, EmbeddingDialect embeddings) {

    /** By name. */
    public static final Map<String, KnownProvider> ALL = byName(
            remote("openai", "https://api.openai.com/v1", Dialect.OPENAI, EmbeddingDialect.PLAIN),
            remote("openrouter", "https://openrouter.ai/api/v1", Dialect.OPENROUTER, EmbeddingDialect.PLAIN),
            remote("groq", "https://api.groq.com/openai/v1", Dialect.FOLLOWER, EmbeddingDialect.PLAIN),
            remote("together", "https://api.together.xyz/v1", Dialect.COMPATIBLE, EmbeddingDialect.PLAIN),
            remote("deepseek", "https://api.deepseek.com/v1", Dialect.DEEPSEEK, EmbeddingDialect.NONE),
            remote("mistral", "https://api.mistral.ai/v1", Dialect.MISTRAL, EmbeddingDialect.PLAIN),
            remote("xai", "https://api.x.ai/v1", Dialect.COMPATIBLE, EmbeddingDialect.PLAIN),
            remote("fireworks", "https://api.fireworks.ai/inference/v1", Dialect.COMPATIBLE, EmbeddingDialect.PLAIN),
            remote("perplexity", "https://api.perplexity.ai", Dialect.ORDERED, EmbeddingDialect.NONE),
            remote("cerebras", "https://api.cerebras.ai/v1", Dialect.FOLLOWER, EmbeddingDialect.NONE),
            remote("nvidia", "https://integrate.api.nvidia.com/v1", Dialect.COMPATIBLE, EmbeddingDialect.INPUT_TYPE),
            remote("deepinfra", "https://api.deepinfra.com/v1/openai", Dialect.COMPATIBLE, EmbeddingDialect.PLAIN),
            remote("moonshot", "https://api.moonshot.ai/v1", Dialect.MOONSHOT, EmbeddingDialect.NONE),
            remote("sambanova", "https://api.sambanova.ai/v1", Dialect.COMPATIBLE, EmbeddingDialect.PLAIN),
            local("ollama", "http://localhost:11434/v1", Dialect.COMPATIBLE),
            local("lmstudio", "http://localhost:1234/v1", Dialect.ORDERED),
            local("vllm", "http://localhost:8000/v1", Dialect.ORDERED),
            local("llamacpp", "http://localhost:8080/v1", Dialect.ORDERED));

    private static Map<String, KnownProvider> byName(KnownProvider... providers) {
        Map<String, KnownProvider> byName = new HashMap<>();
        for (KnownProvider provider : providers) {
            byName.put(provider.name(), provider);
        }
        return Map.copyOf(byName);
    }

    private static KnownProvider remote(String name, String baseUrl, Dialect dialect, EmbeddingDialect embeddings) {
        return new KnownProvider(name, baseUrl, true, dialect, embeddings);
    }

    private static KnownProvider local(String name, String baseUrl, Dialect dialect) {
        return new KnownProvider(name, baseUrl, false, dialect, EmbeddingDialect.PLAIN);
    }

    /** Return the environment variable that holds the key. */
    public String keyVariable() {
        return variable("_API_KEY");
    }

    /** Return the environment variable that moves the provider elsewhere. */
    public String baseUrlVariable() {
        return variable("_BASE_URL");
    }

    /** Return the address of its compatible API for one that was set: that of Ollama is also set without a path. */
    public String address(String set) {
        return name.equals("ollama") ? set.strip().replaceFirst("^(https?://[^/]+)(/|/api/?)?$", "$1/v1") : set;
    }

    private String variable(String suffix) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_') + suffix;
    }
}
