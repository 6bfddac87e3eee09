package dev.chargehand.cli.runs;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand cancel}: ends a run, also one of another process. */
@Command(
        name = "cancel",
        description = "Cancel a run and its nested runs.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "A process that executes the run notices at the latest after its current model or tool call;",
            "Ctrl-C or a signal ends it there at once.",
        })
public final class CancelCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(paramLabel = "RUN", description = "The run.")
    private String run = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; it is stored with the run. Default: none.")
    private @Nullable String reason;

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    public CancelCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        try (Store store = stores.open(shell);
                AgentRuntime runtime =
                        AgentRuntime.builder().store(store).providers().build()) {
            RunRecord found = stores.find(store, run);
            if (!cancelled(stores.of(runtime), found.runId())) {
                throw new ConfigurationException("Run " + found.runId() + " has ended ("
                        + StatusWords.word(stores.find(store, run).status()) + "); there is nothing to cancel.");
            }
            shell.note("cancelled run " + found.runId());
            return ExitCode.COMPLETED;
        }
    }

    private boolean cancelled(TenantRuntime runtime, RunId runId) {
        return reason == null ? runtime.cancel(runId) : runtime.cancel(runId, reason);
    }
}
