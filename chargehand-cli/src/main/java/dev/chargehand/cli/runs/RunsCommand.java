package dev.chargehand.cli.runs;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.RunLines;
import dev.chargehand.cli.setup.StoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand runs}: lists the runs of a store. */
@Command(
        name = "runs",
        description = "List the runs of a store, newest first.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand runs --status suspended",
            "  chargehand runs --thread t1 --json | jq -r .runId"
        })
public final class RunsCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(
            names = "--status",
            split = ",",
            paramLabel = "S",
            description = "List runs with this status: running, suspended, completed, incomplete, aborted, failed.")
    private List<String> statuses = new ArrayList<>();

    @Option(names = "--thread", paramLabel = "ID", description = "List the runs of this conversation.")
    private @Nullable String thread;

    @Option(names = "--resource", paramLabel = "ID", description = "List the runs of this resource.")
    private @Nullable String resource;

    @Option(names = "--agent", paramLabel = "ID", description = "List the runs of this agent.")
    private @Nullable String agent;

    @Option(names = "--before", paramLabel = "RUN", description = "List the runs that come after this one in the list.")
    private @Nullable String before;

    @Mixin
    private ListOptions listing = new ListOptions();

    @Mixin
    private StoreOptions stores = new StoreOptions();

    public RunsCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        int limit = listing.limit();
        RunFilter filter = filter(limit);
        try (Store store = stores.open(shell);
                AgentRuntime runtime =
                        AgentRuntime.builder().store(store).providers().build()) {
            if (before != null) {
                filter = filter.before(stores.find(store, before).runId());
            }
            List<RunLines.Listed> found = found(runtime, filter, limit).stream()
                    .limit(limit + 1L)
                    .map(run -> listed(runtime, run))
                    .toList();
            listing.print(
                    shell,
                    found,
                    "runs",
                    RunLines::json,
                    RunLines::of,
                    last -> "--before " + last.run().runId());
            return ExitCode.COMPLETED;
        }
    }

    private RunFilter filter(int limit) {
        RunFilter filter = RunFilter.ROOTS
                .statuses(statuses.stream().map(StatusWords::parse).toArray(RunStatus[]::new))
                .limit(agent == null ? Math.min(ListOptions.MOST, limit + 1) : ListOptions.MOST);
        if (thread != null) {
            filter = filter.thread(thread);
        }
        return resource == null ? filter : filter.resource(resource);
    }

    /** Read a page and one more, to know whether there is a next one; a store knows nothing of agents. */
    private List<RunRecord> found(AgentRuntime runtime, RunFilter filter, int limit) {
        List<RunRecord> found = new ArrayList<>();
        RunFilter next = filter;
        while (found.size() <= limit) {
            List<RunRecord> read = runtime.runs(next);
            read.stream()
                    .filter(run -> agent == null || run.agentId().equals(agent))
                    .forEach(found::add);
            if (read.size() < next.limit()) {
                return found;
            }
            RunId last = read.getLast().runId();
            next = next.before(last);
        }
        return found;
    }

    private static RunLines.Listed listed(AgentRuntime runtime, RunRecord run) {
        return new RunLines.Listed(
                run,
                run.status() == RunStatus.SUSPENDED ? runtime.pendingApprovals(run.runId()) : List.of(),
                run.status() == RunStatus.RUNNING && !runtime.store().isAlive(run.owner()));
    }
}
