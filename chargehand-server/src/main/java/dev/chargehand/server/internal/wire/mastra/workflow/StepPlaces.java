package dev.chargehand.server.internal.wire.mastra.workflow;

import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the steps of a workflow are among its entries, as Mastra's client counts them. Immutable. */
public final class StepPlaces {

    /** Those of a workflow that is not known. */
    public static final StepPlaces UNKNOWN = new StepPlaces(List.of());

    private final List<Entry> entries;
    private final Map<String, List<Integer>> paths = new HashMap<>();

    private StepPlaces(List<Entry> entries) {
        this.entries = entries;
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            paths.put(entry.id(), List.of(i));
            boolean isSingle =
                    entry instanceof Entry.Then || entry instanceof Entry.Loop || entry instanceof Entry.Foreach;
            List<Step<?, ?>> steps = entry.steps();
            for (int j = 0; j < steps.size(); j++) {
                paths.put(steps.get(j).id(), isSingle ? List.of(i) : List.of(i, j));
            }
        }
    }

    /** Return those of a workflow. */
    public static StepPlaces of(Workflow<?, ?> workflow) {
        return new StepPlaces(workflow.entries());
    }

    /** Return the numbers of the entry and, where that has several, of the step; empty if the workflow has no such step now. */
    Optional<List<Integer>> path(String stepPath) {
        int index = stepPath.indexOf('[');
        return Optional.ofNullable(paths.get(index < 0 ? stepPath : stepPath.substring(0, index)));
    }

    /** Return whether the input of an entry is that of the run. */
    boolean isFirst(String entryId) {
        return maker(entryId).filter(index -> index < 0).isPresent();
    }

    /** Return the step whose output is the input of an entry; empty if no single step makes it. */
    Optional<String> before(String entryId) {
        return maker(entryId)
                .filter(index -> index >= 0)
                .map(entries::get)
                .filter(Entry.Then.class::isInstance)
                .map(Entry::id);
    }

    /** Return the number of the entry that makes the input of another: the nearest before it that does not only wait. */
    private Optional<Integer> maker(String entryId) {
        return path(entryId).map(path -> {
            int index = path.getFirst() - 1;
            while (index >= 0 && entries.get(index) instanceof Entry.Sleep) {
                index--;
            }
            return index;
        });
    }
}
