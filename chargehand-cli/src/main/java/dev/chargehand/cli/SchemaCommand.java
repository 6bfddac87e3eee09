package dev.chargehand.cli;

import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFileSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code chargehand schema}: prints the JSON Schema of the agents' file. */
@Command(
        name = "schema",
        description = "Print the JSON Schema of chargehand.yaml, with which editors complete and check the file.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand schema > chargehand.schema.json",
            "  and at the top of chargehand.yaml:",
            "  # yaml-language-server: $schema=chargehand.schema.json"
        })
final class SchemaCommand implements Callable<Integer> {

    private final Shell shell;

    SchemaCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        shell.out().print(AgentsFileSchema.text());
        shell.out().flush();
        return ExitCode.COMPLETED;
    }
}
