package dev.chargehand.cli.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.ConfirmedDeletion;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.threads.StoredThreads;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.thread.DeletionOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand memory forget}: deletes all that belongs to a resource. */
@Command(
        name = "forget",
        description = "Delete all that belongs to a resource: its conversations, runs and notes.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "A SQLite file does not contain it afterwards. PostgreSQL keeps deleted rows until it vacuums. Backups are not",
            "changed."
        })
final class MemoryForgetCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(
            names = {"-r", "--resource"},
            paramLabel = "ID",
            required = true,
            description = "The user or thing whose data is deleted.")
    private String resource = "";

    @Mixin
    private ConfirmedDeletion deletion = new ConfirmedDeletion();

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    MemoryForgetCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        try (AgentRuntime runtime = StoredThreads.runtime(stores.open(shell))) {
            String name = "resource '" + Visible.line(resource, 100) + "'";
            if (!deletion.isConfirmed(shell, "all data of " + name)) {
                shell.note(name + " was not changed");
                return ExitCode.COMPLETED;
            }
            Forgotten forgotten = stores.of(runtime).memory().forget(resource, this::choose);
            shell.note(
                    forgotten.isNothing()
                            ? "there was nothing of " + name
                            : "deleted " + count(forgotten.runs(), "run") + ", "
                                    + count(forgotten.threads(), "thread") + " and "
                                    + count(forgotten.workingMemories(), "working memory") + " of " + name);
            return ExitCode.COMPLETED;
        }
    }

    private DeletionOptions choose(DeletionOptions how) {
        return deletion.cancelsRuns() ? how.cancelRuns() : how;
    }

    /** Return a number of things. */
    static String count(long number, String what) {
        String plural = what.endsWith("y") ? what.substring(0, what.length() - 1) + "ies" : what + "s";
        return number + " " + (number == 1 ? what : plural);
    }
}
