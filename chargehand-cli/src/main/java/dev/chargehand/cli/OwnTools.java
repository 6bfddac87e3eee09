package dev.chargehand.cli;

import dev.chargehand.cli.command.CommandTool;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.CommandEntry;
import dev.chargehand.cli.config.OpenApiEntry;
import dev.chargehand.cli.config.OperationEntry;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.cli.http.HttpTool;
import dev.chargehand.models.internal.HttpTools;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Makes the tools that a file defines, and has what carries their calls. Close it after the last run. */
final class OwnTools implements AutoCloseable {

    private final Shell shell;
    private final AgentsFile file;
    private final Variables variables;
    private final HttpTools http = new HttpTools();

    OwnTools(Shell shell, AgentsFile file, Variables variables) {
        this.shell = shell;
        this.file = file;
        this.variables = variables;
    }

    /** Makes a tool; nothing if the file does not define one of this name. */
    Optional<Tool> named(String name) {
        CommandEntry command = file.commands().get(name);
        if (command != null) {
            return Optional.of(CommandTool.of(command, folder(command), shell.environment()));
        }
        for (OpenApiEntry api : file.apis().values()) {
            for (OperationEntry operation : api.operations()) {
                if (operation.name().equals(name)) {
                    return Optional.of(HttpTool.of(api, operation, variables, http));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns what is sent in headers and must not show anywhere else. */
    List<String> secrets() {
        return file.apis().values().stream()
                .flatMap(api -> api.headers().values().stream())
                .flatMap(header -> variables.used(header).stream())
                .distinct()
                .toList();
    }

    private Path folder(CommandEntry command) {
        Setting named = command.folder();
        return named == null ? file.folder() : file.folder().resolve(named.text());
    }

    @Override
    public void close() {
        http.close();
    }
}
