package dev.chargehand.cli;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.setup.ConfirmedDeletion;
import dev.chargehand.cli.setup.StoreOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.threads.StoredThreads;
import dev.chargehand.error.ConfigurationException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand prune}: deletes the runs of all tenants that ended long ago. */
@Command(
        name = "prune",
        description = "Delete runs that ended long ago, of all tenants.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Conversations and their messages stay, and so do runs that have not ended, however old.",
            "",
            "Examples:",
            "  chargehand prune --older-than 30d",
            "  chargehand prune --older-than 12h --yes"
        })
final class PruneCommand implements Callable<Integer> {

    private static final Pattern AGE = Pattern.compile("(\\d{1,6})([dhm])");

    private final Shell shell;

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            required = true,
            description = "How long ago they ended: a number of days, hours or minutes, such as 30d, 12h or 0m.")
    private String age = "";

    @Mixin
    private ConfirmedDeletion.Confirmation confirmation = new ConfirmedDeletion.Confirmation();

    @Mixin
    private StoreOptions stores = new StoreOptions();

    PruneCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        stores.begin();
        Duration olderThan = parsed(age);
        try (AgentRuntime runtime = StoredThreads.runtime(stores.open(shell))) {
            if (!confirmation.isConfirmed(shell, "all runs that ended more than " + age + " ago")) {
                shell.note("no run was deleted");
                return ExitCode.COMPLETED;
            }
            long deleted = runtime.operator().prune(olderThan);
            shell.note(
                    deleted == 0
                            ? "no run ended more than " + age + " ago"
                            : "deleted " + deleted + (deleted == 1 ? " run" : " runs") + " with all nested ones");
            return ExitCode.COMPLETED;
        }
    }

    private static Duration parsed(String text) {
        Matcher age = AGE.matcher(text);
        if (!age.matches()) {
            throw new ConfigurationException("--older-than: '" + text
                    + "' is not an age; write a number of days, hours or minutes, such as 30d, 12h or 0m.");
        }
        long number = Long.parseLong(age.group(1));
        return switch (age.group(2)) {
            case "d" -> Duration.ofDays(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofMinutes(number);
        };
    }
}
