package dev.chargehand.openapi;

import dev.chargehand.json.JsonSchema;

/**
 * An operation of an HTTP API that a model may call.
 *
 * <p>Immutable.
 */
public sealed interface OpenApiOperation permits Operation {

    /** Return the name of its tool. */
    String name();

    /** Return its HTTP method, such as {@code GET}. */
    String method();

    /** Return the base URL of its path, with variables of the environment not yet replaced. */
    String server();

    /** Return its path, with {@code {name}} for a parameter. */
    String path();

    /** Return its description for the model. */
    String description();

    /** Return the schema of a call's arguments. */
    JsonSchema input();

    /** Return whether every call waits for approval. */
    boolean approval();

    /** Return whether a call that a crash interrupted may be made again. */
    boolean repeatable();

    /** Return whether the model may make the same call many times in a row. */
    boolean polling();
}
