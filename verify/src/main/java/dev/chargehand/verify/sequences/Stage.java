package dev.chargehand.verify.sequences;

import dev.chargehand.AgentRuntime;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.verify.sequences.crew.SequenceCrew;
import dev.chargehand.verify.stores.StorePlace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The store and the runtimes of one sequence, with a clock that only the sequence advances, and ids that are counted, so that
 * each setting has the same.
 */
final class Stage implements AutoCloseable {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final Setting setting;
    private final StorePlace place;
    private final ManualClock clock = new ManualClock(START);
    private final Map<String, AtomicLong> ids = new ConcurrentHashMap<>();
    private final SequenceCrew crew = new SequenceCrew(clock, this::id);
    private final List<AgentRuntime> runtimes = new ArrayList<>();

    Stage(Setting setting, StorePlace place) {
        this.setting = setting;
        this.place = place;
        for (int i = 0; i < setting.runtimes(); i++) {
            runtimes.add(open());
        }
    }

    private AgentRuntime open() {
        return crew.runtime(place.open());
    }

    /** Spread over their range, as random ids are. */
    private String id(String prefix) {
        long number = ids.computeIfAbsent(prefix, key -> new AtomicLong()).incrementAndGet();
        if (prefix.isEmpty()) {
            return "owner" + number;
        }
        long spread = (number * 0x5DEECE66DL) & ((1L << 40) - 1);
        return prefix
                + String.format(Locale.ROOT, "%8s", Long.toString(spread, 32)).replace(' ', '0');
    }

    ManualClock clock() {
        return clock;
    }

    SequenceCrew crew() {
        return crew;
    }

    /** Return the runtime whose turn it is. */
    AgentRuntime runtime(int operation) {
        return runtimes.get(operation % runtimes.size());
    }

    /** Close the runtime and open it again, if this is such a setting. */
    void openAgain() {
        if (setting.isOpenedAgain()) {
            runtimes.removeFirst().close();
            runtimes.add(open());
        }
    }

    /** Wait for the work on memory that follows on runs; return whether it has ended. */
    boolean settle() {
        return runtimes.stream().allMatch(runtime -> runtime.memory().settled(SETTLING));
    }

    @Override
    public void close() {
        runtimes.forEach(AgentRuntime::close);
    }
}
