package dev.chargehand.internal.engine.answer;

import dev.chargehand.approval.PendingApproval;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answers that were taken in this process lately: a store that forgets ended runs could not report any more that a
 * second answer came too late. Bounded. Thread-safe.
 */
public final class RecentDecisions {

    private static final int MOST = 10_000;

    private final Map<Key, Boolean> keys = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
            return size() > MOST;
        }
    };

    private record Key(String tenantId, String runId, String callId, int waitNumber) {

        static Key of(String tenantId, PendingApproval approval) {
            return new Key(tenantId, approval.runId().value(), approval.callId(), approval.waitNumber());
        }
    }

    /** Note an answer. */
    public synchronized void add(String tenantId, PendingApproval approval) {
        keys.put(Key.of(tenantId, approval), true);
    }

    /** Return whether an answer was taken to a request. */
    public synchronized boolean has(String tenantId, PendingApproval approval) {
        return keys.containsKey(Key.of(tenantId, approval));
    }
}
