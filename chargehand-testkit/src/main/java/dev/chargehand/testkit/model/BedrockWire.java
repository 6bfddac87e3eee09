package dev.chargehand.testkit.model;

import static dev.chargehand.testkit.model.Texts.elements;
import static dev.chargehand.testkit.model.Texts.object;
import static dev.chargehand.testkit.model.Texts.text;

import dev.chargehand.model.FinishReason;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Amazon Bedrock's Converse: frames with a length, headers, JSON and checksums. */
final class BedrockWire implements ModelWire {

    private static final int MEGABYTES = 100 << 20;

    @Override
    public Set<Capability> can() {
        return EnumSet.complementOf(EnumSet.of(
                Capability.REASONING_TOKENS, Capability.IMAGE_URLS, Capability.RESPONSE_FORMAT, Capability.SEED));
    }

    @Override
    public String baseUrl(LoopbackProvider provider) {
        return "http://127.0.0.1:" + provider.port();
    }

    @Override
    public String mediaType() {
        return "application/vnd.amazon.eventstream";
    }

    @Override
    public List<byte[]> events(WireAnswer answer) {
        List<byte[]> events = new ArrayList<>();
        events.add(frame("messageStart", object().put("role", "assistant")));
        int index = 0;
        if (!answer.reasoning().isEmpty()) {
            thinking(events, index++, answer);
        }
        if (!answer.text().isEmpty()) {
            for (String delta : answer.text()) {
                events.add(delta(index, object().put("text", delta)));
            }
            events.add(stop(index++));
        }
        for (FunctionCall call : answer.calls()) {
            ObjectNode start = object().put("contentBlockIndex", index);
            start.putObject("start")
                    .putObject("toolUse")
                    .put("toolUseId", call.id())
                    .put("name", call.name());
            events.add(frame("contentBlockStart", start));
            for (String piece : answer.pieces(call)) {
                ObjectNode delta = object();
                delta.putObject("toolUse").put("input", piece);
                events.add(delta(index, delta));
            }
            events.add(stop(index++));
        }
        FinishReason finish = answer.finish();
        if (finish != null) {
            events.add(frame("messageStop", object().put("stopReason", reason(finish))));
            ObjectNode metadata = object();
            metadata.putObject("usage")
                    .put("inputTokens", answer.usage().input() - answer.usage().cachedInput())
                    .put("cacheReadInputTokens", answer.usage().cachedInput())
                    .put("outputTokens", answer.usage().output())
                    .put("totalTokens", answer.usage().input() + answer.usage().output());
            metadata.putObject("metrics").put("latencyMs", 1);
            events.add(frame("metadata", metadata));
        }
        return events;
    }

    private static void thinking(List<byte[]> events, int index, WireAnswer answer) {
        for (String delta : answer.reasoning()) {
            events.add(thought(index, "text", delta));
        }
        if (!answer.signature().isEmpty()) {
            events.add(thought(index, "signature", answer.signature()));
        }
        events.add(stop(index));
    }

    private static byte[] thought(int index, String field, String value) {
        ObjectNode delta = object();
        delta.putObject("reasoningContent").put(field, value);
        return delta(index, delta);
    }

    private static byte[] delta(int index, ObjectNode delta) {
        ObjectNode event = object().put("contentBlockIndex", index);
        event.set("delta", delta);
        return frame("contentBlockDelta", event);
    }

    private static byte[] stop(int index) {
        return frame("contentBlockStop", object().put("contentBlockIndex", index));
    }

    private static String reason(FinishReason finish) {
        return switch (finish) {
            case STOP -> "end_turn";
            case TOOL_CALLS -> "tool_use";
            case LENGTH -> "max_tokens";
            case CONTENT_FILTER -> "content_filtered";
            case UNKNOWN, MISSING -> "something_new";
        };
    }

    /** An error object goes as an exception, as it would be reported in a stream. */
    @Override
    public byte[] event(String data) {
        String type = typeOfError(data);
        return type.isEmpty()
                ? frame(Map.of(":message-type", "event", ":event-type", "contentBlockDelta"), data)
                : frame(Map.of(":message-type", "exception", ":exception-type", type), data);
    }

    private static String typeOfError(String data) {
        try {
            return text(Texts.MAPPER.readTree(data), "__type");
        } catch (JacksonException e) {
            return "";
        }
    }

    @Override
    public byte[] endless() {
        byte[] whole = frame(Map.of(":message-type", "event", ":event-type", "contentBlockDelta"), "");
        byte[] started = ByteBuffer.wrap(whole).putInt(0, MEGABYTES).array();
        ByteBuffer prelude = ByteBuffer.wrap(started);
        prelude.putInt(8, checksum(started, 8));
        return started;
    }

    @Override
    public String error(Trouble trouble, String message) {
        String type =
                switch (trouble) {
                    case OVERLOADED -> "serviceUnavailableException";
                    case RATE_LIMIT -> "throttlingException";
                    case INVALID_REQUEST -> "validationException";
                    case AUTHENTICATION -> "accessDeniedException";
                };
        return object().put("__type", type).put("message", message).toString();
    }

    private static byte[] frame(String type, ObjectNode event) {
        return frame(
                Map.of(":message-type", "event", ":event-type", type, ":content-type", "application/json"),
                event.toString());
    }

    private static byte[] frame(Map<String, String> headers, String payload) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        new TreeMap<>(headers).forEach((name, value) -> {
            byte[] key = name.getBytes(StandardCharsets.UTF_8);
            byte[] text = value.getBytes(StandardCharsets.UTF_8);
            written.write(key.length);
            written.writeBytes(key);
            written.write(7); // a text follows
            written.write(text.length >> 8);
            written.write(text.length);
            written.writeBytes(text);
        });
        byte[] head = written.toByteArray();
        byte[] body = payload.getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[12 + head.length + body.length + 4];
        ByteBuffer buffer = ByteBuffer.wrap(frame).putInt(frame.length).putInt(head.length);
        buffer.putInt(checksum(frame, 8)).put(head).put(body);
        buffer.putInt(checksum(frame, frame.length - 4));
        return frame;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    @Override
    public String instructions(ReceivedRequest request) {
        return Texts.texts(Texts.MAPPER.readTree(request.body()).path("system"));
    }

    @Override
    public List<String> problems(ReceivedRequest request) {
        List<String> problems = new ArrayList<>();
        JsonNode body = Texts.MAPPER.readTree(request.body());
        if (!request.path().matches("/model/[A-Za-z0-9._%-]+/converse(-stream)?")) {
            problems.add("path " + request.path());
        }
        if (request.header("authorization").isEmpty()) {
            problems.add("no authorization");
        }
        for (JsonNode block : elements(body.path("system"))) {
            if (text(block, "text").isBlank()) {
                problems.add("an empty system block");
            }
        }
        for (JsonNode tool : elements(body.path("toolConfig").path("tools"))) {
            JsonNode spec = tool.path("toolSpec");
            if (!text(spec, "name").matches("[A-Za-z0-9_-]{1,64}")
                    || !spec.path("inputSchema").path("json").isObject()) {
                problems.add("tool " + spec);
            }
        }
        messages(elements(body.path("messages")), body.path("toolConfig").path("tools"), problems);
        return problems;
    }

    private static void messages(List<JsonNode> messages, JsonNode tools, List<String> problems) {
        String before = "assistant";
        Set<String> open = new HashSet<>();
        Set<String> seen = new HashSet<>();
        for (JsonNode message : messages) {
            String role = text(message, "role");
            if (role.equals(before)) {
                problems.add("two messages of role " + role + " in a row, or the first is not the user's");
            }
            before = role;
            Set<String> answered = new HashSet<>();
            for (JsonNode block : elements(message.path("content"))) {
                block(block, tools, open, seen, answered, problems);
            }
            if (elements(message.path("content")).isEmpty()) {
                problems.add("a message without content");
            }
            if (role.equals("user")) {
                if (!open.equals(answered)) {
                    problems.add("calls " + open + " got results " + answered);
                }
                open.clear();
            }
        }
    }

    private static void block(
            JsonNode block,
            JsonNode tools,
            Set<String> open,
            Set<String> seen,
            Set<String> answered,
            List<String> problems) {
        if (block.size() != 1) {
            problems.add("a block of several kinds: " + block.propertyNames());
        }
        switch (block.propertyNames().stream().findFirst().orElse("none")) {
            case "text" -> {
                if (text(block, "text").isBlank()) {
                    problems.add("an empty text");
                }
            }
            case "toolUse" -> {
                String id = text(block.path("toolUse"), "toolUseId");
                if (!id.matches("[A-Za-z0-9_-]{1,64}") || !seen.add(id)) {
                    problems.add("call id '" + id + "'");
                }
                if (!block.path("toolUse").path("input").isObject()
                        || elements(tools).isEmpty()) {
                    problems.add("a call without an object as input, or without tools");
                }
                open.add(id);
            }
            case "toolResult" -> answered.add(text(block.path("toolResult"), "toolUseId"));
            case "reasoningContent" -> {
                JsonNode thought = block.path("reasoningContent");
                if (text(thought.path("reasoningText"), "signature").isEmpty()
                        && text(thought, "redactedContent").isEmpty()) {
                    problems.add("thinking without a signature");
                }
            }
            case "image" -> {}
            default -> problems.add("a block " + block);
        }
    }
}
