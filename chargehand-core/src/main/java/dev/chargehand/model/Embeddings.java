package dev.chargehand.model;

import dev.chargehand.run.Usage;
import java.util.List;

/**
 * The vectors of texts.
 *
 * @param vectors one for each text, in their order; not changed any more
 * @param usage the tokens that were used, as far as the provider reports them
 */
public record Embeddings(List<float[]> vectors, Usage usage) {

    public Embeddings {
        vectors = List.copyOf(vectors);
    }
}
