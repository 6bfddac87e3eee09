package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.version.Version;
import java.util.Optional;

/**
 * Finds versions of agents that were not given to the runtime; set by {@link AgentRuntimeBuilder#catalog}.
 *
 * <pre>{@code
 * AgentRuntime.builder()
 *     .agents(writer)                                    // the agent in code
 *     .catalog(query -> releases.find(query.agentId(), query.version()))
 *     .build();
 * }</pre>
 *
 * <p>It is called where a version is selected that no agent in code has, and where a stored run continues in such a version. The
 * agent that it returns must have the id of the query and a version of its own, by which the run finds it again: an id of a version must
 * name the same agent for as long as runs of it are open. The runtime keeps what it has found, for the runs that continue.
 *
 * <p>A call that throws, returns null or another agent, or takes longer than {@link AgentRuntimeBuilder#catalogTimeLimit} is a
 * {@link dev.chargehand.error.VersionUnknownException}: a run does not start, a delegation gets an error result, and a stored run is left
 * as it is. Called by several threads at once.
 */
@Experimental
@FunctionalInterface
public interface AgentCatalog {

    /**
     * Find a version of an agent.
     *
     * @return empty if there is no such version
     * @throws Exception if it cannot be found out
     */
    Optional<Agent> find(Query query) throws Exception;

    /**
     * Return the catalog of the versions that are saved in the store of the runtime, which {@link TenantRuntime#versions} saves,
     * publishes and restores. Each tenant has its own.
     *
     * @param reader makes agents of the saved documents, for example {@code crew::version} of an agents' file
     */
    static AgentCatalog stored(DocumentReader reader) {
        return new AgentRuntimeBuilder.StoredCatalog(Given.value("The reader of stored versions", reader));
    }

    /**
     * What is looked for.
     *
     * @param tenantId the tenant of the run
     * @param agentId the id of an agent
     * @param version an id that no agent in code has, or the version that is published or was saved last
     */
    record Query(String tenantId, String agentId, Version version) {}

    /** Makes an agent of a saved document. Called by several threads at once. */
    @FunctionalInterface
    interface DocumentReader {

        /**
         * Make an agent.
         *
         * @param agentId the id that the agent must have
         * @param version the version that the agent must have
         * @param document the text that was saved
         * @throws Exception if there are mistakes in the document; its message is for the author
         */
        Agent read(String agentId, String version, String document) throws Exception;
    }
}
