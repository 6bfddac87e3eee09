package dev.chargehand.cli;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.RunLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ConfigurationException;
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
        description = "Lists the runs of a store, newest first.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand runs --status suspended",
            "  chargehand runs --thread t1 --json | jq -r .runId"
        })
final class RunsCommand implements Callable<Integer> {

    private static final int MOST = 1000;

    private final Shell shell;

    @Option(
            names = "--status",
            split = ",",
            paramLabel = "S",
            description = "Only those that stand so: running, suspended, completed, incomplete, aborted, failed.")
    private List<String> statuses = new ArrayList<>();

    @Option(names = "--thread", paramLabel = "ID", description = "Only those of a conversation.")
    private @Nullable String thread;

    @Option(names = "--resource", paramLabel = "ID", description = "Only those of whom conversations belong to.")
    private @Nullable String resource;

    @Option(names = "--agent", paramLabel = "ID", description = "Only those of an agent.")
    private @Nullable String agent;

    @Option(names = "--limit", paramLabel = "N", description = "How many at most. Default: 20.")
    private int limit = 20;

    @Option(names = "--before", paramLabel = "RUN", description = "Only those that are listed after this one.")
    private @Nullable String before;

    @Option(names = "--json", description = "Each as a line of JSON.")
    private boolean json;

    @Mixin
    private StoreOptions stores = new StoreOptions();

    RunsCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        if (limit < 1 || limit > MOST) {
            throw new ConfigurationException("--limit must be 1 to " + MOST + ", but is " + limit + ".");
        }
        RunFilter filter = filter();
        try (Store store = stores.open(shell);
                AgentRuntime runtime =
                        AgentRuntime.builder().store(store).providers().build()) {
            if (before != null) {
                filter = filter.before(stores.find(store, before).runId());
            }
            List<RunRecord> found = found(runtime, filter);
            boolean more = found.size() > limit;
            List<RunRecord> page = more ? found.subList(0, limit) : found;
            List<RunLines.Listed> listed =
                    page.stream().map(run -> listed(runtime, run)).toList();
            List<String> lines = json
                    ? listed.stream()
                            .map(run -> Visible.json(RunLines.json(run).text()))
                            .toList()
                    : RunLines.of(listed);
            lines.forEach(shell.out()::println);
            shell.out().flush();
            if (page.isEmpty()) {
                shell.note("no such runs");
            } else if (more) {
                shell.note("there are more: --before " + page.getLast().runId());
            }
            return ExitCode.COMPLETED;
        }
    }

    private RunFilter filter() {
        RunFilter filter = RunFilter.ROOTS
                .statuses(statuses.stream().map(Statuses::parse).toArray(RunStatus[]::new))
                .limit(agent == null ? Math.min(MOST, limit + 1) : MOST);
        if (thread != null) {
            filter = filter.thread(thread);
        }
        return resource == null ? filter : filter.resource(resource);
    }

    /** Reads a page and one more, to know whether there is a next one; a store knows nothing of agents. */
    private List<RunRecord> found(AgentRuntime runtime, RunFilter filter) {
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
