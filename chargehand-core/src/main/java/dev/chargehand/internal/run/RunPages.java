package dev.chargehand.internal.run;

import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;

/** Reads lists of runs to their end. */
final class RunPages {

    private static final int MOST = 1000;

    private RunPages() {}

    /** Returns every run that a filter lets through, newest first. */
    static List<RunRecord> all(Store store, RunFilter filter) {
        List<RunRecord> all = new ArrayList<>();
        RunFilter pages = filter.limit(MOST);
        List<RunRecord> page = store.list(pages);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = store.list(pages.before(page.getLast().runId()));
        }
        return all;
    }
}
