package dev.chargehand.internal.memory;

import dev.chargehand.internal.log.Redactor;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.model.EmbeddingModel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The embedding models of a runtime, each made once. Thread-safe. */
public final class Embedders {

    private final Function<String, EmbeddingModel> named;
    private final Redactor redactor;
    private final Map<Object, Embedder> made = new ConcurrentHashMap<>();

    /**
     * Make it for a runtime.
     *
     * @param named makes a model of its name
     */
    public Embedders(Function<String, EmbeddingModel> named, Redactor redactor) {
        this.named = named;
        this.redactor = redactor;
    }

    /**
     * Return the model of an agent's recall.
     *
     * @throws dev.chargehand.error.ModelException {@code UNKNOWN_MODEL} if no provider knows it
     */
    Embedder of(SemanticRecall recall) {
        return recall.model().isPresent()
                ? made.computeIfAbsent(recall.model().get(), given -> make((EmbeddingModel) given))
                : made.computeIfAbsent(recall.modelName(), name -> make(named.apply((String) name)));
    }

    private Embedder make(EmbeddingModel model) {
        redactor.learn(model.secrets());
        return new Embedder(model, redactor);
    }
}
