package dev.chargehand.cli.workflow;

import dev.chargehand.cli.output.Table;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.FileOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.workflow.view.WorkflowLines;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand workflow list}: lists the workflows of a file. */
@Command(
        name = "list",
        description = "List the workflows of a file.",
        optionListHeading = "%nOptions:%n",
        footer = {"", "Examples:", "  chargehand workflow list", "  chargehand workflow list --json | jq -r .id"})
final class WorkflowListCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private FileOptions files = new FileOptions();

    @Option(names = "--json", description = "Print each as one line of JSON.")
    private boolean json;

    WorkflowListCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        files.begin();
        AgentsFile file = files.file(shell);
        List<Workflow<?, ?>> workflows = file.workflows().values().stream()
                .<Workflow<?, ?>>map(file::outline)
                .toList();
        if (json) {
            workflows.forEach(workflow -> shell.out()
                    .println(Visible.json(WorkflowLines.json(workflow).text())));
        } else {
            Table.lines(workflows.stream().map(WorkflowLines::row).toList()).forEach(shell::say);
        }
        if (workflows.isEmpty()) {
            shell.note(file.name() + " has no workflows. Add them below the key 'workflows' (docs/workflows.md).");
        }
        shell.out().flush();
        return ExitCode.COMPLETED;
    }
}
