package dev.chargehand.cli.runs;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.shell.GivenJson;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand provide}: passes a waiting call the data that its tool requested, and resumes its run. */
@Command(
        name = "provide",
        description = "Provide the data that the tool or step of a waiting call requested, and resume its run.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand provide run_q1w2e3 --data '{\"amount\": 7}'",
            "  chargehand provide run_q1w2e3 call_r4t5 --data '\"yes\"'",
            "  chargehand provide run_q1w2e3 release --data '{\"ok\": true}'"
        })
public final class ProvideCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "The run that waits.")
    private String run = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CALL",
            description = "The call, or the path of the step of a workflow. Default: the only waiting call.")
    private @Nullable String call;

    @Option(names = "--data", required = true, paramLabel = "JSON", description = "The requested data.")
    private String data = "";

    @Mixin
    private ResumeOptions options = new ResumeOptions();

    public ProvideCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Json provided = GivenJson.of("--data", data);
        return options.decide(shell, run, taken -> provide(taken, provided));
    }

    private int provide(ResumeOptions.Taken taken, Json provided) {
        PendingApproval waiting = new WaitingCallFinder(taken, InstantSource.system()).one(call);
        if (waiting.kind() == PendingApproval.Kind.APPROVAL) {
            throw new ConfigurationException("Call " + waiting.callId() + " (" + waiting.toolName()
                    + ") waits for approval, not for data: use 'chargehand approve' or 'chargehand decline'.");
        }
        ApprovalAnswer answer = ApprovalAnswer.data(options.approver(shell), provided);
        return taken.answers().answer(taken.run().runId(), List.of(waiting), (approval, over) -> Optional.of(answer));
    }
}
