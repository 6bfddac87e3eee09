package dev.chargehand.internal.memory.observation;

import dev.chargehand.internal.memory.history.Recent;
import dev.chargehand.memory.Observations;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.thread.ThreadOwner;

/**
 * A thread whose messages are observed.
 *
 * @param store the store of its tenant
 * @param settings how they are observed
 */
record ObservedThread(Store store, ThreadOwner owner, String threadId, Observations settings) {

    /** How much of the tokens that messages may have before they are observed is left to the newest of them. */
    private static final int LEFT = 20;

    MemoryStore memory() {
        return store.memory().orElseThrow();
    }

    ObservationLog log() {
        return memory().observations(owner, threadId);
    }

    /** Return the messages that were not observed, up to a position. */
    Recent unobserved(ObservationLog log, long to) {
        return new Recent(store, owner, threadId, log.end(), to);
    }

    /** Return how many tokens of the newest messages are left out when the others are observed. */
    long tokensLeft() {
        return (long) settings.messageTokens() * LEFT / 100;
    }
}
