package dev.chargehand.testkit.replay;

import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Finds the recorded run that a run of a replay stands for: the root for the root, else by the call that made it. */
final class Tracks {

    private final Store store;
    private final Track root;
    private final Map<RunId, Track> recorded = new LinkedHashMap<>();

    /**
     * Make it.
     *
     * @param store the store of the replay
     */
    Tracks(Recording recording, Store store) {
        this.store = store;
        recording.runs().forEach(run -> recorded.put(run.record().runId(), Track.of(run.record(), run.facts())));
        this.root = Objects.requireNonNull(recorded.get(recording.root()), "a recording has its root run");
    }

    Track root() {
        return root;
    }

    /** Return a run of the replay as it is in its store. */
    Track played(RunId runId) {
        RunRecord record = store.find(runId)
                .orElseThrow(() -> new ReplayMismatchException("Run " + runId + " is not in the replay."));
        return Track.of(record, store.read(runId, 0));
    }

    /**
     * Return the recorded run that a run of the replay stands for.
     *
     * @throws ReplayMismatchException if there is none
     */
    Track recordedFor(Track played) {
        RunId parentId = played.record().parentRunId().orElse(null);
        String callId = played.record().parentCallId().orElse(null);
        if (parentId == null || callId == null) {
            return root;
        }
        Track parent = played(parentId);
        Track recordedParent = recordedFor(parent);
        Track.Place place = placeIn(parent, callId);
        return recordedParent
                .call(place)
                .flatMap(call -> below(recordedParent, call.callId()))
                .orElseThrow(() ->
                        new ReplayMismatchException("Agent '" + played.record().path()
                                + "' was delegated to in " + place + " of '"
                                + parent.record().path()
                                + "', but there is no such delegation in the recording."));
    }

    static Track.Place placeIn(Track parent, String callId) {
        return parent.place(callId)
                .orElseThrow(
                        () -> new ReplayMismatchException("Call " + callId + " is not in run " + parent.runId() + "."));
    }

    /** Return the run that a call delegated to. */
    Optional<Track> below(Track parent, String callId) {
        return recorded.values().stream()
                .filter(track -> track.record()
                        .parentRunId()
                        .filter(parent.runId()::equals)
                        .isPresent())
                .filter(track ->
                        track.record().parentCallId().filter(callId::equals).isPresent())
                .findFirst();
    }

    /** Return the names of the models that answered an agent, in the order in which they first did. */
    List<String> modelsOf(String agentId) {
        return recorded.values().stream()
                .filter(track -> track.record().agentId().equals(agentId))
                .flatMap(track -> track.steps().stream())
                .map(step -> step.answered().model())
                .distinct()
                .toList();
    }

    /** Return every recorded run. */
    List<Track> all() {
        return List.copyOf(recorded.values());
    }
}
