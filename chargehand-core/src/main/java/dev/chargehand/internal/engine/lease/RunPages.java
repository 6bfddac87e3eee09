package dev.chargehand.internal.engine.lease;

import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;

/** Reads lists of runs to their end. */
public final class RunPages {

    private static final int MOST = 1000;

    private RunPages() {}

    /** Return every run that a filter passes, newest first. */
    public static List<RunRecord> all(Store store, RunFilter filter) {
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
