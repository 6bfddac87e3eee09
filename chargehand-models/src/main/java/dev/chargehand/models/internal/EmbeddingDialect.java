package dev.chargehand.models.internal;

/** How a server of the same protocol embeds texts. */
public enum EmbeddingDialect {
    /** It has no such endpoint, or one that sends no numbers. */
    NONE,
    /** It embeds queries and passages alike. */
    PLAIN,
    /** It receives in {@code input_type} the purpose of a text: {@code query} or {@code passage}. */
    INPUT_TYPE
}
