package dev.chargehand.internal.engine.lease;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The names under which a runtime owns runs: that of its process, or those of a lease. Thread-safe. */
final class OwnerNames {

    private static final int MOST_SUSPENDED = 10_000;

    private final String process;
    private final @Nullable BoundedLease lease;
    private final Map<RunId, String> names = new ConcurrentHashMap<>();

    /** The names under which runs were executed that are suspended; of too many, the oldest are forgotten. */
    private final Map<RunId, String> suspended = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, String> eldest) {
            return size() > MOST_SUSPENDED;
        }
    });

    /** Make it for a runtime; {@code lease} is null for the process. */
    OwnerNames(String process, @Nullable BoundedLease lease) {
        this.process = process;
        this.lease = lease;
    }

    /** Return whether names are those of a lease. */
    boolean areLeased() {
        return lease != null;
    }

    /** Return the name under which a run is, or would be, executed here. */
    String of(RunId run) {
        String name = names.get(run);
        if (name != null || lease == null) {
            return name == null ? process : name;
        }
        return lease.owner(run);
    }

    /** Return the name for a run that is about to be executed; nothing if it needs nothing of its own. */
    Optional<String> enter(RunId run) {
        if (lease == null) {
            return Optional.empty();
        }
        String name = lease.owner(run);
        names.put(run, name);
        suspended.remove(run);
        lease.keep(name);
        return Optional.of(name);
    }

    /** Keep the name of a run that is suspended, and is not executed here any more. */
    void keepSuspended(RunId run, String name) {
        if (!name.equals(process)) {
            suspended.put(run, name);
        }
    }

    /** Return whether a run was executed here last: its owner is still the one that it had here. */
    boolean hadLast(RunRecord run) {
        String name = names.getOrDefault(run.runId(), suspended.getOrDefault(run.runId(), process));
        return run.owner().equals(name);
    }

    /** Return the name of a run that is not executed here any more, if no other run has it. */
    Optional<String> leave(RunId run) {
        String name = names.remove(run);
        if (name == null || lease == null || names.containsValue(name)) {
            return Optional.empty();
        }
        lease.end(name);
        return Optional.of(name);
    }

    /** Return the names of runs that are executed here. */
    Set<String> inUse() {
        return Set.copyOf(names.values());
    }

    /** Keep names in use, without waiting for the lease: a heartbeat must not be late. */
    void keepAside(Set<String> used) {
        if (lease != null) {
            used.forEach(lease::keepAside);
        }
    }

    /** Return whether the lease lets a running run be taken; nothing if that is not its decision. */
    Optional<Boolean> mayTake(RunRecord run) {
        return lease == null || run.status() != RunStatus.RUNNING ? Optional.empty() : Optional.of(lease.mayTake(run));
    }
}
