package dev.chargehand.testkit.model;

import static dev.chargehand.testkit.model.Texts.elements;
import static dev.chargehand.testkit.model.Texts.object;
import static dev.chargehand.testkit.model.Texts.sse;
import static dev.chargehand.testkit.model.Texts.text;

import dev.chargehand.model.FinishReason;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.TokenUsage;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Gemini's streamGenerateContent as server-sent events. */
final class GeminiWire implements TextWire {

    @Override
    public Set<Capability> can() {
        Set<Capability> can = EnumSet.allOf(Capability.class);
        can.removeAll(Set.of(Capability.PARTIAL_ARGUMENTS, Capability.CALL_IDS, Capability.IMAGE_URLS));
        return can;
    }

    @Override
    public String baseUrl(LoopbackProvider provider) {
        return "http://127.0.0.1:" + provider.port() + "/v1beta";
    }

    @Override
    public String mediaType() {
        return "text/event-stream";
    }

    @Override
    public List<String> textEvents(WireAnswer answer) {
        List<String> events = new ArrayList<>();
        for (String delta : answer.reasoning()) {
            events.add(event(object().put("text", delta).put("thought", true), null, answer.usage()));
        }
        for (String delta : answer.text()) {
            events.add(event(object().put("text", delta), null, answer.usage()));
        }
        boolean first = true;
        for (FunctionCall call : answer.calls()) {
            ObjectNode part = object();
            ObjectNode made = part.putObject("functionCall").put("name", call.name());
            made.set("args", Texts.arguments(call.arguments()));
            if (first && !answer.signature().isEmpty()) {
                part.put("thoughtSignature", answer.signature());
            }
            first = false;
            events.add(event(part, null, answer.usage()));
        }
        FinishReason finish = answer.finish();
        if (finish != null) {
            events.add(event(object().put("text", ""), reason(finish), answer.usage()));
        }
        return events;
    }

    private static String event(ObjectNode part, @Nullable String finish, TokenUsage usage) {
        ObjectNode event = object();
        ObjectNode candidate = event.putArray("candidates").addObject();
        ObjectNode content = candidate.putObject("content").put("role", "model");
        content.putArray("parts").add(part);
        candidate.put("index", 0);
        if (finish != null) {
            candidate.put("finishReason", finish);
        }
        ObjectNode counts = event.putObject("usageMetadata")
                .put("promptTokenCount", usage.input())
                .put("candidatesTokenCount", usage.output() - usage.reasoning())
                .put("totalTokenCount", usage.input() + usage.output());
        if (usage.reasoning() > 0) {
            counts.put("thoughtsTokenCount", usage.reasoning());
        }
        if (usage.cachedInput() > 0) {
            counts.put("cachedContentTokenCount", usage.cachedInput());
        }
        event.put("modelVersion", "gemini").put("responseId", "r1");
        return sse(event);
    }

    private static String reason(FinishReason finish) {
        return switch (finish) {
            case STOP, TOOL_CALLS -> "STOP";
            case LENGTH -> "MAX_TOKENS";
            case CONTENT_FILTER -> "SAFETY";
            case UNKNOWN, MISSING -> "SOMETHING_NEW";
        };
    }

    @Override
    public String textEvent(String data) {
        return "data: " + data + "\n\n";
    }

    @Override
    public String error(Trouble trouble, String message) {
        String status =
                switch (trouble) {
                    case OVERLOADED -> "UNAVAILABLE";
                    case RATE_LIMIT -> "RESOURCE_EXHAUSTED";
                    case INVALID_REQUEST -> "INVALID_ARGUMENT";
                    case AUTHENTICATION -> "UNAUTHENTICATED";
                };
        ObjectNode error = object();
        error.putObject("error")
                .put("code", trouble.status())
                .put("message", message)
                .put("status", status);
        return error.toString();
    }

    @Override
    public String instructions(ReceivedRequest request) {
        return Texts.texts(
                Texts.MAPPER.readTree(request.body()).path("systemInstruction").path("parts"));
    }

    @Override
    public List<String> problems(ReceivedRequest request) {
        List<String> problems = new ArrayList<>();
        JsonNode body = Texts.MAPPER.readTree(request.body());
        if (!request.path().matches("/v1beta/models/[^/]+:streamGenerateContent\\?alt=sse")) {
            problems.add("path " + request.path());
        }
        if (request.header("x-goog-api-key").isEmpty()) {
            problems.add("no key");
        }
        List<JsonNode> contents = elements(body.path("contents"));
        if (contents.isEmpty() || !text(contents.getFirst(), "role").equals("user")) {
            problems.add("the first content is not the user's");
        }
        int open = 0;
        for (JsonNode content : contents) {
            List<JsonNode> parts = elements(content.path("parts"));
            long calls = parts.stream().filter(part -> part.has("functionCall")).count();
            long results =
                    parts.stream().filter(part -> part.has("functionResponse")).count();
            if (open != results) {
                problems.add(open + " function calls are followed by " + results + " responses");
            }
            if (parts.isEmpty()) {
                problems.add("a content without parts");
            }
            open = (int) calls;
        }
        if (open > 0) {
            problems.add(open + " function calls have no response");
        }
        for (JsonNode tool : elements(body.path("tools"))) {
            for (JsonNode declaration : elements(tool.path("functionDeclarations"))) {
                if (declaration.has("parameters") && declaration.has("parametersJsonSchema")) {
                    problems.add("two schemas for " + text(declaration, "name"));
                }
            }
        }
        return problems;
    }
}
