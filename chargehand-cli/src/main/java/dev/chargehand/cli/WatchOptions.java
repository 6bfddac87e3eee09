package dev.chargehand.cli;

import dev.chargehand.Agent;
import dev.chargehand.cli.live.LiveOutput;
import dev.chargehand.cli.live.Look;
import dev.chargehand.cli.live.Screen;
import dev.chargehand.cli.output.EventOutput;
import dev.chargehand.cli.output.PlainOutput;
import dev.chargehand.cli.output.RunOutput;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Objects;
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
    RunOutput output(Shell shell, Agent agent) {
        if (events) {
            return new EventOutput(shell.out(), shell.err());
        }
        Terminal terminal = shell.terminal();
        Optional<Screen> screen = terminal == null || plain ? Optional.empty() : terminal.screen();
        return screen.<RunOutput>map(found -> new LiveOutput(
                        found,
                        look(shell, Objects.requireNonNull(terminal)),
                        InstantSource.system(),
                        widest(agent),
                        agent.defaultOptions().settings().prices()))
                .orElseGet(() -> new PlainOutput(shell.out(), shell.err(), widest(agent)));
    }

    /** What everybody has agreed on turns colours off; ASCII is for who has no other letters, or says so. */
    private static Look look(Shell shell, Terminal terminal) {
        return new Look(
                isUnset(shell, "NO_COLOR"),
                isUnset(shell, "CHARGEHAND_ASCII") && terminal.charset().equals(StandardCharsets.UTF_8));
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
        Terminal terminal = shell.terminal();
        return terminal == null || plain || events
                ? null
                : new ApprovalDialogue(terminal, Answerer.named(shell, as), InstantSource.system());
    }
}
