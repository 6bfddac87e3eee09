package dev.chargehand.cli.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.MemoryLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.threads.StoredThreads;
import dev.chargehand.store.memory.MemoryUsage;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand memory usage}: prints the tokens that memory has used after the runs of a resource. */
@Command(
        name = "usage",
        description = "Print the tokens that models have used for memory after the runs of a resource.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "For each day in UTC, the newest first: what a model did, its name, its input and its output tokens. What memory",
            "uses within a run is in the usage of the run."
        })
final class MemoryUsageCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(
            names = {"-r", "--resource"},
            paramLabel = "ID",
            description = "The user or thing. Default: conversations of no resource.")
    private @Nullable String resource;

    @Option(names = "--json", description = "Print JSON, an object for each line.")
    private boolean json;

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    MemoryUsageCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        try (AgentRuntime runtime = StoredThreads.runtime(stores.open(shell))) {
            List<MemoryUsage> used = stores.of(runtime).memory().usage(resource);
            List<String> lines = json
                    ? used.stream()
                            .map(each -> Visible.json(MemoryLines.json(each).text()))
                            .toList()
                    : MemoryLines.ofUsage(used);
            lines.forEach(json ? shell.out()::println : shell::say);
            shell.out().flush();
            if (used.isEmpty()) {
                shell.note("nothing was used");
            }
            return ExitCode.COMPLETED;
        }
    }
}
