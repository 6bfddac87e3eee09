package dev.chargehand.internal.engine.version;

import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.version.VersionUsage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up what the versions of agents have used in a tree of runs, from the summaries of the runs. */
public final class VersionUsages {

    private static final int PAGE = 1_000;

    private VersionUsages() {}

    private record Key(String agentId, String version) {}

    private record Spent(int runs, Usage usage, BigDecimal cost) {

        private Spent plus(Spent other) {
            return new Spent(runs + other.runs, usage.plus(other.usage), cost.add(other.cost));
        }
    }

    /** Return the usage of each version, in the order of the ids and versions. */
    public static List<VersionUsage> of(Store store, RunId root) {
        List<RunRecord> runs = runs(store, root);
        Map<RunId, Spent> below = new HashMap<>();
        for (RunRecord run : runs) {
            run.parentRunId()
                    .filter(parent -> run.status().isEnded())
                    .ifPresent(parent -> below.merge(parent, spent(run), Spent::plus));
        }
        Map<Key, Spent> byVersion =
                new TreeMap<>(Comparator.comparing(Key::agentId).thenComparing(Key::version));
        for (RunRecord run : runs) {
            String version = run.summary().flatMap(RunSummary::version).orElse("");
            byVersion.merge(new Key(run.agentId(), version), own(spent(run), below.get(run.runId())), Spent::plus);
        }
        return byVersion.entrySet().stream()
                .map(entry -> usage(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static VersionUsage usage(Key key, Spent spent) {
        return new VersionUsage(
                key.agentId(),
                Optional.of(key.version()).filter(version -> !version.isEmpty()),
                spent.runs(),
                spent.usage(),
                spent.cost());
    }

    private static List<RunRecord> runs(Store store, RunId root) {
        List<RunRecord> runs = new ArrayList<>();
        List<RunRecord> page = store.list(RunFilter.ALL.tree(root).limit(PAGE));
        runs.addAll(page);
        while (page.size() == PAGE) {
            page = store.list(
                    RunFilter.ALL.tree(root).limit(PAGE).before(page.getLast().runId()));
            runs.addAll(page);
        }
        return runs;
    }

    private static Spent spent(RunRecord run) {
        return run.summary()
                .map(summary -> new Spent(1, summary.usage(), summary.cost()))
                .orElse(new Spent(1, Usage.NONE, BigDecimal.ZERO));
    }

    /** Return what a run has used itself; a nested run that has ended may not be on the account of the run above it yet. */
    private static Spent own(Spent all, @Nullable Spent below) {
        if (below == null) {
            return all;
        }
        Usage usage = new Usage(
                Math.max(0, all.usage().inputTokens() - below.usage().inputTokens()),
                Math.max(0, all.usage().outputTokens() - below.usage().outputTokens()),
                Math.max(0, all.usage().cachedInputTokens() - below.usage().cachedInputTokens()),
                Math.max(0, all.usage().reasoningTokens() - below.usage().reasoningTokens()));
        return new Spent(1, usage, all.cost().subtract(below.cost()).max(BigDecimal.ZERO));
    }
}
