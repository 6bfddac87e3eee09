package dev.chargehand.store.memory;

import dev.chargehand.thread.ThreadOwner;
import java.util.List;

/**
 * What a search found.
 *
 * @param hits the nearest messages, best first
 * @param complete whether all passages that may be found were searched, and not only those of the messages said last
 */
public record PassageHits(List<Hit> hits, boolean complete) {

    public PassageHits {
        hits = List.copyOf(hits);
    }

    /**
     * A message that was found.
     *
     * @param owner whose thread it is in, as it is stored
     * @param threadId its thread
     * @param position its place in the thread, from 0
     * @param score the similarity of its best passage, from -1 to 1; a number beyond that, from rounding, becomes the nearest of these
     */
    public record Hit(ThreadOwner owner, String threadId, long position, double score) {

        public Hit {
            score = Math.clamp(score, -1.0, 1.0);
        }
    }
}
