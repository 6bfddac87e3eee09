package dev.chargehand.cli.runs;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.approval.ApprovalDialogue;
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

/** {@code chargehand approve}: approves a waiting call, and continues its run. */
@Command(
        name = "approve",
        description = "Approve a waiting call, and resume its run.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "On a terminal, the call is shown with everything that will be executed, and must be confirmed.",
            "",
            "Examples:",
            "  chargehand approve run_q1w2e3",
            "  chargehand approve run_q1w2e3 call_r4t5 --as ann",
            "  chargehand approve run_q1w2e3 --all --plain"
        })
public final class ApproveCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "The run that waits.")
    private String run = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CALL",
            description = "The call, or the path of the step of a workflow. Default: the only waiting call.")
    private @Nullable String call;

    @Option(names = "--all", description = "Approve all calls that wait now, but none that waits later.")
    private boolean all;

    @Mixin
    private ResumeOptions options = new ResumeOptions();

    public ApproveCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (all && call != null) {
            throw new ConfigurationException("--all means every call that waits; leave it out, or the call.");
        }
        return options.decide(shell, run, taken -> {
            WaitingCallFinder calls = new WaitingCallFinder(taken, InstantSource.system());
            List<PendingApproval> chosen = all ? calls.all() : List.of(calls.one(call));
            chosen.forEach(ApproveCommand::requireApprovable);
            ApprovalDialogue dialogue = options.dialogue(shell);
            return taken.answers()
                    .answer(
                            taken.run().runId(),
                            chosen,
                            (approval, over) -> dialogue == null
                                    ? Optional.of(ApprovalAnswer.approve(options.approver(shell)))
                                    : dialogue.ask(approval, over));
        });
    }

    private static void requireApprovable(PendingApproval approval) {
        if (approval.kind() == PendingApproval.Kind.DATA) {
            throw new ConfigurationException("Call " + approval.callId() + " (" + approval.toolName()
                    + ") waits for data, not for approval: provide them with 'chargehand provide "
                    + approval.rootRunId()
                    + " " + approval.callId() + " --data JSON', or decline it.");
        }
    }
}
