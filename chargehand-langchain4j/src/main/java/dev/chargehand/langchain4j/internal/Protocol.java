package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.AnswerEvents;
import dev.chargehand.langchain4j.internal.wire.Endpoint;
import dev.chargehand.langchain4j.internal.wire.Errors;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.StreamingChatModel;
import java.net.URI;
import tools.jackson.databind.node.ObjectNode;

/**
 * A provider's protocol: how LangChain4j is made to write a request in it, what has to be added to that, and how an
 * answer is read.
 *
 * <p>Implementations are stateless.
 */
public interface Protocol {

    /** Return the first part of the names of its models. */
    String provider();

    /** Return the default base URL of its API. */
    String baseUrl();

    /** Return the base URL of its API, derived from a given address. */
    default URI address(URI given) {
        return given;
    }

    /** Return whether it requires a key. */
    boolean needsKey();

    /** Return what the conversation has to look like. */
    Conversation.Rules rules();

    /** Return when a model accepts a schema for its answer. */
    ResponseFormat formatOf(String model);

    /** Make the library's model for one call. */
    StreamingChatModel library(HttpClientBuilder http, Endpoint endpoint, String key, Outgoing outgoing);

    /** Add to a body that the library wrote what it left out or cannot say. */
    void complete(ObjectNode body, Endpoint endpoint, Outgoing outgoing);

    /** Make the reader of one answer. */
    AnswerEvents events(ResponseBuilder answer, Errors errors);

    /** Return whether the events of an answer are lines of JSON, not server-sent events. */
    default boolean isLines() {
        return false;
    }

    /** When a model takes a schema for its answer. */
    enum ResponseFormat {
        /** Also in a request that offers tools. */
        ALWAYS,
        /** Only if no tools are offered; else the model receives it as text. */
        WITHOUT_TOOLS,
        /** It has none. */
        NEVER
    }
}
