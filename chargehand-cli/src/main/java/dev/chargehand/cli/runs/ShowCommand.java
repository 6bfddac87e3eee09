package dev.chargehand.cli.runs;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.output.RunLines;
import dev.chargehand.cli.output.Timeline;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.result.RunTimes;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.workflow.view.WorkflowLines;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.WorkflowEntry;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.view.WorkflowPicture;
import dev.chargehand.workflow.view.WorkflowProgress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand show}: shows the history of a run. */
@Command(
        name = "show",
        description = "Show what happened in a run and its nested runs.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand show run_q1w2e3",
            "  chargehand show run_q1w2e3 --events | jq -r .type",
            "  chargehand show run_q1w2e3 --mermaid"
        })
public final class ShowCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(paramLabel = "RUN", description = "The run.")
    private String run = "";

    @Option(names = "--events", description = "Print each event of the run as one line of JSON.")
    private boolean events;

    @Option(
            names = "--json",
            description = "Print the run, its tokens, its waiting calls and its events as one JSON object.")
    private boolean json;

    @Option(
            names = "--mermaid",
            description = "Print the picture of a workflow's run: a flowchart with the states of its steps, as text for"
                    + " Mermaid.")
    private boolean mermaid;

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    public ShowCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        if (Stream.of(events, json, mermaid).filter(form -> form).count() > 1) {
            throw new ConfigurationException(
                    "--events, --json and --mermaid are forms of the same; leave all but one of them out.");
        }
        try (Store store = stores.open(shell);
                AgentRuntime runtime =
                        AgentRuntime.builder().store(store).providers().build()) {
            RunRecord record = stores.find(store, run);
            TenantRuntime mine = stores.of(runtime);
            List<RunEvent> history = mine.history(record.runId());
            List<PendingApproval> pending = mine.handle(record.runId()).pendingApprovals();
            if (mermaid) {
                shell.out().print(picture(record, history));
            } else if (events) {
                history.forEach(event -> print(Visible.json(event.toJson().text())));
            } else if (json) {
                boolean abandoned = record.status() == RunStatus.RUNNING && !store.isAlive(record.owner());
                RunLines.Listed listed = new RunLines.Listed(
                        record,
                        stores.of(store).waiting(record.rootRunId()),
                        abandoned,
                        RunTimes.of(history, InstantSource.system().instant()));
                print(Visible.json(json(listed, pending, history).text()));
            } else {
                RunStory.lines(history, pending, stores.hints()).forEach(shell::say);
            }
            shell.out().flush();
            return ExitCode.COMPLETED;
        }
    }

    private static Json json(RunLines.Listed listed, List<PendingApproval> pending, List<RunEvent> history) {
        Map<String, Object> fields = new LinkedHashMap<>(RunLines.json(listed).fields());
        fields.put("pending", pending.stream().map(PendingApproval::toJson).toList());
        fields.put("tokens", new Timeline(history).tokens());
        List<Json> steps = WorkflowLines.json(WorkflowProgress.of(history));
        if (!steps.isEmpty()) {
            fields.put("steps", steps);
        }
        fields.put("events", history.stream().map(RunEvent::toJson).toList());
        return Json.of(fields);
    }

    /** The names of cases and the order of entries are in the definition only. */
    private String picture(RunRecord run, List<RunEvent> history) {
        AgentsFile file = stores.file(shell);
        WorkflowEntry entry = file.workflows().get(run.agentId());
        if (entry == null) {
            throw new ConfigurationException("--mermaid: run " + run.runId() + " is one of '" + run.agentId()
                    + "', which is not a workflow of " + file.name() + "."
                    + NameSuggestions.allowed(
                            "There are", run.agentId(), file.workflows().keySet())
                    + " Name the file that has it with --config.");
        }
        return WorkflowPicture.of(file.outline(entry)).with(history).mermaid();
    }

    private void print(String line) {
        shell.out().println(line);
    }
}
