package dev.chargehand.langchain4j.internal;

import dev.chargehand.models.internal.AnswerBuilder;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.StreamingChatModel;
import java.net.URI;
import tools.jackson.databind.node.ObjectNode;

/**
 * A provider's protocol: how LangChain4j is made to write a request in it, what has to be added to that, and how an answer
 * is read.
 *
 * <p>Implementations are stateless.
 */
public interface Protocol {

    /** Returns the first part of the names of its models. */
    String provider();

    /** Returns where its API begins unless somebody says otherwise. */
    String baseUrl();

    /** Returns where its API begins, from what somebody says. */
    default URI address(URI given) {
        return given;
    }

    /** Tells whether it answers nobody without a key. */
    boolean needsKey();

    /** Returns what the conversation has to look like. */
    Conversation.Rules rules();

    /** Tells when a model takes a schema for its answer. */
    ResponseFormat formatOf(String model);

    /** Makes the library's model for one call. */
    StreamingChatModel library(HttpClientBuilder http, Endpoint endpoint, String key, Outgoing outgoing);

    /** Adds to a body that the library wrote what it left out or cannot say. */
    void complete(ObjectNode body, Endpoint endpoint, Outgoing outgoing);

    /** Makes the reader of one answer. */
    AnswerEvents events(AnswerBuilder answer, Errors errors);

    /** Tells whether the events of an answer are lines of JSON, not server-sent events. */
    default boolean isLines() {
        return false;
    }

    /** When a model takes a schema for its answer. */
    enum ResponseFormat {
        /** Also in a request that offers tools. */
        ALWAYS,
        /** Only where no tools are offered; else it is told in words. */
        WITHOUT_TOOLS,
        /** It has none. */
        NEVER
    }
}
