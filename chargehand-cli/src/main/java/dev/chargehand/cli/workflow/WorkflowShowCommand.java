package dev.chargehand.cli.workflow;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.FileOptions;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.workflow.view.WorkflowLines;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.WorkflowPicture;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand workflow show}: shows the definition of a workflow. */
@Command(
        name = "show",
        description = "Show a workflow of a file: its steps and schemas, or its picture.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "'chargehand show RUN' shows a run of it, also as a picture.",
            "",
            "Examples:",
            "  chargehand workflow show letters",
            "  chargehand workflow show letters --mermaid > letters.mmd"
        })
final class WorkflowShowCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(paramLabel = "WORKFLOW", description = "The id of the workflow.")
    private String id = "";

    @Option(names = "--mermaid", description = "Print the picture: a flowchart as text for Mermaid.")
    private boolean mermaid;

    @Option(names = "--json", description = "Print it as one JSON object, with its schemas and its picture.")
    private boolean json;

    @Mixin
    private FileOptions files = new FileOptions();

    WorkflowShowCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        files.begin();
        if (mermaid && json) {
            throw new ConfigurationException("--json has the picture too; leave --mermaid out.");
        }
        AgentsFile file = files.file(shell);
        Workflow<Json, Json> workflow = file.outline(file.workflow(Workspace.option("WORKFLOW", id)));
        if (mermaid) {
            shell.out().print(WorkflowPicture.of(workflow).mermaid());
        } else if (json) {
            shell.out().println(Visible.json(WorkflowLines.json(workflow).text()));
        } else {
            WorkflowLines.of(workflow).forEach(shell::say);
        }
        shell.out().flush();
        return ExitCode.COMPLETED;
    }
}
