package dev.chargehand.internal.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The last versions of agents that were found, since an id of a version names the same agent for good. Thread-safe. */
public final class KnownVersions {

    private static final int MOST = 1_000;

    private final Map<Key, AgentDefinition> found = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, AgentDefinition> eldest) {
            return size() > MOST;
        }
    };

    /** Two agents in code of one id, below two supervisors, are two agents. */
    private record Key(String tenantId, AgentDefinition code, String version) {

        @Override
        @SuppressWarnings("ReferenceEquality") // equal agents may hold different code of the application
        public boolean equals(Object other) {
            return other instanceof Key that
                    && code == that.code
                    && version.equals(that.version)
                    && tenantId.equals(that.tenantId);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * tenantId.hashCode() + System.identityHashCode(code)) + version.hashCode();
        }
    }

    /** Return a version, if it was found lately. */
    public synchronized Optional<AgentDefinition> get(String tenantId, AgentDefinition code, String version) {
        return Optional.ofNullable(found.get(new Key(tenantId, code, version)));
    }

    /** Keep a version that was found. */
    public synchronized void keep(String tenantId, AgentDefinition code, String version, AgentDefinition agent) {
        found.put(new Key(tenantId, code, version), agent);
    }
}
