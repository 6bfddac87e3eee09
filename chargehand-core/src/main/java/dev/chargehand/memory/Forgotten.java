package dev.chargehand.memory;

/**
 * What was deleted when a resource was forgotten.
 *
 * @param runs how many root runs, with all that is theirs
 * @param threads how many threads, those of sub-agents included
 * @param workingMemories how many working memories that the threads of the resource shared; others went with their threads
 */
public record Forgotten(long runs, long threads, long workingMemories) {

    /** Return whether there was nothing to delete. */
    public boolean isNothing() {
        return runs == 0 && threads == 0 && workingMemories == 0;
    }
}
