package dev.chargehand.internal.journal.upcast;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** All steps from an older version of a fact to the present one. */
public final class Upcasters {

    /** One for each type and version below the present one. */
    static final List<Upcaster> ALL = List.of(
            new OptionalKeys("started", 1, "settings.structuredOutput"),
            new OptionalKeys(
                    "started", 2, "settings.kind", "settings.maxProcessorRetries", "providerState of reasoning"),
            new OptionalKeys("started", 3, "agentName", "settings.hookTimeLimits"),
            new OptionalKeys("started", 4, "iterations"),
            new OptionalKeys("started", 5, "submitted"),
            new OptionalKeys("started", 6, "settings.memory"),
            new OptionalKeys("started", 7, "settings.memory.historyTokens", "thread.historyFrom"),
            new OptionalKeys("started", 8, "settings.memory.recall"),
            new OptionalKeys("started", 9, "definition"),
            new OptionalKeys("started", 10, "settings.versions", "settings.defaultVersion", "definition of an agent"),
            new OptionalKeys("started", 11, "background"),
            new OptionalKeys("started", 12, "background.untilIdle", "background.origin.untilIdle"),
            new OptionalKeys("started", 13, "settings.pauseAfterEach"),
            new OptionalKeys("started", 14, "resourceId"),
            new OptionalKeys("started", 15, "fork.replaced"),
            new OptionalKeys("started", 16, "background.anyProcess"),
            new OptionalKeys("begun", 1, "historyFrom"),
            new OptionalKeys("begun", 2, "results"),
            new OptionalKeys("planned", 1, "given"),
            new OptionalKeys("recalled", 1, "observed"),
            new OptionalKeys("recalled", 2, "withToolResults", "rootNotes"),
            new OptionalKeys("resumed", 1, "epoch"),
            new OptionalKeys("said", 1, "messages[].parts[].providerState"),
            new OptionalKeys("answered", 1, "providerState"),
            new OptionalKeys("call-opened", 1, "child.forwarded[].parts[].providerState"),
            new OptionalKeys("call-opened", 2, "child.agentName"),
            new OptionalKeys("call-opened", 3, "child.version"),
            new OptionalKeys("call-opened", 4, "kind TASK", "child.grant"),
            new OptionalKeys("call-parked", 1, "patch"),
            new OptionalKeys("call-decided", 1, "answer DUE"),
            new OptionalKeys("call-decided", 2, "message", "spent"),
            new OptionalKeys("call-decided", 3, "reason of answer APPROVED"),
            new OptionalKeys("call-closed", 1, "child.stop of code tripwire"),
            new OptionalKeys("call-closed", 2, "child.stop.providerMessage"),
            new OptionalKeys("call-closed", 3, "refusal.agentName"),
            new OptionalKeys("call-closed", 4, "patch"),
            new OptionalKeys("call-closed", 5, "spent"),
            new OptionalKeys("call-retried", 1, "child"),
            new OptionalKeys("call-retried", 2, "spent"),
            new OptionalKeys("step-closed", 1, "object"),
            new OptionalKeys("step-closed", 2, "answer", "stop and lastStop of code tripwire"),
            new OptionalKeys(
                    "step-closed",
                    3,
                    "stop.providerMessage",
                    "lastStop.providerMessage",
                    "completion.scorers[].errorId"),
            new OptionalKeys("step-closed", 4, "unread"),
            new OptionalKeys("stopped", 1, "reason of code tripwire"),
            new OptionalKeys("stopped", 2, "reason.providerMessage"),
            new OptionalKeys("stopped", 3, "unread"));

    private Upcasters() {}

    /**
     * Lift a fact, step by step.
     *
     * @param fact its JSON, which is changed
     * @param type the name of its type
     * @param from the version it has
     * @param to the version it gets
     */
    public static void lift(ObjectNode fact, String type, int from, int to) {
        for (int version = from; version < to; version++) {
            of(type, version).lift(fact);
        }
    }

    private static Upcaster of(String type, int from) {
        return ALL.stream()
                .filter(each -> each.type().equals(type) && each.from() == from)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "Nothing lifts a fact '" + type + "' of version " + from + "; add it to Upcasters."));
    }
}
