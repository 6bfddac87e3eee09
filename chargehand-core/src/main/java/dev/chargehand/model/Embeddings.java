package dev.chargehand.model;

import dev.chargehand.run.Usage;
import java.util.List;
import java.util.Objects;

/**
 * The vectors of texts.
 *
 * @param vectors one for each text, in their order; not changed any more
 * @param usage the tokens that were used, as the provider reports them; {@link Usage#NONE} if it does not
 */
public record Embeddings(List<float[]> vectors, Usage usage) {

    public Embeddings {
        vectors = List.copyOf(vectors);
        Objects.requireNonNull(usage, "The usage of embeddings is null; give Usage.NONE.");
    }
}
