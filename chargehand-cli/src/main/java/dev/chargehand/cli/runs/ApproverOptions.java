package dev.chargehand.cli.runs;

import dev.chargehand.approval.Approver;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/** Says in whose name a command answers. */
final class ApproverOptions {

    private ApproverOptions() {}

    /** Return who was named, else who started the command. */
    static Approver named(Shell shell, @Nullable String as) {
        String id = as == null ? shell.user() : as;
        if (id.isBlank()) {
            throw new ConfigurationException(
                    "It is not known who answers" + (as == null ? "" : ": --as is empty") + ". Say it with --as NAME.");
        }
        return Approver.of(id);
    }
}
