package dev.chargehand.internal.journal;

import dev.chargehand.store.version.SavedVersion;
import dev.chargehand.store.version.VersionStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The versions of a store whose every call ends within a limit. */
record BoundedVersionStore(VersionStore versions, BoundedStoreCalls calls) implements VersionStore {

    /** Save a version; if the outcome is unknown, it is saved again, which changes nothing if it is stored and still the latest. */
    @Override
    public SavedVersion save(String agentId, String document, Instant at) {
        return calls.determined(
                "save a version of agent " + agentId,
                () -> versions.save(agentId, document, at),
                () -> Optional.of(versions.save(agentId, document, at)));
    }

    @Override
    public Optional<SavedVersion> find(String agentId, long number) {
        return calls.run("find a version of agent " + agentId, () -> versions.find(agentId, number));
    }

    @Override
    public Optional<SavedVersion> latest(String agentId) {
        return calls.run("find the latest version of agent " + agentId, () -> versions.latest(agentId));
    }

    @Override
    public Optional<SavedVersion> published(String agentId) {
        return calls.run("find the published version of agent " + agentId, () -> versions.published(agentId));
    }

    @Override
    public List<SavedVersion> list(String agentId, long before, int limit) {
        return calls.run("list the versions of agent " + agentId, () -> versions.list(agentId, before, limit));
    }

    @Override
    public boolean publish(String agentId, long number) {
        return calls.run("publish a version of agent " + agentId, () -> versions.publish(agentId, number));
    }

    @Override
    public boolean delete(String agentId, long number) {
        return calls.run("delete a version of agent " + agentId, () -> versions.delete(agentId, number));
    }
}
