package dev.chargehand.cli;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand cancel}: ends a run that waits or was left behind. */
@Command(
        name = "cancel",
        description = "Ends a run that waits, or that a crash left behind, with all below it.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "A run that another process works on is cancelled there, with Ctrl-C or a signal.",
        })
final class CancelCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(paramLabel = "RUN", description = "The run.")
    private String run = "";

    @Mixin
    private StoreOptions stores = new StoreOptions();

    CancelCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        try (Store store = stores.open(shell);
                AgentRuntime runtime =
                        AgentRuntime.builder().store(store).providers().build()) {
            RunRecord found = stores.find(store, run);
            if (!runtime.cancel(found.runId())) {
                throw new ConfigurationException(refusal(stores.find(store, run)));
            }
            shell.note("cancelled run " + found.runId());
            return ExitCode.COMPLETED;
        }
    }

    private static String refusal(RunRecord run) {
        return run.status().isEnded()
                ? "Run " + run.runId() + " has ended (" + Statuses.word(run.status()) + "); there is nothing to cancel."
                : "Run " + run.runId() + " is being worked on by another process; stop it there, or try again when that"
                        + " process is gone for half a minute.";
    }
}
