package dev.chargehand.store;

import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What a store in memory holds, by tenant. Used under the store's lock, but for the owners. */
final class MemoryTenants {

    private final boolean keepsEndedRuns;
    private final Map<RunId, MemoryRun> runs = new HashMap<>();
    private final Map<String, MemoryRuns> tenants = new HashMap<>();
    private final Set<String> owners = ConcurrentHashMap.newKeySet();

    MemoryTenants(boolean keepsEndedRuns) {
        this.keepsEndedRuns = keepsEndedRuns;
    }

    boolean keepsEndedRuns() {
        return keepsEndedRuns;
    }

    /** Return the owners that are alive. Thread-safe. */
    Set<String> owners() {
        return owners;
    }

    MemoryRuns of(String tenantId) {
        return tenants.computeIfAbsent(tenantId, id -> new MemoryRuns(runs, id, keepsEndedRuns, owners));
    }

    List<RunRecord> list(RunFilter filter) {
        RunRecord last = filter.before()
                .map(before ->
                        Optional.ofNullable(runs.get(before)).orElseThrow(() -> MemoryRuns.notFound(before)).record)
                .orElse(null);
        return MemoryRun.list(runs, null, filter, last);
    }

    /** Delete ended trees of a tenant, or of all tenants for null. */
    int deleteEnded(@Nullable String tenantId, Instant changedBefore, int limit) {
        List<MemoryRun> ended = runs.values().stream()
                .filter(run -> tenantId == null || run.record.tenantId().equals(tenantId))
                .filter(run -> run.isDeletable(runs, changedBefore))
                .limit(Math.max(0, limit))
                .toList();
        ended.forEach(root -> of(root.record.tenantId()).delete(root));
        return ended.size();
    }

    DueRuns due(DueRuns.Query query) {
        return DueRuns.of(runs, query, owners, run -> of(run.tenantId()).mayBegin(run));
    }
}
