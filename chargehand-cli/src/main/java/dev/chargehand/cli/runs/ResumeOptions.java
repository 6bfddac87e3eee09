package dev.chargehand.cli.runs;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.RunRoot;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that resumes a stored run. */
final class ResumeOptions {

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    @Option(names = "--as", paramLabel = "WHO", description = "The name of the approver. Default: your user name.")
    private @Nullable String as;

    @Option(
            names = {"-m", "--model"},
            paramLabel = "NAME",
            description = "The model of all agents from now on: provider/name, or offline.")
    private @Nullable String model;

    @Option(
            names = {"-d", "--docs"},
            paramLabel = "DIR",
            description = "The folder for the tool search-files.")
    private @Nullable Path docs;

    @Option(
            names = "--no-wait",
            description = "Leave the run suspended when it waits for a time; 'chargehand resume' continues it then.")
    private boolean noWait;

    @Mixin
    private WatchOptions watching = new WatchOptions();

    /** A stored run with everything that is required to resume it. */
    record Taken(RunRecord run, TenantRuntime runtime, ForegroundRun foreground, Hints hints) {}

    /** Does something with a run. */
    @FunctionalInterface
    interface Action {

        /** Return the exit code. */
        int with(Taken taken);
    }

    /** Find a run, prepare its agent, and pass both to an action. */
    int take(Shell shell, String id, Action action) {
        stores.begin();
        try (Store store = stores.open(shell)) {
            RunRecord run = stores.find(store, id);
            AgentsFile file = stores.file(shell);
            try (Workspace workplace = Workspace.of(shell, file, model, docs)) {
                RunRoot root = workplace.root(file, run.agentId()).orElseThrow(() -> missing(run, file));
                Wakeups wakeups = noWait ? Wakeups.off() : Wakeups.own();
                try (AgentRuntime runtime = workplace.runtime(store, root, wakeups)) {
                    TenantRuntime mine = stores.of(runtime);
                    ForegroundRun foreground = new ForegroundRun(
                            shell,
                            mine,
                            runtime::close,
                            workplace.showIndexing(watching.output(shell, root, Summary.OF_RUN)),
                            dialogue(shell),
                            stores.hints());
                    return action.with(new Taken(run, mine, foreground, stores.hints()));
                }
            }
        }
    }

    private static ConfigurationException missing(RunRecord run, AgentsFile file) {
        List<String> known = new ArrayList<>(file.agents().keySet());
        known.addAll(file.workflows().keySet());
        boolean ofWorkflow = run.summary()
                .filter(summary -> summary.kind().equals("workflow"))
                .isPresent();
        String kind = ofWorkflow ? "workflow" : "agent";
        return new ConfigurationException(
                "Run " + run.runId() + " is one of " + kind + " '" + run.agentId() + "', which "
                        + file.name() + " does not have."
                        + NameSuggestions.allowed("There are", run.agentId(), known)
                        + " Name the file that has it with --config.");
    }

    /** Return in whose name is answered. */
    Approver approver(Shell shell) {
        return ApproverOptions.named(shell, as);
    }

    /** Return the dialogue with the user, or null to ask nothing. */
    @Nullable
    ApprovalDialogue dialogue(Shell shell) {
        return watching.dialogue(shell, as);
    }
}
