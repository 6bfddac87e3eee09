package dev.chargehand.cli.setup;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.command.CommandDefinition;
import dev.chargehand.command.CommandTool;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.openapi.HttpApi;
import dev.chargehand.openapi.Operation;
import dev.chargehand.openapi.OperationTool;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Makes the tools that a file defines, and has what carries their calls. Close it after the last run. */
final class OwnTools implements AutoCloseable {

    private final Shell shell;
    private final AgentsFile file;
    private final Variables variables;
    private final HttpCalls http = new HttpCalls();

    OwnTools(Shell shell, AgentsFile file, Variables variables) {
        this.shell = shell;
        this.file = file;
        this.variables = variables;
    }

    /** Make a tool; nothing if the file does not define one of this name. */
    Optional<Tool> named(String name) {
        CommandDefinition command = file.commands().get(name);
        if (command != null) {
            return Optional.of(CommandTool.of(command, folder(command), shell.environment()));
        }
        for (HttpApi api : file.apis().values()) {
            for (Operation operation : api.operations()) {
                if (operation.name().equals(name)) {
                    return Optional.of(OperationTool.of(api, operation, variables, http));
                }
            }
        }
        return Optional.empty();
    }

    /** Return what is sent in headers and must not show anywhere else. */
    List<String> secrets() {
        return file.apis().values().stream()
                .flatMap(api -> api.headers().values().stream())
                .flatMap(header -> variables.used(header).stream())
                .distinct()
                .toList();
    }

    private Path folder(CommandDefinition command) {
        Setting named = command.folder();
        return named == null ? file.folder() : file.folder().resolve(named.text());
    }

    @Override
    public void close() {
        http.close();
    }
}
