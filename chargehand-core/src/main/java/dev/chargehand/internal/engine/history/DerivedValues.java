package dev.chargehand.internal.engine.history;

import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.Summaries;
import dev.chargehand.internal.log.Log;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.List;

/**
 * Brings what a store derives from the facts of runs up to date: their summaries, expiries and waiting calls. Runs of
 * earlier versions, and recordings of runs, have none or fewer. Thread-safe.
 */
public final class DerivedValues {

    private static final Log LOG = Log.of(DerivedValues.class);
    private static final int PAGE = 100;
    private static final int MOST_ATTEMPTS = 5;

    private final Store store;

    /** Make it for a store. */
    public DerivedValues(Store store) {
        this.store = store;
    }

    /**
     * Bring all runs of all tenants up to date that have not ended. One whose facts cannot be read is logged and left as it is.
     *
     * @throws dev.chargehand.error.StoreException if the store cannot be read at all
     */
    public void update() {
        RunFilter filter = RunFilter.ALL.outdated(true).limit(PAGE);
        List<RunRecord> page = store.listOfAllTenants(filter);
        while (!page.isEmpty()) {
            page.forEach(this::update);
            RunId last = page.getLast().runId();
            page = page.size() < PAGE ? List.of() : store.listOfAllTenants(filter.before(last));
        }
    }

    /** Bring a run up to date; what hinders that is logged. */
    public void update(RunRecord run) {
        try {
            Store store = this.store.forTenant(run.tenantId());
            boolean stored = false;
            // another process may write the run meanwhile
            for (int attempt = 0; !stored && attempt < MOST_ATTEMPTS; attempt++) {
                RunRecord seen = attempt == 0 ? run : store.find(run.runId()).orElse(run);
                long epoch = seen.isRoot()
                        ? seen.epoch()
                        : store.find(seen.rootRunId()).map(RunRecord::epoch).orElse(seen.epoch());
                stored = store.index(Summaries.derived(seen, epoch, Journal.look(store, seen)));
            }
            if (!stored && store.find(run.runId()).isPresent()) {
                LOG.warn(
                        "run {}: its summary and waiting calls were not stored, since it was written {} times meanwhile; the next start"
                                + " of a runtime on this store tries again",
                        run.runId(),
                        MOST_ATTEMPTS);
            }
        } catch (RuntimeException e) { // whatever its facts are, other runs can be used
            LOG.warn("run {}: its summary and waiting calls could not be stored: {}", run.runId(), e.getMessage());
        }
    }
}
