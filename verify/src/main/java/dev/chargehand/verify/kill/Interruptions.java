package dev.chargehand.verify.kill;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.json.Json;
import dev.chargehand.store.FactEntry;
import dev.chargehand.verify.workflows.RunFacts;
import dev.chargehand.verify.workflows.TreeFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows which calls something happened to while they were being executed: their process was killed, or its store failed. A write that fails ends
 * the life of the whole tree a little later, so a nested run may start a call between the two, which is interrupted by the end.
 */
final class Interruptions {

    /** The next life of a tree has this fact first. */
    private static final String RESUMED = "resumed-";

    private final Map<String, List<FactEntry>> facts;
    private final Map<String, Integer> stored = new HashMap<>();
    private final List<Integer> disturbances = new ArrayList<>();

    /**
     * Make it of what all processes said.
     *
     * @param facts those of each run
     */
    Interruptions(List<Line> lines, Map<String, List<FactEntry>> facts) {
        this.facts = facts;
        boolean lostStore = false;
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            switch (line.word()) {
                case Line.READY, Line.OUTAGE -> {
                    disturbances.add(i);
                    lostStore = line.word().equals(Line.OUTAGE);
                }
                case Line.STORED -> {
                    if (line.part(0).equals("fact")) {
                        stored.putIfAbsent(line.part(1) + " " + line.part(2), i);
                        if (lostStore && line.part(3).startsWith(RESUMED)) {
                            disturbances.add(i);
                            lostStore = false;
                        }
                    }
                }
                default -> {}
            }
        }
    }

    /** Return whether a call for a slot may have been interrupted between its intent and its end. */
    boolean mayHaveHit(String slot) {
        return facts.entrySet().stream().anyMatch(run -> mayHaveHit(run.getKey(), run.getValue(), slot));
    }

    private boolean mayHaveHit(String run, List<FactEntry> entries, String slot) {
        Map<String, Integer> opened = new HashMap<>();
        Set<String> wanted = RunFacts.callIds(entries, slot);
        for (int place = 0; place < entries.size(); place++) {
            switch (FactCodec.read(entries.get(place))) {
                case Fact.Answered answered ->
                    answered.calls().stream()
                            .filter(call -> slot(call).equals(slot))
                            .forEach(call -> wanted.add(call.callId()));
                case Fact.CallOpened intent -> opened.put(intent.callId(), place);
                case Fact.CallClosed end -> {
                    if (wanted.contains(end.callId()) && isDisturbed(run, opened.get(end.callId()), place)) {
                        return true;
                    }
                }
                default -> {}
            }
        }
        return false;
    }

    /** Return the slots of the steps whose outcome is unknown. */
    Set<String> unknown() {
        return TreeFacts.of(facts.values()).unknown();
    }

    private static String slot(RequestedCall call) {
        return Json.parse(call.arguments()).at("/slot").flatMap(Json::string).orElse("");
    }

    /** A fact that no caller acknowledged was stored by a process that was killed, or lost its store, right then. */
    private boolean isDisturbed(String run, @Nullable Integer from, int to) {
        Integer began = stored.get(run + " " + from);
        Integer ended = stored.get(run + " " + to);
        return from != null
                && (began == null || ended == null || disturbances.stream().anyMatch(at -> at > began && at < ended));
    }
}
