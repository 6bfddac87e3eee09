package dev.chargehand.internal.fact;

import dev.chargehand.thread.ThreadOwner;

/**
 * The thread a run appends to.
 *
 * @param position how many messages the thread had before the run; 0 of a submitted run that has not started
 */
public record ThreadLink(String id, ThreadOwner owner, long position) {
    public ThreadLink {
        Parts.require(id, owner);
    }
}
