package dev.chargehand.config.internal.file;

import dev.chargehand.config.internal.key.StructuredOutputKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.StructuredOutput.OnInvalid;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent's answer is to be.
 *
 * @param at where it is given
 * @param output the schema, and how an answer is handled that does not fit it
 * @param structuredBy the models that make the object of the agent's text; empty if its own model writes it
 */
public record StructuredOutputEntry(Position at, StructuredOutput output, List<Setting> structuredBy) {

    public StructuredOutputEntry {
        structuredBy = List.copyOf(structuredBy);
    }

    /** Read the value of an agent; null if it has none, or an invalid one. */
    static @Nullable StructuredOutputEntry of(String id, Section agent) {
        if (!agent.has("structuredOutput")) {
            return null;
        }
        Mistakes mistakes = agent.mistakes();
        Section section = agent.section("structuredOutput", "'structuredOutput' of agent '" + id + "'")
                .allowing(StructuredOutputKeys.SECTION.names());
        if (agent.isSection("structuredOutput") && !section.has("schema")) {
            mistakes.add(
                    agent.at("structuredOutput"),
                    "'structuredOutput' of agent '" + id
                            + "' needs 'schema': the JSON schema that its answer must fit, written as keys and values.");
        }
        OnInvalid onInvalid = StructuredOutputKeys.ON_INVALID.in(section);
        if (section.has("onInvalid") && section.has("fallback")) {
            mistakes.add(
                    section.at("onInvalid"),
                    "'onInvalid' of 'structuredOutput' of agent '" + id
                            + "' has no meaning together with 'fallback', which replaces an answer that does not fit."
                            + " Leave one of them out.");
        }
        Optional<JsonSchema> schema = section.schema("schema");
        Optional<Json> fallback = section.json("fallback");
        List<Setting> models = section.oneOrMore("structuredBy");
        return schema.map(wanted -> output(mistakes, section, wanted, onInvalid == OnInvalid.WARN, fallback))
                .map(output -> new StructuredOutputEntry(agent.at("structuredOutput"), output, models))
                .orElse(null);
    }

    private static @Nullable StructuredOutput output(
            Mistakes mistakes, Section section, JsonSchema schema, boolean warn, Optional<Json> fallback) {
        StructuredOutput output = StructuredOutput.of(schema);
        try {
            return fallback.map(output::fallback).orElse(warn ? output.warn() : output);
        } catch (ConfigurationException e) {
            mistakes.add(section.at("fallback"), e.getMessage());
            return null;
        }
    }

    /** Return whether a run ends without an answer if it does not fit. */
    public boolean isStrict() {
        return output.onInvalid() == OnInvalid.STRICT;
    }

    /** Return it with the models that make the object, by their whole names. */
    public StructuredOutput by(List<String> models) {
        return output.structuredBy(models.toArray(String[]::new));
    }
}
