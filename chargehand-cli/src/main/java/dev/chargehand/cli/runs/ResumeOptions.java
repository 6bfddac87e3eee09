package dev.chargehand.cli.runs;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.cli.approval.Answers;
import dev.chargehand.cli.approval.AnswersAlone;
import dev.chargehand.cli.approval.ApprovalDialogue;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.RunRoot;
import dev.chargehand.cli.setup.SearchTally;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.ErrorLines;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.MistakeLines;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.DocumentException;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /**
     * A stored run with everything that is required to answer its calls.
     *
     * @param answered whether an answer is stored that no process has carried out
     */
    record Taken(RunRecord run, TenantRuntime runtime, Answers answers, boolean answered, Hints hints) {}

    /** Does something with a run. */
    @FunctionalInterface
    interface Action {

        /** Return the exit code. */
        int with(Taken taken);
    }

    /** Resumes a run. */
    @FunctionalInterface
    interface Resumption {

        /** Return the exit code. */
        int with(Taken taken, ForegroundRun foreground);
    }

    /** The agents of a file, and that of the run if the file has it. */
    private record Prepared(AgentsFile file, Workspace workplace, Optional<RunRoot> root) {}

    /** Find a run, prepare its agent, and pass both to an action. */
    int resume(Shell shell, String id, Resumption action) {
        stores.begin();
        try (Store store = stores.open(shell)) {
            RunRecord run = stores.find(store, id);
            return execute(shell, store, run, prepared(shell, run), action);
        }
    }

    /**
     * Find a run and pass it to an action that answers its calls. If its agents cannot be prepared, the mistakes are
     * reported and the answers are stored only.
     */
    int decide(Shell shell, String id, Action action) {
        stores.begin();
        try (Store store = stores.open(shell)) {
            RunRecord run = stores.find(store, id);
            Prepared prepared;
            try {
                prepared = prepared(shell, run);
            } catch (DocumentException | ConfigurationException e) {
                if (model != null || docs != null) {
                    throw e; // an option may be the mistake
                }
                (e instanceof DocumentException mistaken
                                ? MistakeLines.of(mistaken.mistakes())
                                : List.of(ErrorLines.explain(e)))
                        .forEach(shell::note);
                return store(shell, store, run, action);
            }
            return execute(shell, store, run, prepared, (taken, foreground) -> action.with(taken));
        }
    }

    private Prepared prepared(Shell shell, RunRecord run) {
        AgentsFile file = stores.file(shell);
        Workspace workplace = Workspace.of(shell, file, Workspace.model(model), docs);
        try {
            return new Prepared(file, workplace, workplace.root(file, run.agentId()));
        } catch (RuntimeException e) {
            workplace.close();
            throw e;
        }
    }

    private int execute(Shell shell, Store store, RunRecord run, Prepared prepared, Resumption action) {
        try (Workspace workplace = prepared.workplace()) {
            RunRoot root = prepared.root().orElseThrow(() -> missing(run, prepared.file()));
            List<Agent> agents = workplace.agents(prepared.file(), run, root.agents());
            Wakeups wakeups = noWait ? Wakeups.off() : Wakeups.own();
            try (AgentRuntime runtime = workplace.runtime(store, agents, root.workflows(), wakeups)) {
                TenantRuntime mine = stores.of(runtime);
                ForegroundRun foreground = new ForegroundRun(
                        shell,
                        mine,
                        runtime::close,
                        workplace.showIndexing(watching.output(shell, root, Summary.OF_RUN)),
                        dialogue(shell),
                        stores.hints());
                int code = action.with(taken(store, run, mine, foreground), foreground);
                run.task().ifPresent(task -> noteTurn(shell, store, task.originThreadId()));
                return code == ExitCode.COMPLETED
                        ? SearchTally.of(mine.history(run.runId())).code(shell::note)
                        : code;
            }
        }
    }

    /** Report that the end of a background task has started a turn of its conversation, unless that has ended already. */
    private void noteTurn(Shell shell, Store store, String thread) {
        boolean left = !stores.of(store)
                .list(RunFilter.ROOTS
                        .thread(thread)
                        .statuses(RunStatus.PENDING, RunStatus.RUNNING)
                        .limit(1))
                .isEmpty();
        if (left) {
            shell.note("a later command continues the conversation that the background task belongs to:");
            shell.note("  " + stores.hints().command("recover"));
        }
    }

    private int store(Shell shell, Store store, RunRecord run, Action action) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .anyoneMayApprove() // as for a workspace
                .build()) {
            TenantRuntime mine = stores.of(runtime);
            return action.with(taken(store, run, mine, new AnswersAlone(shell, mine, stores.hints())));
        }
    }

    private Taken taken(Store store, RunRecord run, TenantRuntime runtime, Answers answers) {
        boolean answered = stores.of(store).undrained(run.runId()).stream()
                .anyMatch(delivery -> delivery.kind().wakes());
        return new Taken(run, runtime, answers, answered, stores.hints());
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
