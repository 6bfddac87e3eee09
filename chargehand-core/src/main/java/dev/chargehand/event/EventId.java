package dev.chargehand.event;

/**
 * The place of an event among the events of a tree of runs. It is the same in every process, live and in the history.
 *
 * @param position the tree position of the stored fact that the event reports; 0 if an earlier version, which had no
 *     positions, stored it
 * @param slot the place among the events of the fact; without a position, the place among the events of the run
 */
public record EventId(long position, int slot) implements Comparable<EventId> {

    @Override
    public int compareTo(EventId other) {
        int byPosition = Long.compare(position, other.position);
        return byPosition == 0 ? Integer.compare(slot, other.slot) : byPosition;
    }

    /** Return the id as a text, such as {@code 12.30}. */
    @Override
    public String toString() {
        return position + "." + slot;
    }
}
