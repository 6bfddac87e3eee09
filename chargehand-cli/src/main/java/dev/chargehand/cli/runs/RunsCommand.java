package dev.chargehand.cli.runs;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.cli.output.RunLines;
import dev.chargehand.cli.result.RunTimes;
import dev.chargehand.cli.setup.ListOptions;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
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
            "  chargehand runs --agent boss --since 2026-01-31",
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

    @Option(
            names = {"-t", "--thread"},
            paramLabel = "ID",
            description = "List the runs of this conversation.")
    private @Nullable String thread;

    @Option(
            names = {"-r", "--resource"},
            paramLabel = "ID",
            description = "List the runs of this resource.")
    private @Nullable String resource;

    @Option(
            names = {"-a", "--agent"},
            paramLabel = "ID",
            description = "List the runs of this agent.")
    private @Nullable String agent;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "List the runs that started at this time or later: a date, in the local time zone, or a time"
                    + " such as 2026-01-31T09:00:00Z.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "List the runs that started before this time.")
    private @Nullable String until;

    @Option(names = "--before", paramLabel = "RUN", description = "List the runs that come after this one in the list.")
    private @Nullable String before;

    @Mixin
    private ListOptions listing = new ListOptions();

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

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
            Store mine = stores.of(store);
            List<RunLines.Listed> found = stores.of(runtime).runs(filter).stream()
                    .map(run -> listed(mine, stores.of(runtime), run))
                    .toList();
            listing.print(
                    shell,
                    found,
                    "runs",
                    RunLines::json,
                    this::lines,
                    last -> "--before " + last.run().runId());
            return ExitCode.COMPLETED;
        }
    }

    private List<String> lines(List<RunLines.Listed> page) {
        return shell.terminal() == null
                ? RunLines.of(page)
                : RunLines.withHeader(
                        page,
                        shell.terminal()
                                .live()
                                .map(terminal -> terminal.screen().columns())
                                .orElse(Integer.MAX_VALUE));
    }

    /** The history of a run that was too short for waiting need not be read. */
    private static RunTimes times(TenantRuntime runtime, RunRecord run) {
        Duration took = Duration.between(run.startedAt(), run.updatedAt());
        return run.status() == RunStatus.SUSPENDED || RunTimes.mayHaveWaited(took)
                ? RunTimes.of(
                        runtime.history(run.runId()), InstantSource.system().instant())
                : RunTimes.ofWork(took);
    }

    private RunFilter filter(int limit) {
        RunFilter filter = RunFilter.ROOTS
                .statuses(statuses.stream().map(StatusWords::parse).toArray(RunStatus[]::new))
                .limit(Math.min(ListOptions.MOST, limit + 1)); // one more, to know whether there is a next page
        if (thread != null) {
            filter = filter.thread(thread);
        }
        if (agent != null) {
            filter = filter.agent(agent);
        }
        if (since != null) {
            filter = filter.startedFrom(time("--since", since));
        }
        if (until != null) {
            filter = filter.startedBefore(time("--until", until));
        }
        return resource == null ? filter : filter.resource(resource);
    }

    /** Read a time, or a date for its first moment. */
    private static Instant time(String option, String text) {
        try {
            return text.contains("T")
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeException e) {
            throw new ConfigurationException(option + ": '" + text
                    + "' is not a time; write a date such as 2026-01-31, or a time such as 2026-01-31T09:00:00Z.");
        }
    }

    private static RunLines.Listed listed(Store store, TenantRuntime runtime, RunRecord run) {
        return new RunLines.Listed(
                run,
                run.status() == RunStatus.SUSPENDED ? store.waiting(run.runId()) : List.of(),
                run.status() == RunStatus.RUNNING && !store.isAlive(run.owner()),
                times(runtime, run));
    }
}
