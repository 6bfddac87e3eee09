package dev.chargehand.testkit.provider;

/** Name what the provider checks on the requests that reach it; see {@link Violation}. */
public enum Rule {
    /** The request is HTTP/1.1 that this server can read; always on. */
    READABLE_HTTP,
    /**
     * The body is one JSON object, without duplicate keys, with a model and at least one message; for embeddings, with at
     * least one text and no empty one.
     */
    READABLE_BODY,
    /** Each message has one of the roles system, developer, user, assistant, tool. */
    KNOWN_ROLE,
    /** At most one system (or developer) message before the first other message; later ones are free. */
    ONE_SYSTEM_MESSAGE,
    /** Each tool message answers a call of the assistant message it follows, and no call is answered twice. */
    RESULT_HAS_CALL,
    /** Each tool call is answered before the next message that is not a tool's, or the end of the list. */
    CALL_HAS_RESULT,
    /** Each tool call has an id, and no two of a request have the same. */
    UNIQUE_CALL_ID,
    /** Names of called and of offered functions are 1 to 64 of {@code a-z A-Z 0-9 _ -}; no tool is offered twice. */
    FUNCTION_NAME,
    /** The body is not larger than {@link ProviderOptions#maxBodyBytes()}. */
    BODY_SIZE,
    /** Nothing given to {@link LoopbackProvider#forbid} is in path, headers (credentials aside) or body. */
    FORBIDDEN_TEXT
}
