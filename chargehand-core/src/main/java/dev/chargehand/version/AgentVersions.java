package dev.chargehand.version;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.VersionUnknownException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions of agents that are saved in the store of a runtime, for one tenant. A runtime has them if its catalog is {@code
 * AgentCatalog.stored(…)} and its store keeps versions.
 *
 * <pre>{@code
 * AgentVersion draft = runtime.versions().save("writer", text);
 * runtime.agent("writer").generate("Try it.", o -> o.version("writer", Version.id(draft.id())));
 * runtime.versions().publish("writer", draft.id());
 * }</pre>
 *
 * <p>A version is an agent of the runtime with other texts, models, tools and settings. It has the id of the agent in code, and that
 * one's limits, approval policy, hooks and processors: {@link #save} rejects a document that raises a limit or has processors of its
 * own, and what is set in code holds for every version, also if it was set later.
 *
 * <p>Every method throws {@link dev.chargehand.error.StoreException} if the store fails, and {@link ConfigurationException} if the
 * runtime has no agent of the id, or the id is that of a workflow. Thread-safe; of several callers in any number of processes one comes
 * after the other.
 */
@Experimental
public interface AgentVersions {

    /** How many characters a document may have. */
    int LONGEST_DOCUMENT = 262_144;

    /** How many versions a page may have. */
    int LONGEST_PAGE = 100;

    /**
     * Return versions, the one that was saved last first.
     *
     * @param before the id of a version, to continue after it; null for the first page
     * @param limit how many at most, from 1 to {@value #LONGEST_PAGE}
     * @throws ConfigurationException if the limit or the id is not valid
     */
    List<AgentVersion> list(String agentId, @Nullable String before, int limit);

    /** Return a version: by its id, the published one, or the one that was saved last. */
    Optional<AgentVersion> find(String agentId, Version version);

    /**
     * Save a document as a draft: the latest version, which is not published. If the latest version has the very same document,
     * nothing is saved, and it is returned.
     *
     * @throws dev.chargehand.error.ChargehandException if there are mistakes in the document, as the reader of the catalog reports
     *     them; nothing is saved then
     * @throws ConfigurationException if it is longer than {@value #LONGEST_DOCUMENT} characters, or changes what only the agent in code
     *     decides
     */
    AgentVersion save(String agentId, String document);

    /**
     * Make a version the published one. Runs that have started keep theirs.
     *
     * @throws VersionUnknownException if it is missing
     * @throws dev.chargehand.error.ChargehandException if this runtime cannot use its document; see {@link #save}
     */
    AgentVersion publish(String agentId, String versionId);

    /**
     * Save the document of a version again, as a draft: see {@link #save}.
     *
     * @throws VersionUnknownException if it is missing
     * @throws dev.chargehand.error.ChargehandException if this runtime cannot use its document; see {@link #save}
     */
    AgentVersion restore(String agentId, String versionId);

    /**
     * Delete a version for good. Runs that were started with it and have not ended can no longer be resumed by a process that has not
     * used it yet; they can be cancelled.
     *
     * @return whether it was deleted; false if it is missing
     * @throws ConfigurationException if it is the published one; publish another before
     */
    boolean delete(String agentId, String versionId);
}
