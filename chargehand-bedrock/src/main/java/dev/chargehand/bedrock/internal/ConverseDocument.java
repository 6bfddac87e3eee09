package dev.chargehand.bedrock.internal;

import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.provider.stream.ResponseBuilder;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads an answer that comes in one piece, as the events that it would have been. Not thread-safe; one per answer. */
final class ConverseDocument {

    private final ConverseEvents events;
    private final ResponseBuilder answer;
    private final ProviderFaults faults;

    ConverseDocument(ConverseEvents events, ResponseBuilder answer, ProviderFaults faults) {
        this.events = events;
        this.answer = answer;
        this.faults = faults;
    }

    /**
     * Read the body and emit its deltas.
     *
     * @throws dev.chargehand.error.ModelException if the body is no answer
     * @throws IOException if the connection failed before the answer was whole
     */
    ModelResponse read(InputStream body) throws IOException {
        int limit = WireLimits.DEFAULT.documentBytes();
        byte[] bytes = body.readNBytes(limit + 1);
        if (bytes.length > limit) {
            throw faults.tooLarge("the answer", limit, "bytes");
        }
        JsonNode document = parsed(bytes);
        JsonNode message = document.path("output").path("message");
        if (message.isObject()) {
            accept("messageStart", message);
        }
        int index = 0;
        for (JsonNode block : message.path("content")) {
            block(index++, block);
        }
        if (document.has("stopReason")) {
            accept("messageStop", document);
        }
        accept("metadata", document);
        return answer.build(events.state());
    }

    private JsonNode parsed(byte[] bytes) {
        try {
            return Trees.MAPPER.readTree(bytes);
        } catch (JacksonException e) {
            throw faults.protocol("the answer is not the JSON it should be");
        }
    }

    private void block(int index, JsonNode block) {
        ObjectNode delta = Trees.MAPPER.createObjectNode();
        JsonNode call = block.path("toolUse");
        JsonNode thought = block.path("reasoningContent");
        if (call.isObject()) {
            ObjectNode start = event(index);
            start.putObject("start").set("toolUse", call);
            accept("contentBlockStart", start);
            delta.putObject("toolUse")
                    .put(
                            "input",
                            call.path("input").isObject() ? call.path("input").toString() : "{}");
        } else if (thought.isObject()) {
            delta.set("reasoningContent", thought.has("reasoningText") ? thought.path("reasoningText") : thought);
        } else {
            delta.put("text", block.path("text").asString(""));
        }
        ObjectNode piece = event(index);
        piece.set("delta", delta);
        accept("contentBlockDelta", piece);
        accept("contentBlockStop", event(index));
    }

    private void accept(String type, JsonNode event) {
        var unused = events.accept(type, event); // which only says that a stream is over
    }

    private static ObjectNode event(int index) {
        return Trees.MAPPER.createObjectNode().put("contentBlockIndex", index);
    }
}
