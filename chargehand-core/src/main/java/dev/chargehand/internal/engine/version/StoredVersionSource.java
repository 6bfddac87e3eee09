package dev.chargehand.internal.engine.version;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.KnownVersions;
import dev.chargehand.internal.definition.VersionSource;
import dev.chargehand.store.Store;
import dev.chargehand.store.version.SavedVersion;
import dev.chargehand.store.version.VersionStore;
import dev.chargehand.version.Version;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds the versions of agents that are saved in a store, and makes agents of their documents. Thread-safe. */
public final class StoredVersionSource implements VersionSource {

    private final Store store;
    private final Reader reader;
    private final Duration limit;
    private final KnownVersions known = new KnownVersions();

    /** Makes an agent of a document. */
    @FunctionalInterface
    public interface Reader {

        /**
         * Make the agent.
         *
         * @throws Exception if there are mistakes in the document
         */
        AgentDefinition read(String agentId, String version, String document) throws Exception;
    }

    /**
     * Make it for a runtime.
     *
     * @param store of any tenant
     * @param limit how long the reading of a document may take
     */
    public StoredVersionSource(Store store, Reader reader, Duration limit) {
        this.store = store;
        this.reader = reader;
        this.limit = limit;
    }

    Duration limit() {
        return limit;
    }

    @Override
    public Optional<AgentDefinition> find(String tenantId, AgentDefinition code, Version version) throws Exception {
        Optional<SavedVersion> saved = saved(versions(tenantId), code.id(), version);
        if (saved.isEmpty()) {
            return Optional.empty();
        }
        String id = idOf(saved.get());
        Optional<AgentDefinition> made = known.get(tenantId, code, id);
        if (made.isPresent()) {
            return made;
        }
        AgentDefinition read =
                VersionFrame.around(code, read(code, id, saved.get().document()));
        known.keep(tenantId, code, id, read);
        return Optional.of(read);
    }

    /**
     * Return the versions of a tenant.
     *
     * @throws ConfigurationException if the store keeps none
     */
    VersionStore versions(String tenantId) {
        return store.forTenant(tenantId)
                .versions()
                .orElseThrow(() -> new ConfigurationException("The store of the runtime keeps no versions of agents."
                        + " Use another store, or no catalog of stored versions."));
    }

    /** Return what is saved of a version. */
    static Optional<SavedVersion> saved(VersionStore versions, String agentId, Version version) {
        return switch (version.kind()) {
            case ID -> {
                OptionalLong number = numberOf(version.id().orElseThrow());
                yield number.isPresent() ? versions.find(agentId, number.getAsLong()) : Optional.empty();
            }
            case PUBLISHED -> versions.published(agentId);
            case LATEST -> versions.latest(agentId);
        };
    }

    /**
     * Make an agent of a document, without what the agent in code decides.
     *
     * @throws Exception if there are mistakes in the document
     */
    AgentDefinition read(AgentDefinition code, String id, String document) throws Exception {
        AgentDefinition read = reader.read(code.id(), id, document);
        if (!read.id().equals(code.id()) || !id.equals(read.version())) {
            throw new ConfigurationException("The reader of stored versions returned agent '" + read.id()
                    + "' with version '" + read.version() + "' for version '" + id + "' of agent '" + code.id()
                    + "'; it must return an agent of that id and version.");
        }
        return read;
    }

    /** Return the id of a saved version. */
    static String idOf(SavedVersion saved) {
        return SAVED + saved.number();
    }

    /** Return the number of a version whose id is that of a saved one. */
    static OptionalLong numberOf(String id) {
        return VersionSource.isSavedId(id)
                ? OptionalLong.of(Long.parseLong(id.substring(SAVED.length())))
                : OptionalLong.empty();
    }
}
