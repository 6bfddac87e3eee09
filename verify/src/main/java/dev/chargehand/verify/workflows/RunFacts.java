package dev.chargehand.verify.workflows;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.FactEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is stored of the run of a workflow.
 *
 * @param facts in their order
 */
public record RunFacts(List<Fact> facts) {

    private static final String UNKNOWN = "outcome is unknown";

    public RunFacts {
        facts = List.copyOf(facts);
    }

    /** Read them. */
    static RunFacts of(List<FactEntry> entries) {
        return new RunFacts(entries.stream().map(FactCodec::read).toList());
    }

    /** Return the ids of the calls of a run that are known by a name, such as {@code e1[2]#1}. */
    public static Set<String> callIds(List<FactEntry> run, String slot) {
        return of(run).slots().entrySet().stream()
                .filter(call -> call.getValue().equals(slot))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Return the calls of steps whose outcome is unknown; one with a nested run has the outcome of that. */
    Set<String> unknown() {
        Map<String, String> slots = slots();
        Set<String> unknown = new HashSet<>();
        for (Fact fact : facts) {
            if (fact instanceof Fact.CallClosed end
                    && end.child() == null
                    && String.valueOf(end.error()).contains(UNKNOWN)) {
                unknown.add(slots.getOrDefault(end.callId(), end.callId()));
            }
        }
        return unknown;
    }

    /** Return the calls that have intents. */
    Set<String> opened() {
        Map<String, String> slots = slots();
        Set<String> opened = new HashSet<>();
        for (Fact fact : facts) {
            if (fact instanceof Fact.CallOpened intent) {
                opened.add(slots.getOrDefault(intent.callId(), intent.callId()));
            }
        }
        return opened;
    }

    /** Return the runs that its calls have started. */
    Set<RunId> nested() {
        Set<RunId> nested = new HashSet<>();
        for (Fact fact : facts) {
            if (fact instanceof Fact.CallOpened intent && intent.child() != null) {
                nested.add(intent.child().runId());
            }
        }
        return nested;
    }

    /** Return whether something has started after the run was cancelled. */
    boolean hasBegunAfterCancel() {
        boolean cancelled = false;
        for (Fact fact : facts) {
            if (cancelled && (fact instanceof Fact.CallOpened || fact instanceof RoundFact.Planned)) {
                return true;
            }
            cancelled |= fact instanceof Fact.Stopped stopped && stopped.reason() instanceof StopReason.Cancelled;
        }
        return false;
    }

    /** Return what is stored twice and may be stored once: the end of a call, a round, its end, a wait, or an answer. */
    List<String> doubled() {
        Set<String> seen = new HashSet<>();
        List<String> doubled = new ArrayList<>();
        for (Fact fact : facts) {
            String what =
                    switch (fact) {
                        case Fact.CallClosed end -> "end of call " + end.callId();
                        case Fact.CallParked wait -> "wait " + wait.waitNumber() + " of call " + wait.callId();
                        case Fact.CallDecided answer ->
                            "answer to wait " + answer.waitNumber() + " of call " + answer.callId();
                        case RoundFact.Planned round -> "round " + round.round();
                        case RoundFact.RoundClosed end -> "end of round " + end.round();
                        default -> "";
                    };
            if (!what.isEmpty() && !seen.add(what)) {
                doubled.add(what);
            }
        }
        return doubled;
    }

    /** Return what was asked, each as often as it was. */
    List<String> asked() {
        List<String> asked = new ArrayList<>();
        for (Fact fact : facts) {
            if (fact instanceof Fact.CallParked wait && wait.kind() == WaitKind.DATA && wait.payload() != null) {
                asked.add(wait.payload().as(Questions.Question.class).what());
            }
        }
        return asked;
    }

    private Map<String, String> slots() {
        Map<String, String> slots = new HashMap<>();
        for (Fact fact : facts) {
            if (fact instanceof RoundFact.Planned planned) {
                planned.calls().forEach(call -> slots.put(call.callId(), slot(planned, call)));
            }
        }
        return slots;
    }

    private String slot(RoundFact.Planned planned, RoundFact.PlannedCall call) {
        return call.path() + place() + "#" + planned.iteration();
    }

    /** Return what distinguishes the calls of a nested run from those of others: its input. */
    private String place() {
        return facts.getFirst() instanceof Fact.Started started && started.parentRunId() != null
                ? Part.NESTED + started.input().getFirst().text()
                : "";
    }
}
