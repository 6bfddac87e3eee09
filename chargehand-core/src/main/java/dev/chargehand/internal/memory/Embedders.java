package dev.chargehand.internal.memory;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.model.EmbeddingModel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The embedding models of a runtime, those that were used last. Thread-safe. */
public final class Embedders {

    /** An application may make a model for each request: so many are known at once. */
    private static final int MOST = 64;

    private final Function<String, EmbeddingModel> named;
    private final RuntimeModel byDefault;
    private final Redactor redactor;

    private final Map<Key, Embedder> made = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Embedder> eldest) {
            return size() > MOST;
        }
    };

    /**
     * The embedding model of a runtime, for recalls that have none of their own.
     *
     * @param name its name, or null if the runtime has none
     * @param model the model, or null if the runtime makes it by its name
     */
    public record RuntimeModel(
            @Nullable String name, @Nullable EmbeddingModel model) {

        /** There is none. */
        public static final RuntimeModel NONE = new RuntimeModel(null, null);
    }

    /**
     * Make it for a runtime.
     *
     * @param named makes a model of its name
     */
    public Embedders(Function<String, EmbeddingModel> named, RuntimeModel byDefault, Redactor redactor) {
        this.named = named;
        this.byDefault = byDefault;
        this.redactor = redactor;
    }

    /** A model by its name, or this very object, and what it embeds. */
    private record Key(String name, @Nullable EmbeddingModel given, int passageRule) {

        @Override
        @SuppressWarnings("ReferenceEquality") // a model of the application says nothing about equality
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && name.equals(key.name)
                    && given == key.given
                    && passageRule == key.passageRule;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * name.hashCode() + System.identityHashCode(given)) + passageRule;
        }
    }

    /** Check that an agent's recall has a model: its own, or that of the runtime. */
    void requireNamed(SemanticRecall recall, String agentId) {
        if (recall.modelName().isEmpty() && byDefault.name() == null) {
            throw new ConfigurationException("Agent '" + agentId + "' has a semantic recall without an embedding"
                    + " model, and the runtime has none: name one, such as"
                    + " semanticRecall(r -> r.by(\"openai/text-embedding-3-small\")), or give the runtime one with"
                    + " AgentRuntime.builder().embeddingModel(…).");
        }
    }

    /**
     * Return the model of an agent's recall.
     *
     * @throws dev.chargehand.error.ModelException {@code UNKNOWN_MODEL} if no provider knows it
     * @throws ConfigurationException if neither it nor the runtime has one
     */
    Embedder of(SemanticRecall recall) {
        int rule = Passages.rule(recall.toolResults());
        String name = recall.modelName().orElse(byDefault.name());
        if (name == null) {
            throw new ConfigurationException(
                    "semanticRecall has no embedding model, and the runtime has none; give the runtime one with"
                            + " AgentRuntime.builder().embeddingModel(…).");
        }
        EmbeddingModel given = recall.modelName().isPresent() ? recall.model().orElse(null) : byDefault.model();
        Key key = new Key(name, given, rule);
        Embedder known = known(key, null);
        if (known != null) {
            return known;
        }
        EmbeddingModel model = given == null ? named.apply(name) : given;
        redactor.learn(model.secrets());
        Embedder embedder = new Embedder(model, rule, redactor);
        Embedder other = known(key, embedder);
        return other == null ? embedder : other;
    }

    /** Return the known one, or keep another; providers are called without the lock. */
    private synchronized @Nullable Embedder known(Key key, @Nullable Embedder other) {
        Embedder known = made.get(key);
        if (known == null && other != null) {
            made.put(key, other);
        }
        return known;
    }
}
