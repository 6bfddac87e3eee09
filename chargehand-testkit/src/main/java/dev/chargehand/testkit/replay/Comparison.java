package dev.chargehand.testkit.replay;

import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.StepState;
import java.util.List;
import java.util.Optional;

/** Compares a whole replay with its recording, run by run. */
final class Comparison {

    private final Tracks tracks;

    Comparison(Tracks tracks) {
        this.tracks = tracks;
    }

    /**
     * Compare a run and its descendants.
     *
     * @throws ReplayMismatchException if anything is different
     */
    void compare(Track played) {
        Track recorded = tracks.recordedFor(played);
        String difference = Lines.difference(Lines.of(recorded.end()), Lines.of(played.end()));
        if (!difference.isEmpty()) {
            throw new ReplayMismatchException("The run of '" + recorded.record().path() + "' (recorded run "
                    + recorded.runId() + ") went another way, first in " + difference);
        }
        List<StepState> steps = recorded.steps();
        for (StepState step : steps) {
            for (int i = 0; i < step.calls().size(); i++) {
                Track.Place place = new Track.Place(step.number(), i);
                compareAnswers(played, recorded, place);
                compareBelow(played, recorded, place);
            }
        }
    }

    private static void compareAnswers(Track played, Track recorded, Track.Place place) {
        List<String> before = recorded.call(place)
                .map(call -> recorded.answersTo(call.callId()))
                .orElse(List.of());
        List<String> now =
                played.call(place).map(call -> played.answersTo(call.callId())).orElse(List.of());
        if (!before.equals(now)) {
            throw new ReplayMismatchException(
                    "The " + place + " of '" + recorded.record().path() + "' was answered otherwise:\n  recorded: "
                            + before + "\n  now:      " + now);
        }
    }

    private void compareBelow(Track played, Track recorded, Track.Place place) {
        Optional<Track> below = recorded.call(place).map(CallState::callId).flatMap(id -> tracks.below(recorded, id));
        if (below.isEmpty()) {
            return;
        }
        CallState call = played.call(place).orElseThrow();
        if (!call.isDelegation() || call.opened() == null || call.opened().child() == null) {
            throw new ReplayMismatchException("The delegation in " + place + " of '"
                    + recorded.record().path() + "' was recorded, but not made again.");
        }
        compare(tracks.played(call.child().runId()));
    }
}
