package dev.chargehand.store.version;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The part of a store that keeps saved versions of agents. It belongs to the tenant of its store. Thread-safe. Every method may throw
 * {@link StoreException}; after one, nothing of the call is stored, but for {@link StoreException.Kind#TIMEOUT}, where it may be.
 *
 * <p>Of several calls that change the versions of one agent at once, in any number of processes, one comes after the other. A change
 * that has returned survives a power cut.
 */
@Experimental
public interface VersionStore {

    /**
     * Save a document as the next version, unless the latest version has the very same. It is not published.
     *
     * @param at when; a time of the caller
     * @return the new version, or the latest one if that has the document
     */
    SavedVersion save(String agentId, String document, Instant at);

    /** Return a version, if it is kept. */
    Optional<SavedVersion> find(String agentId, long number);

    /** Return the version that was saved last, of those that are kept. */
    Optional<SavedVersion> latest(String agentId);

    /** Return the published version. */
    Optional<SavedVersion> published(String agentId);

    /**
     * Return versions, the one that was saved last first.
     *
     * @param before only those with a lower number; {@link Long#MAX_VALUE} for all
     * @param limit how many at most
     */
    List<SavedVersion> list(String agentId, long before, int limit);

    /**
     * Make a version the published one, in place of any other.
     *
     * @return whether it is published now; false if it is missing
     */
    boolean publish(String agentId, long number);

    /**
     * Delete a version for good; its number is not used again.
     *
     * @return whether it was deleted; false if it is missing or published
     */
    boolean delete(String agentId, long number);
}
