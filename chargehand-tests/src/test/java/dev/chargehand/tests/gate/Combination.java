package dev.chargehand.tests.gate;

import java.util.ArrayList;
import java.util.List;

/**
 * What happens to come together at the gate of one step.
 *
 * @param bail whether a delegation of the step bails
 * @param hook what {@code onIterationComplete} does
 * @param scorers what scoring comes to
 * @param everyStep whether steps with calls are scored too
 * @param stopWhen what the predicate does
 * @param limit which limit is reached in the step
 * @param finish how the model's answer ends
 * @param parked whether a call of the step waits for approval, and what the answer is
 * @param cancelInHook whether the run is cancelled while the hook is asked
 */
record Combination(
        boolean bail,
        Says hook,
        Scorers scorers,
        boolean everyStep,
        Predicate stopWhen,
        Spent limit,
        Finish finish,
        Parked parked,
        boolean cancelInHook) {

    enum Says {
        NO_HOOK,
        PROCEED,
        PROCEED_WITH_FEEDBACK,
        STOP,
        STOP_WITH_FEEDBACK,
        THROWS
    }

    enum Scorers {
        NONE,
        PASS,
        FAIL_AND_GO_ON,
        FAIL_AND_GO_ON_WITHOUT_FEEDBACK,
        FAIL_AND_END,
        THROW
    }

    enum Predicate {
        NONE,
        TRUE,
        FALSE,
        THROWS
    }

    enum Spent {
        NOTHING,
        MAX_STEPS,
        TOKENS,
        IDENTICAL_CALLS
    }

    enum Finish {
        STOP_WITH_ANSWER,
        TOOL_CALLS,
        STOP_WITH_CALLS,
        ONLY_NOTES,
        LENGTH,
        CONTENT_FILTER,
        MISSING
    }

    enum Parked {
        NOTHING,
        APPROVED,
        DECLINED
    }

    boolean hasCalls() {
        return finish == Finish.TOOL_CALLS || finish == Finish.STOP_WITH_CALLS || finish == Finish.ONLY_NOTES;
    }

    /** Returns whether scorers see the step without being asked to look at every one. */
    boolean isAnswer() {
        return !hasCalls() || finish == Finish.ONLY_NOTES;
    }

    /** Returns the step whose gate is looked at: the first, or the one after a step that made the same call. */
    int step() {
        return limit == Spent.IDENTICAL_CALLS ? 2 : 1;
    }

    /** Return the number of each value, in the order of the components. */
    int[] values() {
        return new int[] {
            bail ? 1 : 0,
            place(hook),
            place(scorers),
            everyStep ? 1 : 0,
            place(stopWhen),
            place(limit),
            place(finish),
            place(parked),
            cancelInHook ? 1 : 0
        };
    }

    private static <E extends Enum<E>> int place(E value) {
        return List.of(value.getDeclaringClass().getEnumConstants()).indexOf(value);
    }

    private boolean isPossible() {
        boolean bailsWithoutCall = bail && !hasCalls();
        boolean repeatsWithoutCall = limit == Spent.IDENTICAL_CALLS && !hasCalls();
        boolean cancelsWithoutHook = cancelInHook && hook == Says.NO_HOOK;
        boolean scoresNothingMore = everyStep && (scorers == Scorers.NONE || isAnswer());
        // the step before, which makes the same call, would be scored too
        boolean scoresTheStepBefore = everyStep && limit == Spent.IDENTICAL_CALLS;
        boolean parksWithoutCall = parked != Parked.NOTHING && !hasCalls();
        boolean doesMoreThanNote =
                finish == Finish.ONLY_NOTES && (bail || parked != Parked.NOTHING || limit == Spent.IDENTICAL_CALLS);
        return !bailsWithoutCall
                && !doesMoreThanNote
                && !parksWithoutCall
                && !repeatsWithoutCall
                && !cancelsWithoutHook
                && !scoresNothingMore
                && !scoresTheStepBefore;
    }

    static List<Combination> all() {
        List<Combination> possible = new ArrayList<>();
        for (Says hook : Says.values()) {
            for (Scorers scorers : Scorers.values()) {
                for (Predicate stopWhen : Predicate.values()) {
                    for (Spent limit : Spent.values()) {
                        for (Finish finish : Finish.values()) {
                            // the three that are yes or no
                            for (int bits = 0; bits < 8; bits++) {
                                for (Parked parked : Parked.values()) {
                                    possible.add(new Combination(
                                            (bits & 1) > 0,
                                            hook,
                                            scorers,
                                            (bits & 2) > 0,
                                            stopWhen,
                                            limit,
                                            finish,
                                            parked,
                                            (bits & 4) > 0));
                                }
                            }
                        }
                    }
                }
            }
        }
        return possible.stream().filter(Combination::isPossible).toList();
    }
}
