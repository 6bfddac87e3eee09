package dev.chargehand.cli.runs;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.output.Endings;
import dev.chargehand.cli.output.SideBySide;
import dev.chargehand.cli.setup.StoreOptions;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.WorkflowEntry;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand recover}: resumes every run that a crash left behind. */
@Command(
        name = "recover",
        description = "Resume every run that a crash interrupted or whose approval expired.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "The runs continue concurrently. Runs whose agents are not in the file are listed and not resumed."
        })
public final class RecoverCommand implements Callable<Integer> {

    private final Shell shell;

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

    @Mixin
    private StoreOptions stores = new StoreOptions();

    public RecoverCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        AgentsFile file = stores.file(shell);
        try (Store store = stores.open(shell);
                Workspace workplace = Workspace.of(shell, file, Workspace.model(model), docs)) {
            List<RunRecord> unended = unended(store).toList();
            List<Agent> own = unended.stream()
                    .map(RunRecord::agentId)
                    .distinct()
                    .map(file.agents()::get)
                    .filter(Objects::nonNull)
                    .map((AgentEntry entry) -> workplace.crew().agent(entry))
                    .toList();
            List<Agent> agents = unended.stream()
                    .filter(run -> run.task().isPresent())
                    .findFirst()
                    .map(task -> workplace.agents(file, task, own))
                    .orElse(own);
            List<Workflow<?, ?>> workflows = unended.stream()
                    .map(RunRecord::agentId)
                    .distinct()
                    .map(file.workflows()::get)
                    .filter(Objects::nonNull)
                    .<Workflow<?, ?>>map(
                            (WorkflowEntry entry) -> workplace.crew().workflow(entry))
                    .toList();
            SideBySide output = new SideBySide(store, shell.err());
            try (AgentRuntime runtime = workplace.runtime(store, agents, workflows, Wakeups.off(), output)) {
                shell.signals().hold();
                Recovery recovery = runtime.recover();
                shell.signals().stops(() -> recovery.runIds().forEach(runtime::cancel), runtime::close);
                return recovered(recovery, unended, file);
            } finally {
                shell.signals().release();
            }
        }
    }

    private int recovered(Recovery recovery, List<RunRecord> unended, AgentsFile file) {
        Map<RunId, String> left = left(recovery, unended, file);
        left.forEach((id, why) -> shell.note("run " + id + " was not resumed: " + why));
        List<RunResult> results = recovery.await();
        results.forEach(result -> shell.note("run " + result.runId() + ": " + StatusWords.word(result.status()) + ". "
                + Endings.explain(result.stopReason())));
        Set<RunId> elsewhere = new LinkedHashSet<>(recovery.runIds());
        results.forEach(result -> elsewhere.remove(result.runId()));
        elsewhere.forEach(
                id -> shell.note("run " + id + " is not executed here: another process has taken it, or it could not be"
                        + " resumed, which is logged; 'chargehand show " + id + "' shows it"));
        if (results.isEmpty() && elsewhere.isEmpty() && left.isEmpty()) {
            shell.note("there is nothing to recover");
        }
        results.stream()
                .filter(result -> result.status() == RunStatus.SUSPENDED)
                .flatMap(result -> stores.hints().waiting(result.pendingApprovals()).stream())
                .forEach(shell::note);
        return ExitCode.worst(
                results.stream().map(result -> ExitCode.of(result.status())).toList());
    }

    /** Return the runs that were not resumed, and why. */
    private static Map<RunId, String> left(Recovery recovery, List<RunRecord> unended, AgentsFile file) {
        Map<RunId, String> left = new LinkedHashMap<>();
        recovery.withoutAgent()
                .forEach(id -> left.put(
                        id,
                        "its agent '" + agentOf(id, unended) + "' is not in " + file.name()
                                + "; name the file that has it with --config"));
        recovery.withoutVersion()
                .forEach(id -> left.put(
                        id,
                        "it, or a nested run, was started with a version of an agent that is not in " + file.name()
                                + "; resume it in the program that has that version, or cancel it"));
        recovery.withoutDefinition()
                .forEach(id -> left.put(
                        id,
                        "it, or a nested run, is one of a workflow that is not in " + file.name()
                                + "; name the file that has it with --config"));
        recovery.changed()
                .forEach(id -> left.put(
                        id,
                        "its workflow has changed in " + file.name()
                                + " where the run has been already; restore it, or cancel the run"));
        recovery.withoutHooks()
                .forEach(id -> left.put(
                        id, "it was started with hooks, which only the program that started it has; resume it there"));
        recovery.stuck()
                .forEach(id -> left.put(
                        id,
                        "it made no progress when it was resumed ten times, for which the logs of those attempts have"
                                + " the causes; 'chargehand resume " + id + "' tries again"));
        recovery.timedOut()
                .forEach(id -> left.put(
                        id,
                        "the store took too long to claim it, for example because a process that is stopped holds its"
                                + " row; run 'chargehand recover' again later"));
        return left;
    }

    private static String agentOf(RunId id, List<RunRecord> runs) {
        return runs.stream()
                .filter(run -> run.runId().equals(id))
                .map(RunRecord::agentId)
                .findFirst()
                .orElse("?");
    }

    /** Return the runs of all tenants: they are recovered together. */
    private static Stream<RunRecord> unended(Store store) {
        RunFilter filter = RunFilter.ROOTS
                .statuses(RunStatus.PENDING, RunStatus.RUNNING, RunStatus.SUSPENDED)
                .limit(1000);
        return Stream.iterate(
                        store.listOfAllTenants(filter),
                        page -> !page.isEmpty(),
                        page -> store.listOfAllTenants(
                                filter.before(page.getLast().runId())))
                .flatMap(List::stream);
    }
}
