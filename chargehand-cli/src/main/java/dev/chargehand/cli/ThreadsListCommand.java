package dev.chargehand.cli;

import dev.chargehand.cli.output.ThreadLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand threads list}: lists the conversations of a store. */
@Command(
        name = "list",
        description = "Lists conversations: those of one resource, newest first; else all, by their last run.",
        optionListHeading = "%nOptions:%n")
final class ThreadsListCommand implements Callable<Integer> {

    private static final int MOST = 1000;

    private final Shell shell;

    @Option(names = "--resource", paramLabel = "ID", description = "Only those that belong to a resource.")
    private @Nullable String resource;

    @Option(names = "--limit", paramLabel = "N", description = "How many at most. Default: 20.")
    private int limit = 20;

    @Option(names = "--json", description = "Each as a line of JSON.")
    private boolean json;

    @Mixin
    private StoreOptions stores = new StoreOptions();

    ThreadsListCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        if (limit < 1 || limit > MOST) {
            throw new ConfigurationException("--limit must be 1 to " + MOST + ", but is " + limit + ".");
        }
        try (Store store = stores.open(shell)) {
            List<ThreadRecord> found = resource == null ? all(store) : store.listThreads(resource, 0, limit + 1);
            boolean more = found.size() > limit;
            List<ThreadRecord> page = more ? found.subList(0, limit) : found;
            List<String> lines = json
                    ? page.stream()
                            .map(thread -> Visible.json(ThreadLines.json(thread).text()))
                            .toList()
                    : ThreadLines.of(page);
            lines.forEach(shell.out()::println);
            shell.out().flush();
            if (page.isEmpty()) {
                shell.note("no such threads");
            } else if (more) {
                shell.note("there are more: --limit " + Math.min(MOST, limit * 2));
            }
            return ExitCode.COMPLETED;
        }
    }

    /** A store lists the threads of one resource, and of none not at all; but every conversation has runs. */
    private List<ThreadRecord> all(Store store) {
        Set<String> seen = new HashSet<>();
        List<ThreadRecord> found = new ArrayList<>();
        RunFilter next = RunFilter.ROOTS.limit(MOST);
        while (true) {
            List<RunRecord> runs = store.list(next);
            for (RunRecord run : runs) {
                String thread = run.threadId();
                if (thread != null && seen.add(thread)) {
                    store.findThread(thread).ifPresent(found::add);
                }
                if (found.size() > limit) {
                    return found;
                }
            }
            if (runs.size() < MOST) {
                return found;
            }
            RunId last = runs.getLast().runId();
            next = next.before(last);
        }
    }
}
