package dev.chargehand.bedrock.internal;

import dev.chargehand.langchain4j.internal.ClaudeReasoning;
import dev.chargehand.langchain4j.internal.Conversation.Said;
import dev.chargehand.langchain4j.internal.Outgoing;
import dev.chargehand.langchain4j.internal.Thoughts;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.stream.ToolSchema;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the body of one request to Converse. */
final class ConverseRequest {

    /** Whose thoughts are taken back. */
    static final String MARK = "bedrock";

    private static final String NO_TEXT = "(no text)";
    private static final Set<String> PICTURES = Set.of("png", "jpeg", "gif", "webp");
    /** Models that accept the status of a result; others reject it. */
    private static final Pattern WITH_STATUS = Pattern.compile(".*(anthropic[.]|amazon[.]nova).*");

    private static final Pattern VERSION = Pattern.compile("-v[0-9]+(:[0-9]+)*$");

    private final String model;
    private final Outgoing outgoing;
    private final ProviderFaults faults;
    private final ObjectNode body = Trees.MAPPER.createObjectNode();
    private final ArrayNode messages = body.putArray("messages");
    private final Iterator<Said> said;

    ConverseRequest(String model, Outgoing outgoing, ProviderFaults faults) {
        this.model = model;
        this.outgoing = outgoing;
        this.faults = faults;
        this.said = outgoing.conversation().said().iterator();
    }

    /**
     * Return the body.
     *
     * @throws dev.chargehand.error.ModelException if there is a picture that cannot be sent
     */
    ObjectNode body() {
        outgoing.conversation().messages().forEach(this::message);
        settings();
        tools();
        return body;
    }

    private void message(ChatMessage message) {
        switch (message) {
            case SystemMessage system -> body.withArray("/system").addObject().put("text", system.text());
            case UserMessage user -> user.contents().forEach(content -> content(content, contentOf("user")));
            case ToolExecutionResultMessage result -> result(result, contentOf("user"));
            case AiMessage answer -> answer(answer, contentOf("assistant"));
            default -> throw new IllegalStateException("No such message: " + message.type());
        }
    }

    /**
     * Return the content of the last message if it is of the same role: two messages of one role in a row are rejected.
     */
    private ArrayNode contentOf(String role) {
        boolean same = !messages.isEmpty()
                && messages.get(messages.size() - 1).path("role").asString("").equals(role);
        ObjectNode message = same
                ? (ObjectNode) messages.get(messages.size() - 1)
                : messages.addObject().put("role", role);
        return message.withArray("/content");
    }

    private void content(Content content, ArrayNode into) {
        if (content instanceof TextContent text) {
            into.addObject().put("text", text.text());
        } else if (content instanceof ImageContent picture) {
            picture(picture.image(), into);
        }
    }

    private void picture(Image image, ArrayNode into) {
        String type = String.valueOf(image.mimeType()).toLowerCase(Locale.ROOT);
        String format = type.substring(type.indexOf('/') + 1).replace("jpg", "jpeg");
        if (!PICTURES.contains(format)) {
            throw faults.invalidRequest("Bedrock takes pictures as PNG, JPEG, GIF or WebP");
        }
        into.addObject()
                .putObject("image")
                .put("format", format)
                .putObject("source")
                .put("bytes", image.base64Data());
    }

    private void result(ToolExecutionResultMessage result, ArrayNode into) {
        ObjectNode block = into.addObject().putObject("toolResult").put("toolUseId", result.id());
        String text = result.text();
        block.putArray("content").addObject().put("text", text.isBlank() ? NO_TEXT : text);
        if (Boolean.TRUE.equals(result.isError()) && WITH_STATUS.matcher(model).matches()) {
            block.put("status", "error");
        }
    }

    private void answer(AiMessage answer, ArrayNode into) {
        Said kept = said.next();
        List<Thoughts.Block> thoughts = Thoughts.blocks(MARK, kept);
        ArrayNode content = Trees.MAPPER.createArrayNode();
        thoughts.forEach(thought -> thought(thought, content));
        if (answer.text() != null) {
            content.addObject().put("text", answer.text());
        }
        answer.toolExecutionRequests().forEach(call -> content.addObject()
                .putObject("toolUse")
                .put("toolUseId", call.id())
                .put("name", call.name())
                .set("input", Trees.MAPPER.readTree(call.arguments())));
        Thoughts.arrange(content, thoughts.size(), kept);
        into.addAll(content);
    }

    private static void thought(Thoughts.Block thought, ArrayNode into) {
        ObjectNode content = into.addObject().putObject("reasoningContent");
        if (thought.data().isEmpty()) {
            content.putObject("reasoningText").put("text", thought.words()).put("signature", thought.signature());
        } else {
            content.put("redactedContent", thought.data());
        }
    }

    private void settings() {
        ModelSettings settings = outgoing.settings();
        ObjectNode inference = Trees.MAPPER.createObjectNode();
        if (settings.maxOutputTokens() != null) {
            inference.put("maxTokens", settings.maxOutputTokens());
        }
        if (settings.temperature() != null) {
            inference.put("temperature", settings.temperature());
        }
        if (settings.topP() != null) {
            inference.put("topP", settings.topP());
        }
        settings.stopSequences().forEach(inference.withArray("/stopSequences")::add);
        if (inference.path("stopSequences").isEmpty()) {
            inference.remove("stopSequences");
        }
        reasoning(inference);
        if (!inference.isEmpty()) {
            body.set("inferenceConfig", inference);
        }
    }

    /** What is not the same for all models goes to them word for word. */
    private void reasoning(ObjectNode inference) {
        ObjectNode fields = Trees.MAPPER.createObjectNode();
        int vendor = model.indexOf("anthropic.");
        String effort = outgoing.settings().reasoningEffort();
        if (vendor >= 0) {
            String given = VERSION.matcher(model.substring(vendor + "anthropic.".length()))
                    .replaceAll("");
            Integer budget = ClaudeReasoning.write(fields, MARK, given, outgoing);
            if (budget != null && budget > 0) {
                inference.put("maxTokens", inference.path("maxTokens").asInt(ClaudeReasoning.MAX_TOKENS) + budget);
            }
            if (budget != null || ClaudeReasoning.isWithoutSampling(given)) {
                // Rejected together with reasoning, and by later models at any time.
                inference.remove("temperature");
                inference.remove("topP");
            }
        } else if (model.contains("openai.gpt-oss") && effort != null) {
            fields.put("reasoning_effort", effort);
        }
        if (!fields.isEmpty()) {
            body.set("additionalModelRequestFields", fields);
        }
    }

    private void tools() {
        if (outgoing.tools().isEmpty()) {
            calledBefore();
            return;
        }
        for (ToolDefinition tool : outgoing.tools()) {
            ObjectNode written = tool(tool.name(), tool.description());
            written.putObject("inputSchema")
                    .set(
                            "json",
                            Trees.MAPPER.readTree(
                                    ToolSchema.of(tool.input().json()).text()));
        }
        ObjectNode choice = Trees.MAPPER.createObjectNode();
        if (outgoing.request().toolChoice() instanceof ToolChoice.Named named) {
            choice.putObject("tool").put("name", named.toolName());
        } else if (outgoing.request().toolChoice() instanceof ToolChoice.Required) {
            choice.putObject("any");
        }
        // Several models reject the field even if it says what they do without it.
        if (!choice.isEmpty()) {
            ((ObjectNode) body.path("toolConfig")).set("toolChoice", choice);
        }
    }

    private ObjectNode tool(String name, String description) {
        ObjectNode tool = body.withArray("/toolConfig/tools")
                .addObject()
                .putObject("toolSpec")
                .put("name", name);
        return description.isBlank() ? tool : tool.put("description", description);
    }

    /** A conversation with calls is rejected unless the request has tools; the protocol cannot forbid calling them. */
    private void calledBefore() {
        Set<String> names = new LinkedHashSet<>();
        outgoing.conversation().said().forEach(each -> names.addAll(each.calls()));
        for (String name : names) {
            tool(name, "Not available any more: do not call it.")
                    .putObject("inputSchema")
                    .putObject("json")
                    .put("type", "object");
        }
    }
}
