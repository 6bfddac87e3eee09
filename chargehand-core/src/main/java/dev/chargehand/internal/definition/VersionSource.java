package dev.chargehand.internal.definition;

import dev.chargehand.version.Version;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds versions of agents that are not in code. It may call code of the application. */
@FunctionalInterface
public interface VersionSource {

    /** There are none. */
    VersionSource NONE = (tenantId, code, version) -> Optional.empty();

    /** Precedes the number of a saved version in its id. */
    String SAVED = "stored-";

    /** Return whether an id is that of a saved version, which no agent in code may have. */
    static boolean isSavedId(@Nullable String version) {
        return version != null && version.matches(SAVED + "[1-9][0-9]{0,17}");
    }

    /**
     * Find a version.
     *
     * @param code the agent in code
     * @throws Exception if it cannot be found out
     */
    Optional<AgentDefinition> find(String tenantId, AgentDefinition code, Version version) throws Exception;
}
