package dev.chargehand.verify.workflows;

import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is stored of the run of a workflow and of the runs that are nested in it.
 *
 * @param runs the facts of each
 */
public record TreeFacts(List<RunFacts> runs) {

    public TreeFacts {
        runs = List.copyOf(runs);
    }

    /** Make them of the facts of all runs of a store. */
    public static TreeFacts of(Collection<List<FactEntry>> entries) {
        return new TreeFacts(entries.stream().map(RunFacts::of).toList());
    }

    /** Read them. */
    static TreeFacts read(Store store, RunId root) {
        List<RunFacts> runs = new ArrayList<>();
        add(store, root, runs);
        return new TreeFacts(runs);
    }

    private static void add(Store store, RunId runId, List<RunFacts> runs) {
        RunFacts run = RunFacts.of(store.read(runId, 0));
        runs.add(run);
        run.nested().forEach(nested -> add(store, nested, runs));
    }

    /** Return the calls of steps whose outcome is unknown. */
    public Set<String> unknown() {
        return all(RunFacts::unknown).stream().collect(Collectors.toSet());
    }

    /** Return the calls that have intents. */
    Set<String> opened() {
        return all(RunFacts::opened).stream().collect(Collectors.toSet());
    }

    /** Return what is stored twice and may be stored once. */
    List<String> doubled() {
        return all(RunFacts::doubled);
    }

    /** Return what was asked, each as often as it was. */
    List<String> asked() {
        return all(RunFacts::asked);
    }

    /** Return whether something has started in a run after that was cancelled. */
    boolean hasBegunAfterCancel() {
        return runs.stream().anyMatch(RunFacts::hasBegunAfterCancel);
    }

    private List<String> all(Function<RunFacts, Collection<String>> what) {
        return runs.stream().flatMap(run -> what.apply(run).stream()).toList();
    }
}
