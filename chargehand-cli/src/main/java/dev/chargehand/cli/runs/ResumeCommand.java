package dev.chargehand.cli.runs;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand resume}: resumes a run that no process executes. */
@Command(
        name = "resume",
        description = "Resume a run that no process executes because its process died or released it.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {"", "Example:", "  chargehand resume run_q1w2e3"})
public final class ResumeCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "The run.")
    private String run = "";

    @Mixin
    private ResumeOptions options = new ResumeOptions();

    public ResumeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return options.resume(shell, run, ResumeCommand::resume);
    }

    private static int resume(ResumeOptions.Taken taken, ForegroundRun foreground) {
        RunStatus status = taken.run().status();
        if (status.isEnded()) {
            throw new ConfigurationException("Run " + taken.run().runId() + " has ended (" + StatusWords.word(status)
                    + "). '" + taken.hints().command("show " + taken.run().runId()) + "' shows what happened.");
        }
        Instant now = Instant.now();
        boolean waits = !taken.answered()
                && taken.run().expiresAt().map(at -> at.isAfter(now)).orElse(true);
        if (status == RunStatus.SUSPENDED
                && waits
                && taken.runtime()
                        .handle(taken.run().runId())
                        .pendingApprovals()
                        .isEmpty()) {
            throw new ConfigurationException("Run " + taken.run().runId() + " waits for a time, until "
                    + taken.run().expiresAt().map(Instant::toString).orElse("one that is not known")
                    + "; resume it then.");
        }
        if (status == RunStatus.SUSPENDED && waits) {
            throw new ConfigurationException("Run " + taken.run().runId()
                    + " was not left behind; it waits for an answer. '"
                    + taken.hints().command("show " + taken.run().runId()) + "' says for which, and how to give it.");
        }
        return foreground.run(options -> taken.runtime().resume(taken.run().runId(), options));
    }
}
