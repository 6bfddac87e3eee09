package dev.chargehand.store.memory;

import dev.chargehand.annotation.Experimental;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The observations and reflections of one thread, for a store that holds them in memory. It follows the rules of {@link
 * MemoryStore#observe} and {@link MemoryStore#reflect} but for those about messages, which the store checks. Not thread-safe.
 */
@Experimental
public final class ObservationRows {

    /** Those that were not deleted, by their numbers. Observations of greater numbers are about later messages. */
    private final TreeMap<Long, Observation> live = new TreeMap<>();

    /** The greatest number that was given; it may be that of a deleted one. */
    private long greatest;

    /** Return whether nothing was observed, or all of it was deleted. */
    public boolean isEmpty() {
        return live.isEmpty();
    }

    /**
     * Return what stood for the start of the thread when an observation or a reflection was the newest one.
     *
     * @param number its number, or {@link Long#MAX_VALUE} for what stands for it now
     */
    public ObservationLog log(long number) {
        NavigableMap<Long, Observation> then = live.headMap(number, true);
        Observation reflection = newest(then, true);
        Long replaces = reflection == null ? null : reflection.replaces();
        Stream<Observation> observations = (replaces == null ? then : then.tailMap(replaces, false))
                .values().stream().filter(row -> !row.isReflection());
        return new ObservationLog(
                Stream.concat(Stream.ofNullable(reflection), observations).toList());
    }

    private static @Nullable Observation newest(NavigableMap<Long, Observation> rows, boolean reflection) {
        return rows.descendingMap().values().stream()
                .filter(row -> row.isReflection() == reflection)
                .findFirst()
                .orElse(null);
    }

    /** Return the position after the last message that observations of some numbers are about. */
    private static long end(NavigableMap<Long, Observation> rows) {
        Observation newest = newest(rows, false);
        return newest == null ? 0 : newest.to();
    }

    /**
     * Add an observation.
     *
     * @return its number; empty, and nothing is added, if its first message does not follow those observed before
     */
    public OptionalLong add(NewObservation observation) {
        if (observation.from() != end(live)) {
            return OptionalLong.empty();
        }
        return put(new Observation(
                greatest + 1,
                observation.from(),
                observation.to(),
                null,
                observation.text(),
                observation.tokens(),
                observation.at()));
    }

    /**
     * Add a reflection.
     *
     * @return its number; empty, and nothing is added, if it stands for what was deleted, or is older than another reflection
     */
    public OptionalLong add(NewReflection reflection) {
        Observation newer = newest(live.tailMap(reflection.replaces(), false), true);
        if (newer != null || !live.containsKey(reflection.replaces())) {
            return OptionalLong.empty();
        }
        return put(new Observation(
                greatest + 1,
                0,
                end(live.headMap(reflection.replaces(), true)),
                reflection.replaces(),
                reflection.text(),
                reflection.tokens(),
                reflection.at()));
    }

    private OptionalLong put(Observation row) {
        live.put(row.number(), row);
        greatest = row.number();
        return OptionalLong.of(greatest);
    }

    /** Delete all that is about a message or about later ones. Their numbers are not used again. */
    public void deleteFrom(long position) {
        live.values().removeIf(row -> row.to() > position);
    }

    /**
     * Become a copy of what another thread has of its messages before a position. Numbers that the thread has used are not used
     * again.
     *
     * @param other the rows of that thread; these are empty
     */
    public void copy(ObservationRows other, long before) {
        for (Observation row : other.live.values()) {
            if (row.to() <= before) {
                live.put(row.number(), row);
            }
        }
        greatest = other.greatest;
    }
}
