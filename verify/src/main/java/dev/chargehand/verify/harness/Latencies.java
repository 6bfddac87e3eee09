package dev.chargehand.verify.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/** Times, with percentiles. Thread-safe. */
public final class Latencies {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Long> nanos = new ArrayList<>();

    /** Add a time. */
    public void add(long time) {
        lock.lock();
        try {
            nanos.add(time);
        } finally {
            lock.unlock();
        }
    }

    /** Return the time, in milliseconds, that a share of all times does not exceed; 0 if there is none. */
    public double percentileMillis(double share) {
        lock.lock();
        try {
            if (nanos.isEmpty()) {
                return 0;
            }
            List<Long> sorted = new ArrayList<>(nanos);
            sorted.sort(null);
            int at = (int) Math.ceil(share * sorted.size()) - 1;
            return sorted.get(Math.max(0, at)) / 1e6;
        } finally {
            lock.unlock();
        }
    }

    /** Add the median and the 99th percentile to a tally. */
    public void report(Tally tally, String name) {
        tally.figure(name + "_p50_ms", String.format(Locale.ROOT, "%.1f", percentileMillis(0.5)));
        tally.figure(name + "_p99_ms", String.format(Locale.ROOT, "%.1f", percentileMillis(0.99)));
    }
}
