package dev.chargehand.models.internal;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How a service is asked for reasoning, and gets that of earlier answers back. */
enum Thinking {

    /** OpenAI's own: a field, and nothing goes back; later models reason unasked. */
    OPENAI,

    /** The same field. */
    EFFORT,

    /** DeepSeek has the field, a switch for none, and rejects calls without the reasoning they came with. */
    DEEPSEEK,

    /** Moonshot has only the switch, and rejects calls without reasoning, or with an empty one. */
    MOONSHOT,

    /** OpenRouter has an object for all services, and wants their signed reasoning back. */
    OPENROUTER;

    /** The effort of no reasoning. */
    static final String NONE = "none";

    /** Write the effort that is asked for. */
    void effort(JsonGenerator json, String effort) {
        switch (this) {
            case OPENAI, EFFORT -> json.writeStringProperty("reasoning_effort", effort);
            case DEEPSEEK -> {
                if (effort.equals(NONE)) {
                    toggle(json, false);
                } else {
                    json.writeStringProperty("reasoning_effort", effort);
                }
            }
            case MOONSHOT -> toggle(json, !effort.equals(NONE));
            case OPENROUTER -> {
                json.writeObjectPropertyStart("reasoning");
                if (effort.chars().allMatch(Character::isDigit) && effort.length() < 7) {
                    json.writeNumberProperty("max_tokens", Integer.parseInt(effort));
                } else {
                    json.writeStringProperty("effort", effort);
                }
                json.writeEndObject();
            }
        }
    }

    private static void toggle(JsonGenerator json, boolean isOn) {
        json.writeObjectPropertyStart("thinking");
        json.writeStringProperty("type", isOn ? "enabled" : "disabled");
        json.writeEndObject();
    }

    /** Write the reasoning of an earlier answer as its fields. */
    void earlier(JsonGenerator json, Message answer, String model) {
        List<Part.Reasoning> parts = answer.partsOf(Part.Reasoning.class);
        Part.Reasoning reasoning = parts.isEmpty() ? new Part.Reasoning("") : parts.getFirst();
        switch (this) {
            case OPENAI, EFFORT -> {}
            case DEEPSEEK -> words(json, answer, reasoning, "");
            case MOONSHOT -> words(json, answer, reasoning, " ");
            case OPENROUTER -> {
                String details = details(reasoning.providerState(), model);
                if (details != null) {
                    json.writeName("reasoning_details");
                    json.writeRawValue(details);
                }
            }
        }
    }

    private static @Nullable String details(@Nullable String state, String model) {
        return state == null ? null : ReasoningDetails.of(state, model);
    }

    /** Write the words; what another provider signed is not a reasoning of this one. */
    private static void words(JsonGenerator json, Message answer, Part.Reasoning reasoning, String otherwise) {
        boolean isOurs = reasoning.providerState() == null && !reasoning.text().isBlank();
        if (isOurs || !answer.toolCalls().isEmpty()) {
            json.writeStringProperty("reasoning_content", isOurs ? reasoning.text() : otherwise);
        }
    }
}
