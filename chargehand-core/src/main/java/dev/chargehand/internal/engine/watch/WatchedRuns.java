package dev.chargehand.internal.engine.watch;

import dev.chargehand.event.RunEvent;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The root runs that one reader reads.
 *
 * @param name names them, so that a cursor of other runs is recognized
 * @param filters each of them selects a part of the runs
 * @param belongs whether a selected run is read
 * @param shows whether an event of a run is given to the reader
 */
public record WatchedRuns(
        String name, List<RunFilter> filters, Predicate<RunRecord> belongs, BiPredicate<RunRecord, RunEvent> shows) {

    public WatchedRuns {
        filters = List.copyOf(filters);
    }
}
