package dev.chargehand.jdbc;

import dev.chargehand.jdbc.internal.sql.VersionTable;
import dev.chargehand.store.version.SavedVersion;
import dev.chargehand.store.version.VersionStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The saved versions of the agents of one tenant, in a database. */
record JdbcVersionStore(StoreCalls calls, VersionTable table) implements VersionStore {

    @Override
    public SavedVersion save(String agentId, String document, Instant at) {
        return calls.write(session -> table.save(session, agentId, document, at), true);
    }

    @Override
    public Optional<SavedVersion> find(String agentId, long number) {
        return calls.read(session -> table.find(session, agentId, number));
    }

    @Override
    public Optional<SavedVersion> latest(String agentId) {
        return calls.read(session -> table.latest(session, agentId));
    }

    @Override
    public Optional<SavedVersion> published(String agentId) {
        return calls.read(session -> table.published(session, agentId));
    }

    @Override
    public List<SavedVersion> list(String agentId, long before, int limit) {
        return calls.read(session -> table.list(session, agentId, before, limit));
    }

    @Override
    public boolean publish(String agentId, long number) {
        return calls.write(session -> table.publish(session, agentId, number), true);
    }

    @Override
    public boolean delete(String agentId, long number) {
        return calls.write(session -> table.delete(session, agentId, number), true);
    }
}
