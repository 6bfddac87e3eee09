package dev.chargehand.internal.fact;

import java.util.List;

/**
 * Which part of its conversation a run sees through observations.
 *
 * @param seen the observations, first those of its own thread, also if there are none
 * @param from the position of the first message of its thread that it sees as it is
 * @param tokens how many tokens the messages before the run have that it sees as they are
 * @param steps how many of its own steps it sees through observations
 * @param hasFailed whether messages that were to be observed were not, which this run does not try again
 * @param isUpdate whether the run had recalled before, and only this is new
 */
public record ObservedHistory(List<Seen> seen, long from, long tokens, int steps, boolean hasFailed, boolean isUpdate) {

    public ObservedHistory {
        seen = List.copyOf(seen);
        if (seen.isEmpty() || from < 0 || tokens < 0 || steps < 0) {
            throw new IllegalArgumentException("Not a history: " + seen + ", from " + from + ", " + steps + " steps.");
        }
    }

    /** Return the observations of the run's own thread, or of the one that this was copied from. */
    public Seen own() {
        return seen.getFirst();
    }

    /** Return the observations of other threads. */
    public List<Seen> others() {
        return seen.subList(1, seen.size());
    }

    /** Return the same for a run that does not try again to have its messages observed. */
    public ObservedHistory failed() {
        return new ObservedHistory(seen, from, tokens, steps, true, true);
    }

    /** Return the same for a run that had recalled before. */
    public ObservedHistory asUpdate() {
        return new ObservedHistory(seen, from, tokens, steps, hasFailed, true);
    }

    /**
     * Observations of a thread.
     *
     * @param number the greatest number of one; 0 if there are none
     * @param end the position of the first message that they are not about
     */
    public record Seen(String threadId, long number, long end) {}
}
