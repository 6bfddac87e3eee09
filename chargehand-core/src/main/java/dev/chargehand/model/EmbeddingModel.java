package dev.chargehand.model;

import dev.chargehand.error.ModelException;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A model that turns texts into vectors, so that texts with a similar meaning have similar vectors.
 *
 * <p>An implementation is thread-safe and serves any number of calls at once. It makes one attempt for each request to its
 * provider; retries are the caller's.
 */
public interface EmbeddingModel {

    /**
     * Return its name, such as {@code openai/text-embedding-3-small}. Vectors are stored under it and are only compared with
     * vectors of the same name, so a model that returns other vectors needs another name.
     */
    String name();

    /** Return how many numbers a vector has; empty if that is not known before the first answer. */
    default OptionalInt dimensions() {
        return OptionalInt.empty();
    }

    /** Return whether queries and passages are embedded alike; true by default. */
    default boolean symmetric() {
        return true;
    }

    /**
     * Embed texts, on the calling thread.
     *
     * @return one vector for each text, in their order
     * @throws ModelException if the attempt failed; whether another may help is {@link ModelException#retryable()}
     * @throws InterruptedException if the calling thread was interrupted
     */
    Embeddings embed(EmbeddingRequest request) throws InterruptedException;

    /** Return secrets, such as keys, that must never show in an error, an event or a log; none by default. */
    default Set<String> secrets() {
        return Set.of();
    }
}
