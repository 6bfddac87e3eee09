package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.Conversation.Said;
import dev.chargehand.langchain4j.internal.wire.AnswerEvents;
import dev.chargehand.langchain4j.internal.wire.Endpoint;
import dev.chargehand.langchain4j.internal.wire.Errors;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.chargehand.provider.stream.ToolSchema;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Anthropic's messages. */
public final class Anthropic implements Protocol {

    /** Whose thoughts it takes back. */
    static final String MARK = "anthropic";

    private static final Pattern WITH_FORMAT =
            Pattern.compile("claude-opus-4-[1-9].*|claude-(sonnet|haiku)-4-[5-9].*|claude-[a-z]+-([5-9]|[1-9][0-9]).*");

    @Override
    public String provider() {
        return "anthropic";
    }

    @Override
    public String baseUrl() {
        return "https://api.anthropic.com/v1";
    }

    @Override
    public boolean needsKey() {
        return true;
    }

    @Override
    public Conversation.Rules rules() {
        return new Conversation.Rules(true, true, true);
    }

    @Override
    public ResponseFormat formatOf(String model) {
        return WITH_FORMAT.matcher(model).matches() ? ResponseFormat.ALWAYS : ResponseFormat.NEVER;
    }

    @Override
    public StreamingChatModel library(HttpClientBuilder http, Endpoint endpoint, String key, Outgoing outgoing) {
        return AnthropicStreamingChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(endpoint.baseUrl().toString())
                .apiKey(key)
                .modelName(endpoint.model())
                .maxTokens(ClaudeReasoning.MAX_TOKENS)
                .build();
    }

    @Override
    public void complete(ObjectNode body, Endpoint endpoint, Outgoing outgoing) {
        thoughts(body, outgoing.conversation().said());
        tools(body, outgoing);
        reasoning(body, endpoint.model(), outgoing);
        if (outgoing.format() != null) {
            body.withObject("/output_config/format")
                    .put("type", "json_schema")
                    .set("schema", ClosedSchema.of(outgoing.format()));
        }
    }

    /** Restore the signed reasoning before tool calls, verbatim: without it the calls are rejected. */
    private static void thoughts(ObjectNode body, List<Said> said) {
        List<ObjectNode> messages = Trees.with(body.path("messages"), "role", "assistant");
        for (int i = 0; i < messages.size() && i < said.size(); i++) {
            List<ObjectNode> blocks = Thoughts.blocks(MARK, said.get(i)).stream()
                    .map(Anthropic::thought)
                    .toList();
            if (!blocks.isEmpty() && messages.get(i).path("content") instanceof ArrayNode content) {
                for (int at = 0; at < blocks.size(); at++) {
                    content.insert(at, blocks.get(at));
                }
                Thoughts.arrange(content, blocks.size(), said.get(i));
            }
        }
    }

    private static void tools(ObjectNode body, Outgoing outgoing) {
        for (ToolDefinition tool : outgoing.tools()) {
            Trees.with(body.path("tools"), "name", tool.name())
                    .forEach(each -> each.set(
                            "input_schema",
                            Trees.MAPPER.readTree(
                                    ToolSchema.of(tool.input().json()).text())));
        }
        if (outgoing.tools().isEmpty()) {
            calledBefore(body, outgoing.conversation().said());
        } else if (outgoing.request().toolChoice() instanceof ToolChoice.Named named) {
            body.putObject("tool_choice").put("type", "tool").put("name", named.toolName());
        } else if (outgoing.request().toolChoice() instanceof ToolChoice.Required) {
            body.putObject("tool_choice").put("type", "any");
        }
    }

    /**
     * A conversation with calls is rejected unless the request has tools: they are listed, and calling them is
     * forbidden.
     */
    private static void calledBefore(ObjectNode body, List<Said> said) {
        Set<String> names = new LinkedHashSet<>();
        said.forEach(each -> names.addAll(each.calls()));
        if (names.isEmpty()) {
            return;
        }
        ArrayNode tools = body.putArray("tools");
        for (String name : names) {
            tools.addObject()
                    .put("name", name)
                    .put("description", "Not available any more.")
                    .putObject("input_schema")
                    .put("type", "object");
        }
        body.putObject("tool_choice").put("type", "none");
    }

    private static ObjectNode thought(Thoughts.Block block) {
        ObjectNode thought = Trees.MAPPER.createObjectNode();
        return block.data().isEmpty()
                ? thought.put("type", "thinking").put("thinking", block.words()).put("signature", block.signature())
                : thought.put("type", "redacted_thinking").put("data", block.data());
    }

    private static void reasoning(ObjectNode body, String model, Outgoing outgoing) {
        Integer budget = ClaudeReasoning.write(body, MARK, model, outgoing);
        if (budget == null && !ClaudeReasoning.isWithoutSampling(model)) {
            return;
        }
        if (budget != null && budget > 0) {
            body.put("max_tokens", body.path("max_tokens").asInt(ClaudeReasoning.MAX_TOKENS) + budget);
        }
        // Rejected together with reasoning, and by later models at any time.
        body.remove("temperature");
        body.remove("top_k");
        body.remove("top_p");
    }

    @Override
    public AnswerEvents events(ResponseBuilder answer, Errors errors) {
        return new AnthropicEvents(answer);
    }

    /** Return a field of a block as text. */
    static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
