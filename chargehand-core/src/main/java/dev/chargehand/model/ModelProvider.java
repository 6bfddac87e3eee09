package dev.chargehand.model;

import java.util.Optional;
import java.util.Set;

/**
 * A provider of models, by names such as {@code openai/gpt-5}.
 *
 * <p>Found on the class path with {@link java.util.ServiceLoader}, or given to a runtime. Thread-safe.
 */
public interface ModelProvider extends AutoCloseable {

    /** Return the first parts of the names it knows, such as {@code openai}; for error messages. */
    Set<String> names();

    /**
     * Make the model of a name, or nothing if the provider part of the name is not known here.
     *
     * <p>Opens no connection. A missing key is an error of the first call, not of this one.
     *
     * @param name {@code provider/model}; the model part may contain slashes
     */
    Optional<Model> find(String name);

    /**
     * Make the embedding model of a name, or nothing, the default, if the provider part of the name is not known here or
     * the provider has none.
     *
     * <p>Opens no connection. A missing key is an error of the first call, not of this one.
     *
     * @param name {@code provider/model}; the model part may contain slashes
     */
    default Optional<EmbeddingModel> findEmbeddingModel(String name) {
        return Optional.empty();
    }

    /**
     * Return whether it speaks the providers' own protocols; found on the class path, such a one is called before
     * those that reach the same provider by a protocol that many share. False by default.
     */
    default boolean isNative() {
        return false;
    }

    /**
     * Return what would make a name known that is not known here, such as a dependency to add; a whole sentence for
     * error messages, nothing by default.
     */
    default Optional<String> adviceOn(String name) {
        return Optional.empty();
    }

    /**
     * Return what to use instead of an embedding model that is not known here, for example since its provider has none; a
     * whole sentence for error messages, nothing by default.
     */
    default Optional<String> adviceOnEmbeddingModel(String name) {
        return Optional.empty();
    }

    /**
     * Close pooled connections; by default there are none. The runtime waits 10 seconds for it, and logs what it
     * throws.
     */
    @Override
    default void close() {}
}
