package dev.chargehand.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Texts to embed.
 *
 * @param texts at least one, and none is empty; several models also reject a text of white space only
 * @param kind what they are for
 * @param limit within which time the answer is wanted, above zero; a model that cannot be interrupted may need longer
 */
public record EmbeddingRequest(List<String> texts, Kind kind, Duration limit) {

    /** Check the values; throws {@link IllegalArgumentException} for no text, an empty text, or a limit that is not above zero. */
    public EmbeddingRequest {
        texts = List.copyOf(texts);
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(limit, "limit");
        if (texts.isEmpty() || texts.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("At least one text is embedded, and none that is empty.");
        }
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("The limit of an embedding must be above zero; it is " + limit + ".");
        }
    }

    /** What texts are embedded for. Some models embed both alike. */
    public enum Kind {
        /** To be compared with passages. */
        QUERY,
        /** To be found. */
        PASSAGE
    }
}
