package dev.chargehand.langchain4j.foreign;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the server streams to a model's requests of one kind, in the words of its control API. */
final class Answer {

    private final String model;
    private final Map<String, Object> when = new LinkedHashMap<>();
    private final Map<String, Object> completion = new LinkedHashMap<>(Map.of("streaming", true, "stopReason", "stop"));

    private String protocol = "OPENAI";
    private String path = "/v1/chat/completions";
    private boolean modelInBody = true;

    private Answer(String model) {
        this.model = model;
    }

    static Answer of(String model) {
        return new Answer(model);
    }

    /** In another protocol, by the name the server has for it, to requests for a path. */
    Answer in(String otherProtocol, String otherPath) {
        protocol = otherProtocol;
        path = otherPath;
        modelInBody = !otherPath.contains(model);
        completion.put("stopReason", words("stop"));
        return this;
    }

    /** The server writes a reason as it is told it. */
    private String words(String reason) {
        if (!protocol.equals("ANTHROPIC")) {
            return reason;
        }
        return reason.equals("stop") ? "end_turn" : "tool_use";
    }

    /** Only to a conversation in which the model has not spoken yet. */
    Answer first() {
        when.put("turnIndex", 0);
        return this;
    }

    /** Only to a conversation that has a call of this tool and, under the call's id, its result. */
    Answer afterResultOf(String tool) {
        when.put("containsToolResultFor", tool);
        return this;
    }

    /** Only to a conversation whose last message has this text in it. */
    Answer whenLast(String text) {
        when.put("latestMessageContains", text);
        return this;
    }

    Answer says(String text) {
        completion.put("text", text);
        return this;
    }

    /** One call for each pair of a tool's name and arguments; the server makes up the ids. */
    Answer calls(String... namesAndArguments) {
        List<Map<String, String>> calls = new ArrayList<>();
        for (int i = 0; i < namesAndArguments.length; i += 2) {
            calls.add(Map.of("name", namesAndArguments[i], "arguments", namesAndArguments[i + 1]));
        }
        completion.put("toolCalls", calls);
        completion.put("stopReason", words("tool_calls"));
        return this;
    }

    /** One delegation for each pair of a tool's name and a prompt. */
    Answer delegates(String... toolsAndPrompts) {
        String[] calls = toolsAndPrompts.clone();
        for (int i = 1; i < calls.length; i += 2) {
            calls[i] = "{\"prompt\": \"" + calls[i] + "\"}";
        }
        return calls(calls);
    }

    /** As slowly as the server can: a word a second. */
    Answer slowly() {
        completion.put("streamingPhysics", Map.of("tokensPerSecond", 1));
        return this;
    }

    Map<String, Object> expectation() {
        Map<String, Object> request = new LinkedHashMap<>(Map.of("method", "POST", "path", path));
        if (modelInBody) {
            request.put(
                    "body",
                    Map.of("type", "JSON", "json", Map.of("model", model), "matchType", "ONLY_MATCHING_FIELDS"));
        }
        return Map.of(
                "httpRequest",
                request,
                "httpLlmResponse",
                Map.of("provider", protocol, "model", model, "conversationPredicates", when, "completion", completion));
    }
}
