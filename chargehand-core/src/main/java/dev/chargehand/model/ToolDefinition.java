package dev.chargehand.model;

import dev.chargehand.json.JsonSchema;

/**
 * A tool as a model sees it.
 *
 * @param name what the model writes to call it
 * @param description when and how to use it
 * @param input the schema of its arguments
 */
public record ToolDefinition(String name, String description, JsonSchema input) {}
