package dev.chargehand.verify.races;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what was carried out in this process. Thread-safe. */
final class Effects {

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /** Carry something out. */
    void add(String task, String slot) {
        counts.merge(task + "/" + slot, 1, Integer::sum);
    }

    /** Return how often something was carried out. */
    int count(String task, String slot) {
        return counts.getOrDefault(task + "/" + slot, 0);
    }

    /** Forget a task that has been looked at. */
    void forget(String task) {
        counts.keySet().removeIf(key -> key.startsWith(task + "/"));
    }
}
