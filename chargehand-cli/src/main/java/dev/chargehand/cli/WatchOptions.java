package dev.chargehand.cli;

import dev.chargehand.Agent;
import dev.chargehand.cli.live.LiveOutput;
import dev.chargehand.cli.live.LiveTerminal;
import dev.chargehand.cli.live.Look;
import dev.chargehand.cli.output.EventOutput;
import dev.chargehand.cli.output.PlainOutput;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.output.Summary;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a run is watched: the options of every command that lets one go on. */
final class WatchOptions {

    @Option(names = "--plain", description = "Progress as plain lines, and nothing is asked.")
    private boolean plain;

    @Option(
            names = "--events",
            description = "Print every event as a line of JSON, and nothing else, to standard output.")
    private boolean events;

    /** Returns what shows the runs of an agent. */
    RunOutput output(Shell shell, Agent agent, Summary summary) {
        if (events) {
            return new EventOutput(shell.out(), shell.err(), summary);
        }
        return live(shell)
                .<RunOutput>map(terminal -> new LiveOutput(
                        terminal.screen(),
                        look(shell),
                        InstantSource.system(),
                        widest(agent),
                        agent.defaultOptions().settings().prices(),
                        summary))
                .orElseGet(() -> new PlainOutput(shell.out(), shell.err(), widest(agent), summary));
    }

    /** Returns what is painted on, if there is a terminal that can be, and nothing else is wanted. */
    Optional<LiveTerminal> live(Shell shell) {
        Terminal terminal = shell.terminal();
        return terminal == null || plain || events ? Optional.empty() : terminal.live();
    }

    /** What everybody has agreed on turns colours off; ASCII is for who has no other letters, or says so. */
    Look look(Shell shell) {
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

    /** How long the longest path of an agent is; the agents below each other have no cycles. */
    private static int widest(Agent agent) {
        int below = agent.agents().values().stream()
                .mapToInt(WatchOptions::widest)
                .max()
                .orElse(-1);
        return agent.id().length() + 1 + below;
    }

    /**
     * Returns who asks the user, or null if nobody is to be asked.
     *
     * @param as in whose name is answered; null for the user's own
     */
    @Nullable
    ApprovalDialogue dialogue(Shell shell, @Nullable String as) {
        return dialogue(shell, as, shell.terminal());
    }

    /** Returns who asks somebody, or null if nobody is to be asked; see the method that asks at the terminal. */
    @Nullable
    ApprovalDialogue dialogue(Shell shell, @Nullable String as, @Nullable Asked asked) {
        return asked == null || plain || events
                ? null
                : new ApprovalDialogue(asked, Answerer.named(shell, as), InstantSource.system());
    }
}
