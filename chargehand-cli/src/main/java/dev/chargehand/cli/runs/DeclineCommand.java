package dev.chargehand.cli.runs;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand decline}: declines a waiting call, and continues its run. */
@Command(
        name = "decline",
        description = "Decline a waiting call, and resume its run.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "The call is not executed. The model receives the reason and decides what to do.",
            "",
            "Example:",
            "  chargehand decline run_q1w2e3 --reason \"Not in production.\""
        })
public final class DeclineCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "The run that waits.")
    private String run = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CALL",
            description = "The call, or the path of the step of a workflow. Default: the only waiting call.")
    private @Nullable String call;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "R",
            description = "The reason, which the model receives.")
    private String reason = "";

    @Mixin
    private ResumeOptions options = new ResumeOptions();

    public DeclineCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (reason.isBlank()) {
            throw new ConfigurationException("--reason is empty. Give a reason; the model receives it.");
        }
        return options.decide(shell, run, taken -> {
            PendingApproval waiting = new WaitingCallFinder(taken, InstantSource.system()).one(call);
            ApprovalAnswer no = ApprovalAnswer.decline(options.approver(shell), reason);
            return taken.answers().answer(taken.run().runId(), List.of(waiting), (approval, over) -> Optional.of(no));
        });
    }
}
