package dev.chargehand.cli.workflow;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.cli.runs.ForegroundRun;
import dev.chargehand.cli.runs.WatchOptions;
import dev.chargehand.cli.runs.WorkOptions;
import dev.chargehand.cli.setup.RunRoot;
import dev.chargehand.cli.setup.SearchTally;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.GivenJson;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.WorkflowEntry;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand workflow run}: runs a workflow of the file on an input. */
@Command(
        name = "run",
        description = "Run a workflow on an input and print its output.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Progress goes to standard error, the output to standard output, as JSON. The run is stored.",
            "",
            "Examples:",
            "  chargehand workflow run letters '{\"text\": \"Where is my order?\"}'",
            "  chargehand workflow run letters --input letter.json",
            "  jq -n '{text: $t}' --arg t \"$LETTER\" | chargehand workflow run letters -"
        })
final class WorkflowRunCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The id of the workflow.")
    private String id = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "INPUT",
            description = "Its input as JSON, or - to read it from standard input. Default: {}.")
    private @Nullable String input;

    @Option(names = "--input", paramLabel = "FILE", description = "Read the input from this file.")
    private @Nullable Path inputFile;

    @Option(
            names = "--no-wait",
            description = "Leave the run suspended when it waits for a time; 'chargehand resume' continues it then.")
    private boolean noWait;

    @Mixin
    private WorkOptions work = new WorkOptions();

    WorkflowRunCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        work.begin();
        AgentsFile file = work.file(shell);
        WorkflowEntry entry = file.workflow(Workspace.option("WORKFLOW", id));
        Json value = input();
        try (Workspace workplace = work.workplace(shell, file)) {
            Workflow<Json, Json> workflow = workplace.crew().workflow(entry);
            RunRoot root = RunRoot.of(workflow, workplace.crew()::setOptions);
            Wakeups wakeups = noWait ? Wakeups.off() : Wakeups.own();
            try (AgentRuntime runtime = workplace.runtime(work.open(shell, file, true), root, wakeups)) {
                TenantRuntime mine = work.tenant().of(runtime);
                WatchOptions watching = work.watching();
                ForegroundRun foreground = new ForegroundRun(
                        shell,
                        mine,
                        runtime::close,
                        workplace.showIndexing(watching.output(shell, root, Summary.OF_RUN)),
                        shell.user().isBlank() ? null : watching.dialogue(shell, null),
                        work.hints());
                SearchTally searches = new SearchTally();
                int code = foreground.run(showing -> mine.start(workflow, value, options -> {
                    set(workplace, options);
                    showing.accept(options);
                    options.addListener(searches);
                }));
                return code == ExitCode.COMPLETED ? searches.code(shell::note) : code;
            }
        }
    }

    private void set(Workspace workplace, RunOptions.Builder options) {
        workplace.crew().setOptions(options);
        work.requester(shell, options);
    }

    private Json input() {
        if (input != null && inputFile != null) {
            throw new ConfigurationException("INPUT and --input are two inputs; leave one of them out.");
        }
        try {
            if (inputFile != null) {
                return GivenJson.of(
                        "--input " + inputFile, Files.readString(shell.folder().resolve(inputFile)));
            }
            if (input != null && input.equals("-")) {
                return GivenJson.of("standard input", new String(shell.in().readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            String from = inputFile == null ? "Standard input" : "--input " + inputFile;
            throw new ConfigurationException(
                    from + " cannot be read as UTF-8 text (" + e.getClass().getSimpleName() + ").", e);
        }
        return input == null ? Json.parse("{}") : GivenJson.of("INPUT", input);
    }
}
