package dev.chargehand.models.internal;

import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.provider.stream.ToolSchema;
import dev.chargehand.provider.stream.WireIds;
import dev.chargehand.provider.stream.WireJson;
import java.io.OutputStream;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/** Writes the body of a chat-completions request. Not thread-safe; one per request. */
final class RequestWriter {

    private final JsonGenerator json;
    private final Dialect dialect;
    private final String model;
    private final Order order;
    private final WireIds ids;

    private RequestWriter(JsonGenerator json, Dialect dialect, String model, List<Message> messages) {
        this.json = json;
        this.dialect = dialect;
        this.model = model;
        this.order = dialect.orderOf(model);
        this.ids = new WireIds(messages, order == Order.MISTRAL);
    }

    /**
     * Write a request.
     *
     * @throws JacksonException if a text in it has no UTF-8 form
     */
    static void write(OutputStream out, String model, Dialect dialect, ModelRequest request) {
        try (JsonGenerator json = WireJson.FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            new RequestWriter(json, dialect, model, request.messages()).request(request);
        }
    }

    private void request(ModelRequest request) {
        json.writeStartObject();
        json.writeStringProperty("model", model);
        json.writeBooleanProperty("stream", true);
        if (dialect.streamOptions()) {
            json.writeObjectPropertyStart("stream_options");
            json.writeBooleanProperty("include_usage", true);
            json.writeEndObject();
        }
        json.writeArrayPropertyStart("messages");
        for (Message message : order.of(request.messages())) {
            message(message);
        }
        json.writeEndArray();
        if (!request.tools().isEmpty() && !(request.toolChoice() instanceof ToolChoice.None)) {
            tools(request.tools());
            toolChoice(request.toolChoice());
        }
        settings(request.settings());
        boolean hasTools = !request.tools().isEmpty() && !(request.toolChoice() instanceof ToolChoice.None);
        if (hasTools && request.settings().reasoningEffort() == null && dialect.callsWithoutReasoning(model)) {
            dialect.thinking().effort(json, Thinking.NONE);
        }
        if (request.output() != null && dialect.takes(request.output())) {
            responseFormat(request.output());
        }
        json.writeEndObject();
    }

    private void message(Message message) {
        switch (message.role()) {
            case SYSTEM -> text("system", message);
            case USER -> user(message);
            case ASSISTANT -> assistant(message);
            case TOOL -> {
                for (Part.ToolResult result : message.toolResults()) {
                    result(result);
                }
            }
        }
    }

    private void text(String role, Message message) {
        json.writeStartObject();
        json.writeStringProperty("role", role);
        json.writeStringProperty("content", message.text());
        json.writeEndObject();
    }

    private void user(Message message) {
        if (message.partsOf(Part.Image.class).isEmpty()) {
            text("user", message);
            return;
        }
        json.writeStartObject();
        json.writeStringProperty("role", "user");
        json.writeArrayPropertyStart("content");
        for (Part part : message.parts()) {
            if (part instanceof Part.Text text) {
                json.writeStartObject();
                json.writeStringProperty("type", "text");
                json.writeStringProperty("text", text.text());
                json.writeEndObject();
            } else if (part instanceof Part.Image image) {
                json.writeStartObject();
                json.writeStringProperty("type", "image_url");
                json.writeObjectPropertyStart("image_url");
                json.writeStringProperty("url", image.url());
                json.writeEndObject();
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Reasoning is left out except where it is demanded: it is not part of the answer, and several providers reject it.
     */
    private void assistant(Message message) {
        List<Part.ToolCall> calls = message.toolCalls();
        json.writeStartObject();
        json.writeStringProperty("role", "assistant");
        String text = message.text();
        if (text.isEmpty()) {
            json.writeNullProperty("content");
        } else {
            json.writeStringProperty("content", text);
        }
        dialect.thinking().earlier(json, message, model);
        if (!calls.isEmpty()) {
            json.writeArrayPropertyStart("tool_calls");
            for (Part.ToolCall call : calls) {
                call(call);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void call(Part.ToolCall call) {
        json.writeStartObject();
        json.writeStringProperty("id", ids.of(call.callId()));
        json.writeStringProperty("type", "function");
        json.writeObjectPropertyStart("function");
        json.writeStringProperty("name", WireIds.validName(call.name()));
        // Providers refuse a request with broken arguments; what was wrong with them stands in the result.
        json.writeStringProperty("arguments", WireJson.isObject(call.arguments()) ? call.arguments() : "{}");
        json.writeEndObject();
        json.writeEndObject();
    }

    private void result(Part.ToolResult result) {
        json.writeStartObject();
        json.writeStringProperty("role", "tool");
        json.writeStringProperty("tool_call_id", ids.of(result.callId()));
        json.writeStringProperty("content", result.output());
        json.writeEndObject();
    }

    private void tools(List<ToolDefinition> tools) {
        json.writeArrayPropertyStart("tools");
        for (ToolDefinition tool : tools) {
            json.writeStartObject();
            json.writeStringProperty("type", "function");
            json.writeObjectPropertyStart("function");
            json.writeStringProperty("name", tool.name());
            json.writeStringProperty("description", tool.description());
            json.writeName("parameters");
            json.writeRawValue(ToolSchema.of(tool.input().json()).text());
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void toolChoice(ToolChoice choice) {
        switch (choice) {
            case ToolChoice.Auto ignored -> {}
            case ToolChoice.None ignored -> {}
            case ToolChoice.Required ignored -> json.writeStringProperty("tool_choice", "required");
            case ToolChoice.Named named -> {
                json.writeObjectPropertyStart("tool_choice");
                json.writeStringProperty("type", "function");
                json.writeObjectPropertyStart("function");
                json.writeStringProperty("name", named.toolName());
                json.writeEndObject();
                json.writeEndObject();
            }
        }
    }

    /** Not strict: that takes schemas only in which every field is required and no other is allowed. */
    private void responseFormat(JsonSchema schema) {
        json.writeObjectPropertyStart("response_format");
        json.writeStringProperty("type", "json_schema");
        json.writeObjectPropertyStart("json_schema");
        json.writeStringProperty("name", "answer");
        json.writeName("schema");
        json.writeRawValue(schema.json().text());
        json.writeEndObject();
        json.writeEndObject();
    }

    private void settings(ModelSettings settings) {
        if (settings.temperature() != null) {
            json.writeNumberProperty("temperature", settings.temperature());
        }
        if (settings.topP() != null) {
            json.writeNumberProperty("top_p", settings.topP());
        }
        if (settings.maxOutputTokens() != null) {
            json.writeNumberProperty(dialect.maxTokensField(), settings.maxOutputTokens());
        }
        if (settings.seed() != null) {
            json.writeNumberProperty(dialect.seedField(), settings.seed());
        }
        if (!settings.stopSequences().isEmpty()) {
            json.writeArrayPropertyStart("stop");
            settings.stopSequences().forEach(json::writeString);
            json.writeEndArray();
        }
        if (settings.reasoningEffort() != null) {
            dialect.thinking().effort(json, settings.reasoningEffort());
        }
    }
}
