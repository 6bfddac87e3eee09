package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.AnswerEvents;
import dev.chargehand.langchain4j.internal.wire.Errors;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.FinishReason;
import dev.chargehand.provider.stream.CallFragment;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.chargehand.provider.stream.TokenCount;
import dev.chargehand.run.Usage;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads Gemini's events, each of which is a piece of the answer in the form of a whole one. */
final class GeminiEvents implements AnswerEvents {

    /** What the model wrote and Google could not read as a call: another attempt often can be read. */
    private static final Set<String> BROKEN_CALLS =
            Set.of("MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL");

    private final ResponseBuilder answer;
    private final Errors errors;
    private final Signatures signatures = new Signatures();
    private int calls;

    GeminiEvents(ResponseBuilder answer, Errors errors) {
        this.answer = answer;
        this.errors = errors;
    }

    @Override
    public boolean accept(JsonNode event) {
        usage(event.path("usageMetadata"));
        if (event.path("promptFeedback").has("blockReason")) {
            answer.begin();
            answer.finish(FinishReason.CONTENT_FILTER);
            return false;
        }
        JsonNode candidate = event.path("candidates").path(0);
        if (candidate.isObject()) {
            answer.begin();
            candidate.path("content").path("parts").forEach(this::part);
        }
        String reason = candidate.path("finishReason").asString("");
        if (reason.isEmpty()) {
            return true;
        }
        if (BROKEN_CALLS.contains(reason)) {
            throw errors.reported(reason, candidate.path("finishMessage").asString(""));
        }
        answer.finish(finish(reason));
        return false;
    }

    private void part(JsonNode part) {
        String text = part.path("text").asString("");
        String signature = part.path("thoughtSignature").asString("");
        JsonNode call = part.path("functionCall");
        if (call.isObject()) {
            JsonNode arguments = call.path("args");
            answer.call(new CallFragment(
                    calls++,
                    call.path("id").asString(""),
                    call.path("name").asString(""),
                    arguments.isObject() ? arguments.toString() : "{}"));
            signatures.addCall(signature);
        } else if (part.path("thought").asBoolean(false)) {
            answer.reasoning(text);
        } else {
            answer.text(text);
            signatures.addText(text);
            if (!signature.isEmpty()) {
                signatures.signText(signature);
            }
        }
    }

    private FinishReason finish(String reason) {
        return switch (reason) {
            case "STOP" -> calls > 0 ? FinishReason.TOOL_CALLS : FinishReason.STOP;
            case "MAX_TOKENS" -> FinishReason.LENGTH;
            case "SAFETY",
                    "RECITATION",
                    "LANGUAGE",
                    "BLOCKLIST",
                    "PROHIBITED_CONTENT",
                    "SPII",
                    "IMAGE_SAFETY",
                    "IMAGE_PROHIBITED_CONTENT",
                    "IMAGE_RECITATION" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.UNKNOWN;
        };
    }

    /** Its count of the answer is without the reasoning. */
    private void usage(JsonNode usage) {
        if (usage.isObject()) {
            long thoughts = count(usage, "thoughtsTokenCount");
            answer.usage(new Usage(
                    TokenCount.sum(count(usage, "promptTokenCount"), count(usage, "toolUsePromptTokenCount")),
                    TokenCount.sum(count(usage, "candidatesTokenCount"), thoughts),
                    count(usage, "cachedContentTokenCount"),
                    thoughts));
        }
    }

    private static long count(JsonNode usage, String field) {
        return Trees.count(usage, field, 0);
    }

    @Override
    public @Nullable String state() {
        return signatures.state();
    }
}
