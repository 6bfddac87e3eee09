package dev.chargehand.testkit.model;

/** A feature that not every protocol has; models of a wire are tested only for its features. */
public enum Capability {
    /** It shows its reasoning. */
    REASONING,
    /** It wants something back with its reasoning or its calls when the conversation continues. */
    SIGNATURES,
    /** Arguments of a call come in pieces. */
    PARTIAL_ARGUMENTS,
    /** A call has an id of the provider's. */
    CALL_IDS,
    /** The usage says how much of the request was cached. */
    CACHED_TOKENS,
    /** The usage says how much of the answer was reasoning. */
    REASONING_TOKENS,
    /** It takes pictures as bytes. */
    IMAGES,
    /** It takes pictures by their address. */
    IMAGE_URLS,
    /** It takes a schema for its answer. */
    RESPONSE_FORMAT,
    /** A tool can be demanded. */
    TOOL_CHOICE,
    /** It answers repeatably if it is given a seed. */
    SEED,
    /** It says when a filter withheld the answer. */
    CONTENT_FILTER,
    /** Errors say in a word of the protocol what kind they are of. */
    ERROR_KINDS
}
