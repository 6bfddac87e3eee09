package dev.chargehand.config.internal.crew;

import dev.chargehand.command.CommandTool;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.tool.Tool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the tools that a file defines, and holds the client of their calls. Close it after the last run. */
public final class OwnTools implements AutoCloseable {

    private final Function<String, @Nullable String> environment;
    private final FileDefinition file;
    private final HttpCalls http = new HttpCalls();
    private final Map<String, List<Tool>> operations = new HashMap<>();

    public OwnTools(Function<String, @Nullable String> environment, FileDefinition file) {
        this.environment = environment;
        this.file = file;
    }

    /** Make a tool; nothing if the file does not define one of this name. */
    Optional<Tool> named(String name) {
        CommandTool command = file.commands().get(name);
        if (command != null) {
            return Optional.of(command.tool(environment));
        }
        return file.apis().values().stream()
                .filter(api -> api.operations().stream()
                        .anyMatch(operation -> operation.name().equals(name)))
                .findFirst()
                .map(api -> called(name, operations.computeIfAbsent(api.name(), unused -> tools(api))));
    }

    private List<Tool> tools(OpenApiTools api) {
        return api.tools(http, environment);
    }

    private static Tool called(String name, List<Tool> tools) {
        return tools.stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Return the secrets that are sent in headers and queries and must not appear anywhere else. */
    public List<String> secrets() {
        return file.apis().values().stream()
                .flatMap(api -> api.secrets(environment).stream())
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        http.close();
    }
}
