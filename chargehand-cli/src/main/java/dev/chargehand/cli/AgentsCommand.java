package dev.chargehand.cli;

import dev.chargehand.cli.output.AgentLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.FileOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.CrewModels;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand agents}: shows who delegates to whom. */
@Command(
        name = "agents",
        description = "Show the agents of a file: who delegates to whom, with which models and tools.",
        optionListHeading = "%nOptions:%n",
        footer = {"", "Examples:", "  chargehand agents", "  chargehand agents --json | jq -r .id"})
final class AgentsCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private FileOptions files = new FileOptions();

    @Option(names = "--json", description = "Print each as one line of JSON.")
    private boolean json;

    AgentsCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        files.begin();
        AgentsFile file = files.file(shell);
        try (CrewModels models = new CrewModels(file, shell.environment())) {
            AgentLines lines = new AgentLines(file, models::of);
            if (json) {
                lines.json().forEach(agent -> shell.out().println(Visible.json(agent.text())));
            } else {
                lines.tree().forEach(shell::say);
            }
        }
        shell.out().flush();
        return ExitCode.COMPLETED;
    }
}
