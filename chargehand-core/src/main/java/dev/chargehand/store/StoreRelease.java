package dev.chargehand.store;

import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.util.ArrayList;
import java.util.List;

/** Releases a tree of runs with the other methods of a store. */
final class StoreRelease {

    private static final String NO_OWNER = "";
    private static final int PAGE = 1000;

    private StoreRelease() {}

    static void of(Store store, RunId root, long epoch) {
        RunRecord found = store.find(root)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.NOT_FOUND, "Run " + root + " does not exist in the store.", null));
        if (found.epoch() != epoch) {
            throw fenced(root);
        }
        if (!found.status().isEnded()) {
            store.claim(root, epoch, found.length(), NO_OWNER);
        }
        for (RunRecord run : openRuns(store, root)) {
            if (!run.runId().equals(root)) {
                claim(store, run);
            }
        }
    }

    static StoreException fenced(RunId root) {
        return new StoreException(
                StoreException.Kind.FENCED,
                "Run " + root + " was taken over by another owner; it cannot be released.",
                null);
    }

    /** A nested run that another process has claimed or continued in the meantime is no longer ours to release. */
    private static void claim(Store store, RunRecord run) {
        try {
            store.claim(run.runId(), run.epoch(), run.length(), NO_OWNER);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.FENCED) {
                throw e;
            }
        }
    }

    private static List<RunRecord> openRuns(Store store, RunId root) {
        RunFilter filter = RunFilter.ALL
                .tree(root)
                .statuses(RunStatus.RUNNING, RunStatus.SUSPENDED)
                .limit(PAGE);
        List<RunRecord> all = new ArrayList<>();
        List<RunRecord> page = store.list(filter);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = page.size() < PAGE
                    ? List.of()
                    : store.list(filter.before(page.getLast().runId()));
        }
        return all;
    }
}
