package dev.chargehand.store.version;

import dev.chargehand.annotation.Experimental;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The saved versions of one tenant, in memory. Thread-safe. */
@Experimental
public final class InMemoryVersions implements VersionStore {

    private final Map<String, OfAgent> agents = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    private record Saved(String document, Instant at) {}

    private static final class OfAgent {
        private final TreeMap<Long, Saved> versions = new TreeMap<>();
        private long last;
        private long published;

        private SavedVersion version(String agentId, long number) {
            Saved saved = Objects.requireNonNull(versions.get(number));
            return new SavedVersion(
                    agentId, number, saved.document(), saved.at(), number == published, number == versions.lastKey());
        }
    }

    private <T> T of(String agentId, Function<OfAgent, T> work) {
        lock.lock();
        try {
            return work.apply(agents.computeIfAbsent(agentId, id -> new OfAgent()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SavedVersion save(String agentId, String document, Instant at) {
        return of(agentId, agent -> {
            boolean same = !agent.versions.isEmpty()
                    && agent.versions.lastEntry().getValue().document().equals(document);
            if (!same) {
                agent.versions.put(++agent.last, new Saved(document, at));
            }
            return agent.version(agentId, agent.versions.lastKey());
        });
    }

    @Override
    public Optional<SavedVersion> find(String agentId, long number) {
        return of(
                agentId,
                agent -> agent.versions.containsKey(number)
                        ? Optional.of(agent.version(agentId, number))
                        : Optional.empty());
    }

    @Override
    public Optional<SavedVersion> latest(String agentId) {
        return list(agentId, Long.MAX_VALUE, 1).stream().findFirst();
    }

    @Override
    public Optional<SavedVersion> published(String agentId) {
        return of(
                agentId,
                agent ->
                        agent.published == 0 ? Optional.empty() : Optional.of(agent.version(agentId, agent.published)));
    }

    @Override
    public List<SavedVersion> list(String agentId, long before, int limit) {
        return of(agentId, agent -> agent.versions.headMap(before, false).descendingMap().keySet().stream()
                .limit(Math.max(0, limit))
                .map(number -> agent.version(agentId, number))
                .toList());
    }

    @Override
    public boolean publish(String agentId, long number) {
        return of(agentId, agent -> {
            boolean exists = agent.versions.containsKey(number);
            agent.published = exists ? number : agent.published;
            return exists;
        });
    }

    @Override
    public boolean delete(String agentId, long number) {
        return of(agentId, agent -> number != agent.published && agent.versions.remove(number) != null);
    }
}
