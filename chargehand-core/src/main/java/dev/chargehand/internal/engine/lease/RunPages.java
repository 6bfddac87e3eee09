package dev.chargehand.internal.engine.lease;

import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads lists of runs to their end. */
public final class RunPages {

    private static final int MOST = 1000;

    private RunPages() {}

    /** Return every run that a filter passes, newest first, as a method of a store lists them. */
    public static List<RunRecord> all(Function<RunFilter, List<RunRecord>> list, RunFilter filter) {
        List<RunRecord> all = new ArrayList<>();
        RunFilter pages = filter.limit(MOST);
        List<RunRecord> page = list.apply(pages);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = list.apply(pages.before(page.getLast().runId()));
        }
        return all;
    }
}
