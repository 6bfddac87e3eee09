package dev.chargehand.internal.engine.task;

import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The until-idle calls that are open in a runtime, of all tenants. Thread-safe. */
public final class IdleCalls {

    private final Map<Key, IdleCall> open = new ConcurrentHashMap<>();

    private record Key(String tenantId, RunId first) {}

    IdleCalls() {}

    /** Note that a call is open; its first turn is about to be stored. */
    public void open(String tenantId, RunId first, IdleCall call) {
        open.put(new Key(tenantId, first), call);
    }

    /** Note that the caller waits no longer. */
    public void close(String tenantId, RunId first) {
        open.remove(new Key(tenantId, first));
    }

    /** Return whether a caller waits. */
    public boolean anyOpen() {
        return !open.isEmpty();
    }

    /** Return the open call that a run is a turn or a task of. */
    public Optional<IdleCall> of(RunRecord run) {
        return of(run.tenantId(), run.untilIdle().orElse(null));
    }

    /** Return the open call of a first turn; null for none. */
    public Optional<IdleCall> of(String tenantId, @Nullable RunId first) {
        return first == null ? Optional.empty() : Optional.ofNullable(open.get(new Key(tenantId, first)));
    }
}
