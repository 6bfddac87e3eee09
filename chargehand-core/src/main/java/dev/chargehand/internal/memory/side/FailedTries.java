package dev.chargehand.internal.memory.side;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts how often work on a thread failed in this process, and says how long to wait for the next try. Thread-safe. */
public final class FailedTries {

    /** The failures of how many threads are counted. */
    private static final int MOST_COUNTED = 1_000;

    private final List<Duration> waits;

    private final Map<String, Integer> tries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > MOST_COUNTED;
        }
    };

    /**
     * Make it.
     *
     * @param waits how long to wait after the first failure, the second one, and so on
     */
    public FailedTries(List<Duration> waits) {
        this.waits = List.copyOf(waits);
    }

    /** Count a failure; returns how long to wait for the next try. */
    public Duration failed(String tenantId, String threadId) {
        String key = key(tenantId, threadId);
        synchronized (tries) {
            Integer before = tries.remove(key);
            int count = before == null ? 0 : before;
            tries.put(key, Math.min(count + 1, waits.size() - 1));
            return waits.get(count);
        }
    }

    /** Forget the failures of work that was done. */
    public void succeeded(String tenantId, String threadId) {
        synchronized (tries) {
            tries.remove(key(tenantId, threadId));
        }
    }

    private static String key(String tenantId, String threadId) {
        return tenantId.length() + ":" + tenantId + threadId;
    }
}
