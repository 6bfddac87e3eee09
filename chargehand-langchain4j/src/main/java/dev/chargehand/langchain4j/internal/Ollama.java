package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.AnswerEvents;
import dev.chargehand.langchain4j.internal.wire.Endpoint;
import dev.chargehand.langchain4j.internal.wire.Errors;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import java.net.URI;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Ollama's chat. */
public final class Ollama implements Protocol {

    @Override
    public String provider() {
        return "ollama";
    }

    @Override
    public String baseUrl() {
        return "http://localhost:11434";
    }

    /** Take an address also as it is written for its OpenAI-compatible API. */
    @Override
    public URI address(URI given) {
        return URI.create(given.toString().replaceFirst("/(v1|api)$", ""));
    }

    @Override
    public boolean needsKey() {
        return false;
    }

    @Override
    public Conversation.Rules rules() {
        return new Conversation.Rules(false, false, false);
    }

    /** With a format it writes nothing but what fits, and so calls no tool. */
    @Override
    public ResponseFormat formatOf(String model) {
        return ResponseFormat.WITHOUT_TOOLS;
    }

    @Override
    public boolean isLines() {
        return true;
    }

    @Override
    public StreamingChatModel library(HttpClientBuilder http, Endpoint endpoint, String key, Outgoing outgoing) {
        return OllamaStreamingChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(endpoint.baseUrl().toString())
                .modelName(endpoint.model())
                .customHeaders(key.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + key))
                .build();
    }

    @Override
    public void complete(ObjectNode body, Endpoint endpoint, Outgoing outgoing) {
        for (ToolDefinition tool : outgoing.tools()) {
            body.path("tools").forEach(each -> {
                ObjectNode function = (ObjectNode) each.path("function");
                if (function.path("name").asString("").equals(tool.name())) {
                    function.set(
                            "parameters",
                            Trees.MAPPER.readTree(tool.input().json().text()));
                }
            });
        }
        namesOfResults(body, outgoing.conversation());
        if (outgoing.settings().seed() != null) {
            body.withObject("/options").put("seed", outgoing.settings().seed());
        }
        String effort = outgoing.settings().reasoningEffort();
        if (effort != null && endpoint.model().startsWith("gpt-oss")) {
            body.put("think", effort);
        } else if (effort != null) {
            body.put("think", !effort.equals("none"));
        }
        if (outgoing.format() != null) {
            body.set("format", Trees.MAPPER.readTree(outgoing.format().json().text()));
        }
    }

    /** The library omits the tool's name from a result; a model that called several tools could not assign it. */
    private static void namesOfResults(ObjectNode body, Conversation conversation) {
        List<ToolExecutionResultMessage> results = conversation.messages().stream()
                .filter(ToolExecutionResultMessage.class::isInstance)
                .map(ToolExecutionResultMessage.class::cast)
                .toList();
        List<ObjectNode> messages = Trees.with(body.path("messages"), "role", "tool");
        for (int i = 0; i < messages.size() && i < results.size(); i++) {
            messages.get(i).put("tool_name", results.get(i).toolName());
        }
    }

    @Override
    public AnswerEvents events(ResponseBuilder answer, Errors errors) {
        return new OllamaEvents(answer);
    }
}
