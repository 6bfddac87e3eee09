package dev.chargehand.config.internal.key;

import dev.chargehand.background.Disposition;
import dev.chargehand.background.OnEnd;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The keys of {@code background}. */
public final class BackgroundKeys {

    /** The words for who decides about a call. */
    public static final Map<String, Disposition> DISPOSITIONS = Map.of(
            "model", Disposition.MODEL,
            "always", Disposition.ALWAYS,
            "never", Disposition.NEVER);

    private static final Map<String, Object> CALLEES = Shape.anyOf(
            Shape.TEXTS.schema(),
            Shape.schema(
                    "type",
                    "object",
                    "additionalProperties",
                    Shape.schema("enum", List.of("model", "always", "never"))));

    public static final Key<Void> AGENTS = Key.of(
            "agents",
            Shape.unread(CALLEES),
            "The sub-agents that may work in the background. A list lets its model decide about each call; a mapping sets for each whether"
                    + " the model decides (model), or every call (always) or no call (never) is a task.");

    public static final Key<Void> WORKFLOWS = Key.of(
            "workflows", Shape.unread(CALLEES), "The workflows that may work in the background, in the same form.");

    public static final Key<Boolean> ALL = Key.of(
                    "all",
                    Shape.FLAG,
                    "Whether its model decides about all sub-agents and workflows that are not named.")
            .orElse(false);

    public static final Key<Duration> TIMEOUT = Key.of(
            "timeout",
            Shape.TIME,
            "The active time of a task after which it is stopped; by default the time limit taskTime.");

    public static final Key<Integer> RETRIES = Key.of(
                    "retries",
                    Shape.range(0, 10),
                    "The number of further attempts after a temporary error or a timeout.")
            .orElse(0);

    public static final Key<OnEnd> ON_END = Key.of(
                    "onEnd",
                    Shape.choice(Map.entry("wait", OnEnd.WAIT), Map.entry("continue", OnEnd.CONTINUE)),
                    "What follows the end of a task whose run has ended: the result waits for the next turn of the user, or starts a turn by"
                            + " itself, as it always does with chargehand run.")
            .orElse("wait");

    public static final KeySection SECTION = KeySection.of(
                    "background",
                    "Which of its sub-agents and workflows may work on while it answers; by default none.",
                    AGENTS,
                    WORKFLOWS,
                    ALL,
                    TIMEOUT,
                    RETRIES,
                    ON_END)
            .with(
                    "anyOf",
                    List.of(
                            KeySection.requires(AGENTS.name()),
                            KeySection.requires(WORKFLOWS.name()),
                            KeySection.requires(ALL.name())));

    private BackgroundKeys() {}
}
