package dev.chargehand.testkit;

import dev.chargehand.store.version.SavedVersion;
import dev.chargehand.store.version.VersionStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The versions of a {@link FaultyStore}, whose calls meet the faults of the same plan. */
record FaultyVersionStore(VersionStore versions, FaultPlan plan) implements VersionStore {

    @Override
    public SavedVersion save(String agentId, String document, Instant at) {
        return plan.call(Operation.CHANGE_VERSIONS, () -> versions.save(agentId, document, at));
    }

    @Override
    public Optional<SavedVersion> find(String agentId, long number) {
        return plan.call(Operation.READ_VERSIONS, () -> versions.find(agentId, number));
    }

    @Override
    public Optional<SavedVersion> latest(String agentId) {
        return plan.call(Operation.READ_VERSIONS, () -> versions.latest(agentId));
    }

    @Override
    public Optional<SavedVersion> published(String agentId) {
        return plan.call(Operation.READ_VERSIONS, () -> versions.published(agentId));
    }

    @Override
    public List<SavedVersion> list(String agentId, long before, int limit) {
        return plan.call(Operation.READ_VERSIONS, () -> versions.list(agentId, before, limit));
    }

    @Override
    public boolean publish(String agentId, long number) {
        return plan.call(Operation.CHANGE_VERSIONS, () -> versions.publish(agentId, number));
    }

    @Override
    public boolean delete(String agentId, long number) {
        return plan.call(Operation.CHANGE_VERSIONS, () -> versions.delete(agentId, number));
    }
}
