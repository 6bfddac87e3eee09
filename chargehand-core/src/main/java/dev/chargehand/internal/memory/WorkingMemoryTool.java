package dev.chargehand.internal.memory;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.internal.state.value.MergePatch;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailureException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tool with which a model changes its working memory. A call that is repeated after a crash changes nothing again. */
final class WorkingMemoryTool {

    private static final JsonSchema EDITS = JsonSchema.of(Json.parse("""
            {"type": "object", "additionalProperties": false, "required": ["edits"], "properties": {
              "edits": {"type": "array", "minItems": 1, "maxItems": 100, "items": {
                "type": "object", "additionalProperties": false, "required": ["find", "write"], "properties": {
                  "find": {"type": "string", "description":
                    "A text that occurs in the working memory exactly once; empty to add at its end"},
                  "write": {"type": "string", "description": "The replacement"}}}}}}"""));

    private static final JsonSchema PATCH = JsonSchema.of(Json.parse("""
            {"type": "object", "additionalProperties": false, "required": ["changes"], "properties": {
              "changes": {"type": "object", "description":
                "A JSON merge patch: only the keys that change, null for a key to delete; lists are replaced"}}}"""));

    private static final JsonSchema WHOLE = JsonSchema.of(Json.parse("""
            {"type": "object", "additionalProperties": false, "required": ["text"], "properties": {
              "text": {"type": "string", "description":
                "The whole working memory, in Markdown; what is missing in it is deleted"}}}"""));

    private final WorkingMemory memory;
    private final WorkingMemoryTexts texts;

    /**
     * Make it for a run.
     *
     * @param texts the working memory
     */
    WorkingMemoryTool(WorkingMemory memory, WorkingMemoryTexts texts) {
        this.memory = memory;
        this.texts = texts;
    }

    /** Make the tool. */
    Tool tool() {
        return Tool.builder(
                        WorkingMemory.TOOL,
                        "Change your working memory" + how() + " Use it when you learn something that belongs there.")
                .input(input())
                .repeatable()
                .handler(this::update)
                .build();
    }

    private String how() {
        String byText =
                memory.isWholeText() ? ": write its whole text again, with what is to stay." : " by edits of its text.";
        return memory.schema()
                .map(schema -> ", a JSON object that fits this schema: "
                        + schema.json().text() + ".")
                .orElse(byText);
    }

    private JsonSchema input() {
        return memory.schema().isPresent() ? PATCH : memory.isWholeText() ? WHOLE : EDITS;
    }

    private Map<String, Object> update(Json arguments, ToolContext context) {
        String key = context.runId().value() + "/" + context.idempotencyKey();
        try {
            return stored(texts.changed(text -> edited(text, arguments), key, context.runId())
                    .revision());
        } catch (ConfigurationException | MemoryException e) {
            throw new ToolFailureException("Nothing was changed. " + e.getMessage(), e);
        }
    }

    /** The result determines the event of the edit, {@link dev.chargehand.event.RunEvent.WorkingMemoryUpdate}. */
    private Map<String, Object> stored(long revision) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("message", "Stored as revision " + revision + ".");
        result.put("revision", revision);
        result.put("scope", memory.scope().name().toLowerCase(Locale.ROOT));
        return result;
    }

    private String edited(String text, Json arguments) {
        return memory.schema()
                .map(schema -> patched(schema, text, arguments))
                .orElseGet(() -> memory.isWholeText()
                        ? whole(arguments)
                        : TemplateEdits.of(arguments).appliedTo(text));
    }

    private static String whole(Json arguments) {
        return arguments.at("/text").flatMap(Json::string).orElseThrow();
    }

    private static String patched(JsonSchema schema, String text, Json arguments) {
        Json changes = arguments.at("/changes").orElseThrow();
        Json patched = MergePatch.applied(object(text), changes);
        List<String> violations = schema.violations(patched);
        if (!violations.isEmpty()) {
            throw new ToolFailureException(
                    "Nothing was changed: the result does not fit the schema: " + String.join("; ", violations) + ".");
        }
        return patched.text();
    }

    /** Read the object; another text, such as that of an earlier template, does not keep the model from writing one. */
    private static Json object(String text) {
        try {
            return Json.parse(text);
        } catch (InvalidJsonException e) {
            return Json.of(Map.of());
        }
    }
}
