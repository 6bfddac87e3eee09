package dev.chargehand.cli.runs;

import dev.chargehand.cli.approval.ApprovalDialogue;
import dev.chargehand.cli.live.LiveOutput;
import dev.chargehand.cli.live.LiveTerminal;
import dev.chargehand.cli.live.Look;
import dev.chargehand.cli.output.EventOutput;
import dev.chargehand.cli.output.PlainOutput;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.cli.setup.RunRoot;
import dev.chargehand.cli.shell.Questioner;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Terminal;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that shows a run while it executes. */
public final class WatchOptions {

    @Option(
            names = {"-p", "--plain"},
            description = "Show progress as plain lines, and never ask.")
    private boolean plain;

    @Option(
            names = "--events",
            description = "Print every event as one line of JSON to standard output, and nothing else.")
    private boolean events;

    /** Return what shows the runs of an agent or a workflow. */
    public RunOutput output(Shell shell, RunRoot root, Summary summary) {
        if (events) {
            return new EventOutput(shell.out(), shell.err(), summary);
        }
        return live(shell)
                .<RunOutput>map(terminal -> new LiveOutput(
                        terminal.screen(), look(shell), InstantSource.system(), root.widest(), root.prices(), summary))
                .orElseGet(() -> new PlainOutput(shell.out(), shell.err(), root.widest(), summary));
    }

    /** Return what is painted on, if there is a terminal that can be, and nothing else is wanted. */
    public Optional<LiveTerminal> live(Shell shell) {
        Terminal terminal = shell.terminal();
        return terminal == null || plain || events ? Optional.empty() : terminal.live();
    }

    /**
     * The convention {@code NO_COLOR} turns colours off; ASCII is for terminals without other characters, or on
     * request.
     */
    public Look look(Shell shell) {
        Terminal terminal = shell.terminal();
        return new Look(
                isUnset(shell, "NO_COLOR"),
                isUnset(shell, "CHARGEHAND_ASCII")
                        && terminal != null
                        && terminal.charset().equals(StandardCharsets.UTF_8));
    }

    private static boolean isUnset(Shell shell, String variable) {
        String value = shell.environment().apply(variable);
        return value == null || value.isEmpty();
    }

    /**
     * Return the dialogue with the user, or null to ask nothing.
     *
     * @param as in whose name is answered; null for the user's own
     */
    @Nullable
    public ApprovalDialogue dialogue(Shell shell, @Nullable String as) {
        return dialogue(shell, as, shell.terminal());
    }

    /** Return the dialogue with the user, or null to ask nothing; see the method that asks at the terminal. */
    @Nullable
    public ApprovalDialogue dialogue(Shell shell, @Nullable String as, @Nullable Questioner asked) {
        return asked == null || plain || events
                ? null
                : new ApprovalDialogue(asked, ApproverOptions.named(shell, as), InstantSource.system());
    }
}
