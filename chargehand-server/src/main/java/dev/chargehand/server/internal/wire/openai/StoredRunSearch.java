package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the runs of a caller that may have an answer, in the order of a list. */
final class StoredRunSearch {

    private static final int AT_ONCE = 1_000;

    /** So many runs are looked at for one page. */
    private static final int MOST = 10_000;

    private final WireRuns runs;
    private final Principal principal;
    private final RunFilter filter;

    /**
     * Make it.
     *
     * @param agent the agent whose runs are read; empty for all
     */
    StoredRunSearch(WireRuns runs, Principal principal, Optional<String> agent) {
        RunFilter all =
                RunFilter.ROOTS.limit(AT_ONCE).statuses(RunStatus.COMPLETED, RunStatus.INCOMPLETE, RunStatus.SUSPENDED);
        RunFilter own = Owners.resource(principal, null).map(all::resource).orElse(all);
        this.runs = runs;
        this.principal = principal;
        this.filter = agent.map(own::agent).orElse(own);
    }

    /** Return them, from the newest or the oldest on, or from the one that follows a run. */
    Stream<RunRecord> after(Optional<RunRecord> run, boolean ascending) {
        Stream<RunRecord> found = ascending
                ? oldestFirst(run)
                : newestFirst(run.map(it -> filter.before(it.runId())).orElse(filter));
        return found.limit(MOST).filter(each -> runs.owners().owns(principal, each));
    }

    private Stream<RunRecord> newestFirst(RunFilter from) {
        return Stream.iterate(
                        page(from),
                        page -> !page.isEmpty(),
                        page -> page.size() < AT_ONCE
                                ? List.of()
                                : page(from.before(page.getLast().runId())))
                .flatMap(List::stream);
    }

    /** A store lists the newest first, so all are read, and the oldest are kept. */
    private Stream<RunRecord> oldestFirst(Optional<RunRecord> after) {
        RunFilter from = after.map(run -> filter.startedFrom(run.startedAt())).orElse(filter);
        Deque<RunRecord> oldest = new ArrayDeque<>();
        newestFirst(from)
                .takeWhile(run -> !Optional.of(run.runId()).equals(after.map(RunRecord::runId)))
                .forEach(run -> {
                    oldest.addFirst(run);
                    if (oldest.size() > MOST) {
                        oldest.removeLast();
                    }
                });
        return oldest.stream();
    }

    private List<RunRecord> page(RunFilter which) {
        return runs.runtime(principal).runs(which);
    }
}
