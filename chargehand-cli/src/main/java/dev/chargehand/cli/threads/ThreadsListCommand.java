package dev.chargehand.cli.threads;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.ThreadLines;
import dev.chargehand.cli.setup.ListOptions;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand threads list}: lists the conversations of a store. */
@Command(
        name = "list",
        description = "List conversations: those of one resource, newest first; otherwise all, by their latest run.",
        optionListHeading = "%nOptions:%n")
final class ThreadsListCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(
            names = {"-r", "--resource"},
            paramLabel = "ID",
            description = "List the conversations of this resource.")
    private @Nullable String resource;

    @Mixin
    private ListOptions listing = new ListOptions();

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    ThreadsListCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        int limit = listing.limit();
        try (AgentRuntime runtime = StoredThreads.runtime(stores.open(shell))) {
            List<ThreadRecord> found = new StoredThreads(stores.of(runtime)).latest(resource, limit + 1);
            listing.print(
                    shell,
                    found,
                    "threads",
                    ThreadLines::json,
                    ThreadLines::of,
                    last -> "--limit " + Math.min(ListOptions.MOST, limit * 2));
            return ExitCode.COMPLETED;
        }
    }
}
