package dev.chargehand.cli;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand resume}: takes up a run that a crash left behind, or gives a waiting call its data. */
@Command(
        name = "resume",
        description = "Takes up a run that a crash left behind, or gives a waiting call the data it asks for.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand resume run_q1w2e3",
            "  chargehand resume run_q1w2e3 --data '{\"amount\": 7}'"
        })
final class ResumeCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "The run.")
    private String run = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "CALL", description = "The call. Default: the only one.")
    private @Nullable String call;

    @Option(names = "--data", paramLabel = "JSON", description = "The data that the call asks for.")
    private @Nullable String data;

    @Mixin
    private GoOnOptions options = new GoOnOptions();

    ResumeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        String json = data;
        if (json == null && call != null) {
            throw new ConfigurationException(
                    "A call is resumed with the data it asks for: add --data JSON. To approve it, use 'chargehand approve'.");
        }
        Json given = json == null ? null : parsed(json);
        return options.take(shell, run, taken -> given == null ? takeUp(taken) : give(taken, given));
    }

    private static Json parsed(String json) {
        try {
            return Json.parse(json);
        } catch (InvalidJsonException e) {
            throw new ConfigurationException(
                    "--data: " + e.getMessage() + " A text needs quotes of its own: '\"yes\"'.", e);
        }
    }

    private int give(GoOnOptions.Taken taken, Json given) {
        PendingApproval waiting = new Calls(taken, InstantSource.system()).one(call);
        if (waiting.kind() == PendingApproval.Kind.APPROVAL) {
            throw new ConfigurationException("Call " + waiting.callId() + " (" + waiting.toolName()
                    + ") waits for approval, not for data: use 'chargehand approve' or 'chargehand decline'.");
        }
        ApprovalAnswer answer = ApprovalAnswer.data(options.approver(shell), given);
        return taken.foreground().answer(taken.run().runId(), List.of(waiting), approval -> Optional.of(answer));
    }

    private static int takeUp(GoOnOptions.Taken taken) {
        RunStatus status = taken.run().status();
        if (status.isEnded()) {
            throw new ConfigurationException("Run " + taken.run().runId() + " has ended (" + Statuses.word(status)
                    + "). '" + taken.hints().command("show " + taken.run().runId()) + "' tells what happened.");
        }
        Instant expiresAt = taken.run().expiresAt();
        if (status == RunStatus.SUSPENDED && (expiresAt == null || expiresAt.isAfter(Instant.now()))) {
            throw new ConfigurationException("Run " + taken.run().runId()
                    + " was not left behind; it waits for an answer. '"
                    + taken.hints().command("show " + taken.run().runId()) + "' says for which, and how to give it.");
        }
        return taken.foreground()
                .run(() -> taken.runtime().resumeStream(taken.run().runId(), run -> {}));
    }
}
