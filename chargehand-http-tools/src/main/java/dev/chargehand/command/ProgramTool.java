package dev.chargehand.command;

import dev.chargehand.command.CommandDefinition.Argument;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the tool that runs a program. */
final class ProgramTool {

    private ProgramTool() {}

    static Tool of(CommandDefinition entry, Function<String, @Nullable String> environment) {
        CommandWords words = new CommandWords(entry);
        Program program = new Program(entry.folder(), ProgramEnvironment.of(entry, environment), entry.maxOutput());
        Tool.Builder<Json> builder = Tool.builder(entry.name(), entry.description())
                .input(schema(entry))
                .timeout(entry.timeout())
                .handler((arguments, context) -> run(program, words.with(arguments)));
        if (entry.approval()) {
            builder.requiresApproval();
        }
        if (entry.repeatable()) {
            builder.repeatable();
        }
        if (entry.polling()) {
            builder.polling();
        }
        return builder.build();
    }

    private static Map<String, Object> run(Program program, List<String> words) throws InterruptedException {
        Program.Ended ended = program.run(words);
        if (ended.exitCode() != 0) {
            throw new ToolFailureException("'" + words.getFirst() + "' ended with exit code " + ended.exitCode()
                    + " and said: " + ended.output());
        }
        return Map.of("output", ended.output());
    }

    private static JsonSchema schema(CommandDefinition entry) {
        Map<String, Object> properties = new LinkedHashMap<>();
        entry.arguments().forEach((name, argument) -> properties.put(name, schema(argument)));
        List<String> required = entry.arguments().entrySet().stream()
                .filter(argument -> argument.getValue().byDefault() == null)
                .map(Map.Entry::getKey)
                .toList();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        schema.put("additionalProperties", false);
        return JsonSchema.of(Json.of(schema));
    }

    private static Map<String, Object> schema(Argument argument) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", argument.type().schema());
        schema.put("description", argument.description());
        if (!argument.values().isEmpty()) {
            schema.put("enum", argument.values());
        }
        return schema;
    }
}
