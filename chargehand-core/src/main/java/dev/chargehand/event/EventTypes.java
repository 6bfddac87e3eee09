package dev.chargehand.event;

import dev.chargehand.internal.text.NearNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The types that events have on the wire, {@link RunEvent#type()}: for readers that select events by them, and for tests. Later versions
 * add types.
 */
public final class EventTypes {

    private static final Set<String> OWN = Set.of(
            "run-start",
            "run-resume",
            "run-finish",
            "run-suspend",
            "run-released",
            "stream-resumed",
            "error",
            "abort",
            "iteration-start",
            "iteration-end",
            "step-start",
            "step-finish",
            "step-retry",
            "memory-recall",
            "memory-problem",
            "working-memory-update",
            "thread-title",
            "observation-start",
            "observation-end",
            "observation-failed",
            "text-start",
            "text-delta",
            "text-end",
            "reasoning-start",
            "reasoning-delta",
            "reasoning-end",
            "tool-call-input-start",
            "tool-call-delta",
            "tool-call-input-end",
            "tool-call",
            "tool-call-approval",
            "tool-call-suspended",
            "tool-call-answered",
            "tool-result",
            "tool-error",
            "delegation-start",
            "delegation-end",
            "delegation-rejected",
            "delegation-bail",
            "tool-output-denied",
            "scoring-start",
            "scoring-complete",
            "object",
            "object-result",
            "tripwire",
            "hook-error",
            "usage",
            "workflow-start",
            "workflow-step-start",
            "workflow-step-result",
            "workflow-step-retry",
            "workflow-step-waiting",
            "workflow-step-suspended",
            "workflow-step-resumed",
            "workflow-step-skipped",
            "workflow-finish",
            "background-task-started",
            "background-task-running",
            "background-task-progress",
            "background-task-suspended",
            "background-task-resumed",
            "background-task-completed",
            "background-task-failed",
            "background-task-cancelled",
            "idle");

    /** Those of a network's own, besides the prefixes that it puts before other types. */
    private static final Set<String> OF_NETWORKS = Set.of(
            "routing-agent-start",
            "routing-agent-end",
            "network-validation-start",
            "network-validation-end",
            "network-object",
            "network-object-result",
            "network-execution-event-step-finish",
            "network-execution-event-finish",
            "agent-execution-start",
            "agent-execution-end",
            "tool-execution-start",
            "tool-execution-end",
            "workflow-execution-start",
            "workflow-execution-end");

    private static final Pattern IN_A_NETWORK =
            Pattern.compile("(?:routing-agent-|(?:agent|tool|workflow)-execution-event-)(.+)");

    /** What an event that an application emits has before its name. */
    private static final String DATA = "data-";

    private EventTypes() {}

    /** Return whether events have this type, in a network or elsewhere. */
    public static boolean isKnown(String type) {
        if (OWN.contains(type) || OF_NETWORKS.contains(type) || isData(type)) {
            return true;
        }
        Matcher prefixed = IN_A_NETWORK.matcher(type);
        return prefixed.matches() && isOwn(prefixed.group(1));
    }

    /** In a network an event has no second prefix of its kind, such as the one of {@code workflow-step-start}. */
    private static boolean isOwn(String type) {
        return isData(type)
                || List.of("", "run-", "workflow-").stream().anyMatch(prefix -> OWN.contains(prefix + type));
    }

    private static boolean isData(String type) {
        return type.startsWith(DATA) && type.length() > DATA.length();
    }

    /** Return the type that a wrong one is most like; empty if none is near. */
    public static Optional<String> nearest(String wrong) {
        List<String> all = new ArrayList<>(OWN);
        all.addAll(OF_NETWORKS);
        return NearNames.nearest(wrong, all);
    }

    /** Return what a person reads of the types that are known. */
    public static String described() {
        return String.join(", ", new TreeSet<>(OWN)) + ", data-… and those of networks: "
                + String.join(", ", new TreeSet<>(OF_NETWORKS))
                + ", and others after routing-agent-, agent-execution-event-, tool-execution-event- or"
                + " workflow-execution-event-";
    }
}
