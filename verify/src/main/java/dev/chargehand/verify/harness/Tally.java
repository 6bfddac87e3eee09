package dev.chargehand.verify.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts cases and what was wrong with them.
 *
 * <p>The first faults of each kind are printed and kept, so that a broken property does not print a million lines.
 * Thread-safe.
 */
public final class Tally {

    private static final int SHOWN = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> faults = new LinkedHashMap<>();
    private final Map<String, String> figures = new LinkedHashMap<>();
    private final List<String> shown = new ArrayList<>();
    private String lead = "";
    private long cases;
    private boolean stopped;

    /** Make a tally of kinds of faults, in the order in which the last line has them. */
    public Tally(String... kinds) {
        for (String kind : kinds) {
            faults.put(kind, 0L);
        }
    }

    /** Count a case. */
    public void addCase() {
        lock.lock();
        try {
            cases += stopped ? 0 : 1;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Count a fault.
     *
     * @param kind one of those the tally was made with
     * @param detail what was wrong, with the number of the case
     */
    public void addFault(String kind, String detail) {
        lock.lock();
        try {
            Long before = faults.get(kind);
            if (before == null) {
                throw new IllegalArgumentException(
                        "There is no kind of fault '" + kind + "' in " + faults.keySet() + ".");
            }
            if (stopped) {
                return;
            }
            faults.put(kind, before + 1);
            if (before < SHOWN) {
                String line = (kind + ": " + detail).replace("\r", "\\r").replace("\n", "\\n");
                shown.add(line);
                System.out.println(line);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Count nothing any more: what breaks from now on is broken by the end of the process. */
    public void stop() {
        lock.lock();
        try {
            stopped = true;
        } finally {
            lock.unlock();
        }
    }

    /** Add a measured value to the last line. */
    public void figure(String key, Object value) {
        lock.lock();
        try {
            figures.put(key, String.valueOf(value));
        } finally {
            lock.unlock();
        }
    }

    /** Put a value at the start of the last line; the number of cases then follows the faults. */
    public void lead(String key, Object value) {
        lock.lock();
        try {
            lead = key + '=' + value;
        } finally {
            lock.unlock();
        }
    }

    /** Return how many cases were counted. */
    public long cases() {
        lock.lock();
        try {
            return cases;
        } finally {
            lock.unlock();
        }
    }

    /** Return the first faults of each kind; empty if nothing was wrong. */
    public List<String> faults() {
        lock.lock();
        try {
            return List.copyOf(shown);
        } finally {
            lock.unlock();
        }
    }

    /** Return whether nothing was wrong. */
    public boolean isClean() {
        return faults().isEmpty();
    }

    /** Return the last line. */
    public String line(String name) {
        lock.lock();
        try {
            String count = "n=" + cases;
            StringBuilder line = new StringBuilder(name).append(": ").append(lead.isEmpty() ? count : lead);
            faults.forEach(
                    (kind, found) -> line.append(' ').append(kind).append('=').append(found));
            if (!lead.isEmpty()) {
                line.append(' ').append(count);
            }
            figures.forEach(
                    (key, value) -> line.append(' ').append(key).append('=').append(value));
            return line.toString();
        } finally {
            lock.unlock();
        }
    }
}
