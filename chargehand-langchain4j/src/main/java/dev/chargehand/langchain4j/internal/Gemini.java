package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.Conversation.Said;
import dev.chargehand.langchain4j.internal.wire.AnswerEvents;
import dev.chargehand.langchain4j.internal.wire.Endpoint;
import dev.chargehand.langchain4j.internal.wire.Errors;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Google's generateContent for Gemini. */
public final class Gemini implements Protocol {

    /** Models that reason by a budget; later ones take a level. */
    private static final Pattern BY_BUDGET = Pattern.compile("gemini-2.*");

    private static final Map<String, Integer> BUDGETS =
            Map.of("none", 0, "minimal", 512, "low", 1024, "medium", 8192, "high", 24_576);

    /** Models that accept a schema together with tools, and require signatures with calls. */
    private static final Pattern THIRD_OR_LATER = Pattern.compile("gemini-([3-9]|[1-9][0-9]).*");

    /** What Google takes in place of a signature for calls that another model made. */
    private static final String NOT_SIGNED = "skip_thought_signature_validator";

    @Override
    public String provider() {
        return "gemini";
    }

    @Override
    public String baseUrl() {
        return "https://generativelanguage.googleapis.com/v1beta";
    }

    @Override
    public boolean needsKey() {
        return true;
    }

    @Override
    public Conversation.Rules rules() {
        return new Conversation.Rules(true, true, false);
    }

    @Override
    public ResponseFormat formatOf(String model) {
        if (THIRD_OR_LATER.matcher(model).matches()) {
            return ResponseFormat.ALWAYS;
        }
        return model.startsWith("gemini-2") ? ResponseFormat.WITHOUT_TOOLS : ResponseFormat.NEVER;
    }

    @Override
    public StreamingChatModel library(HttpClientBuilder http, Endpoint endpoint, String key, Outgoing outgoing) {
        return GoogleAiGeminiStreamingChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(endpoint.baseUrl().toString())
                .apiKey(key)
                .modelName(endpoint.model())
                .build();
    }

    @Override
    public void complete(ObjectNode body, Endpoint endpoint, Outgoing outgoing) {
        signatures(body, endpoint.model(), outgoing.conversation().said());
        resultsTogether(body);
        answersTogether(body);
        tools(body, outgoing);
        if (body.path("systemInstruction") instanceof ObjectNode instructions) {
            instructions.remove("role"); // which the library says is the model's
        }
        ObjectNode config = body.withObject("/generationConfig");
        config.remove(List.of("responseLogprobs", "enableEnhancedCivicAnswers"));
        if (outgoing.settings().seed() != null) {
            config.put("seed", outgoing.settings().seed());
        }
        String effort = outgoing.settings().reasoningEffort();
        if (effort != null) {
            thinking(config.putObject("thinkingConfig"), effort, endpoint.model());
        }
        if (outgoing.format() != null) {
            config.put("responseMimeType", "application/json");
            config.set(
                    "responseJsonSchema",
                    Trees.MAPPER.readTree(outgoing.format().json().text()));
        }
    }

    private static void thinking(ObjectNode config, String effort, String model) {
        boolean isNumber = effort.chars().allMatch(Character::isDigit) && effort.length() < 7;
        if (isNumber) {
            config.put("thinkingBudget", Integer.parseInt(effort));
        } else if (BY_BUDGET.matcher(model).matches()) {
            config.put("thinkingBudget", BUDGETS.getOrDefault(effort, BUDGETS.get("medium")));
        } else {
            // Later models cannot do without.
            config.put("thinkingLevel", effort.equals("none") ? "low" : effort);
        }
        config.put("includeThoughts", !effort.equals("none"));
    }

    /** Put back the signatures where they were: later models reject calls without them. */
    private static void signatures(ObjectNode body, String model, List<Said> said) {
        boolean demanded = THIRD_OR_LATER.matcher(model).matches();
        List<ObjectNode> contents = Trees.with(body.path("contents"), "role", "model");
        for (int i = 0; i < contents.size() && i < said.size(); i++) {
            Signatures kept = Signatures.of(said.get(i).providerState());
            JsonNode parts = contents.get(i).path("parts");
            int calls = said.get(i).calls().size();
            int call = 0;
            for (JsonNode each : parts) {
                ObjectNode part = (ObjectNode) each;
                if (part.has("functionCall")) {
                    String signature = kept.ofCall(call, calls);
                    if (signature.isEmpty() && call == 0 && demanded) {
                        signature = NOT_SIGNED;
                    }
                    put(part, signature);
                    call++;
                } else if (part.has("text")) {
                    put(part, kept.ofText(part.path("text").asString("")));
                }
            }
        }
    }

    private static void put(ObjectNode part, String signature) {
        if (!signature.isEmpty()) {
            part.put("thoughtSignature", signature);
        }
    }

    /** The library sends each result alone; Google wants all results of an answer's calls in one piece. */
    private static void resultsTogether(ObjectNode body) {
        List<JsonNode> together = new ArrayList<>();
        ArrayNode results = null;
        for (JsonNode content : body.path("contents")) {
            boolean isResult = content.path("parts").path(0).has("functionResponse");
            if (isResult && results != null) {
                results.addAll((ArrayNode) content.path("parts"));
                continue;
            }
            results = isResult ? (ArrayNode) content.path("parts") : null;
            together.add(content);
        }
        body.putArray("contents").addAll(together);
    }

    /** A call has to come right after the user's words or results, so an answer before it is part of its message. */
    private static void answersTogether(ObjectNode body) {
        List<JsonNode> together = new ArrayList<>();
        ArrayNode words = null;
        for (JsonNode content : body.path("contents")) {
            boolean isAnswer = content.path("role").asString("").equals("model");
            if (isAnswer && words != null) {
                words.addAll((ArrayNode) content.path("parts"));
            } else {
                together.add(content);
                words = isAnswer ? (ArrayNode) content.path("parts") : null;
            }
        }
        body.putArray("contents").addAll(together);
    }

    private static void tools(ObjectNode body, Outgoing outgoing) {
        JsonNode declarations = body.path("tools").path(0).path("functionDeclarations");
        for (ToolDefinition tool : outgoing.tools()) {
            for (ObjectNode each : Trees.with(declarations, "name", tool.name())) {
                each.remove("parameters");
                each.set(
                        "parametersJsonSchema",
                        Trees.MAPPER.readTree(tool.input().json().text()));
            }
        }
        if (outgoing.mustCall()) {
            ObjectNode calling =
                    body.withObject("/toolConfig/functionCallingConfig").put("mode", "ANY");
            if (outgoing.request().toolChoice() instanceof ToolChoice.Named named) {
                calling.putArray("allowedFunctionNames").add(named.toolName());
            }
        }
    }

    @Override
    public AnswerEvents events(ResponseBuilder answer, Errors errors) {
        return new GeminiEvents(answer, errors);
    }
}
