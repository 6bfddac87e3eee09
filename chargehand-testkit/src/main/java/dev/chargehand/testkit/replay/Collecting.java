package dev.chargehand.testkit.replay;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Collects a tree of runs and what its threads held when it was over. */
final class Collecting {

    private static final int PAGE = 1000;

    private final Store store;

    Collecting(Store store) {
        this.store = store;
    }

    Recording collect(RunId root) {
        RunRecord found = store.find(root)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.NOT_FOUND,
                        "There is no run " + root + " in the store; the default one in memory forgets runs that have"
                                + " ended.",
                        null));
        if (!found.isRoot()) {
            throw new ConfigurationException(
                    "Run " + root + " is a delegation; record its root run " + found.rootRunId() + " instead.");
        }
        List<Recording.Run> runs = tree(root).stream()
                .map(run -> new Recording.Run(run, store.read(run.runId(), 0)))
                .toList();
        return new Recording(root, runs, threads(runs), Map.of());
    }

    /** Parent first: a run starts after the one above it, and has a longer path. */
    private List<RunRecord> tree(RunId root) {
        List<RunRecord> all = new ArrayList<>();
        RunFilter pages = RunFilter.ALL.tree(root).limit(PAGE);
        List<RunRecord> page = store.list(pages);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = store.list(pages.before(page.getLast().runId()));
        }
        all.sort(Comparator.comparingInt((RunRecord run) -> run.path().length())
                .thenComparing(RunRecord::startedAt)
                .thenComparing(run -> run.runId().value()));
        return all;
    }

    private List<ThreadAppend> threads(List<Recording.Run> runs) {
        Map<String, Long> firstPositions = new LinkedHashMap<>();
        Map<String, ThreadLink> links = new LinkedHashMap<>();
        for (Recording.Run run : runs) {
            Fact.Started started = started(run.facts());
            ThreadLink link = started.thread();
            if (link != null) {
                long position = started.submitted() ? Long.MAX_VALUE : link.position();
                firstPositions.merge(link.id(), position, Math::min);
                links.putIfAbsent(link.id(), link);
            }
        }
        Set<String> ids = runs.stream().map(run -> run.record().runId().value()).collect(Collectors.toSet());
        List<ThreadAppend> threads = new ArrayList<>();
        for (ThreadLink link : links.values()) {
            ThreadRecord record = store.findThread(link.id()).orElse(null);
            if (record != null) {
                threads.add(new ThreadAppend(
                        link.id(),
                        link.owner(),
                        record.parentRunId().orElse(null),
                        record.parentCallId().orElse(null),
                        entries(link, firstPositions.getOrDefault(link.id(), 0L), ids)));
            }
        }
        return threads;
    }

    /** What others said in the thread later is theirs. */
    private List<ThreadEntry> entries(ThreadLink link, long before, Set<String> runIds) {
        List<ThreadEntry> all = store.readThread(link.id(), link.owner(), Long.MAX_VALUE, Integer.MAX_VALUE);
        List<ThreadEntry> kept = new ArrayList<>();
        for (int position = 0; position < all.size(); position++) {
            ThreadEntry entry = all.get(position);
            if (position < before || runIds.contains(RunIds.ofMessage(entry.messageId()))) {
                kept.add(entry);
            }
        }
        return kept;
    }

    static Fact.Started started(List<FactEntry> facts) {
        if (!facts.isEmpty() && FactCodec.read(facts.getFirst()) instanceof Fact.Started started) {
            return RunOpening.executing(started, facts);
        }
        throw new StoreException(StoreException.Kind.UNREADABLE, "A run has no first fact in the store.", null);
    }
}
