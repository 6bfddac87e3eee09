package dev.chargehand.internal.engine.watch;

import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far the root runs of a reader were read. Runs are looked for among those that started a while before the newest one, since the
 * clocks of processes differ, and what starts first may be stored last. Used by one thread.
 */
final class ReadPlaces {

    /** How much later a run may be found than one that started after it. */
    static final Duration LATE = Duration.ofMinutes(5);

    private final String of;

    /** The runs that were found, but for those that have ended and would not be found again. */
    private final Map<RunId, Place> places = new LinkedHashMap<>();

    private @Nullable Instant from;
    private boolean moved;

    private static final class Place {

        private Instant startedAt;
        private @Nullable Cursor last;
        private boolean opened;
        private boolean ended;

        private Place(Instant startedAt) {
            this.startedAt = startedAt;
        }
    }

    /**
     * Make it.
     *
     * @param of names the runs that are read
     * @param after where an earlier reader stopped, or null for the start
     */
    ReadPlaces(String of, @Nullable RunsCursor after) {
        this.of = of;
        this.from = after == null ? null : after.from();
        this.moved = after != null;
        if (after != null) {
            after.ended().forEach(run -> place(run, after.from()).ended = true);
        }
    }

    private Place place(RunId run, Instant startedAt) {
        return places.computeIfAbsent(run, id -> new Place(startedAt));
    }

    /** Return the moment from which runs are to be looked for; empty for all. */
    Optional<Instant> from() {
        return Optional.ofNullable(from);
    }

    /** Return whether a run was found before. */
    boolean knows(RunRecord run) {
        return places.containsKey(run.runId());
    }

    /** Note a run that was found; returns false if it was known. */
    boolean found(RunRecord run) {
        boolean known = places.containsKey(run.runId());
        place(run.runId(), run.startedAt()).startedAt = run.startedAt();
        return !known;
    }

    /** Note that all runs were found that are stored now. */
    void foundAll(Instant now) {
        Instant newest = now;
        boolean any = false;
        for (Place place : places.values()) {
            newest = !any || place.startedAt.isAfter(newest) ? place.startedAt : newest;
            any = true;
        }
        Instant next = (newest.isBefore(now) ? newest : now).minus(LATE);
        if (any && (from == null || next.isAfter(from))) {
            from = next;
        }
        Instant kept = rediscovered();
        places.values().removeIf(place -> place.ended && place.startedAt.isBefore(kept));
    }

    /** Note how far an earlier reader has read a run. */
    void read(RunId run, @Nullable Cursor last) {
        require(run).last = last;
        opened(run);
    }

    /** Note that a run is read from now on. */
    void opened(RunId run) {
        require(run).opened = true;
    }

    /** Note that the reader was given an event. */
    void taken(RunId run, @Nullable Cursor cursor) {
        moved = true;
        if (cursor != null) {
            require(run).last = cursor;
        }
    }

    /** Note that a run was read to its end, or is not read; it may have been noted before. */
    void ended(RunId run) {
        Place place = places.get(run);
        if (place != null) {
            place.ended = true;
        }
    }

    /** Return the last event of a run that the reader was given; empty for none. */
    Optional<Cursor> last(RunId run) {
        return Optional.ofNullable(require(run).last);
    }

    private Place require(RunId run) {
        Place place = places.get(run);
        if (place == null) {
            throw new IllegalStateException("Run " + run + " was not found.");
        }
        return place;
    }

    /** Return the place of the reader; empty at the first event. */
    Optional<RunsCursor> cursor() {
        return moved ? Optional.of(now()) : Optional.empty();
    }

    private RunsCursor now() {
        Instant start = rediscovered();
        Map<RunId, Optional<Cursor>> open = new LinkedHashMap<>();
        Set<RunId> ended = new HashSet<>();
        places.forEach((run, place) -> {
            if (place.ended) {
                if (!place.startedAt.isBefore(start)) {
                    ended.add(run);
                }
            } else if (place.opened) {
                open.put(run, Optional.ofNullable(place.last));
            }
        });
        return new RunsCursor(of, start, open, ended);
    }

    /** Return the moment from which another reader finds all runs that this one has not opened. */
    private Instant rediscovered() {
        Instant start = from == null ? Instant.EPOCH : from;
        for (Place place : places.values()) {
            boolean waits = !place.opened && !place.ended;
            start = waits && place.startedAt.isBefore(start) ? place.startedAt : start;
        }
        return start;
    }
}
