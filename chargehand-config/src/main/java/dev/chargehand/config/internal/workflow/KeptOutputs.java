package dev.chargehand.config.internal.workflow;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.WorkflowContext;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outputs so far that a pointer can name: those of steps by their ids, and those of a branch and of {@code parallel} by the id of
 * the entry. The list of a foreach is the value of the next entry only. Used by one thread.
 */
final class KeptOutputs {

    private static final JsonSchema ANY = JsonSchema.of(Json.of(Map.of()));

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final boolean hasState;

    /**
     * Make it with none.
     *
     * @param hasState whether the workflow has a shared state
     */
    KeptOutputs(boolean hasState) {
        this.hasState = hasState;
    }

    /** Return whether the workflow has a shared state. */
    boolean hasState() {
        return hasState;
    }

    /** Finds an output in a run. */
    @FunctionalInterface
    interface Source {

        /** Return the output; empty if nothing has run that could have it. */
        Optional<Json> find(WorkflowContext context);
    }

    /** Add what an entry gives. */
    void add(EntryDefinition entry) {
        if (entry instanceof EntryDefinition.Foreach) {
            return;
        }
        List<String> steps = entry.steps().stream()
                .map(StepDefinition::id)
                .filter(StepReader::isValid) // else it has been noted as a mistake
                .toList();
        steps.forEach(id -> sources.put(id, of(id)));
        switch (entry) {
            case EntryDefinition.Branch branch -> sources.put(branch.id(), first(branch, steps));
            case EntryDefinition.Parallel parallel -> sources.put(parallel.id(), context -> all(steps, context));
            case EntryDefinition.BranchAll branch -> sources.put(branch.id(), context -> all(steps, context));
            default -> {}
        }
    }

    /** Return the names. */
    Collection<String> names() {
        return List.copyOf(sources.keySet());
    }

    /** Return an output by its name. */
    Optional<Source> find(String name) {
        return Optional.ofNullable(sources.get(name));
    }

    private static Source of(String id) {
        Step<Json, Json> step = Step.of(id, ANY, ANY, (value, context) -> value);
        return context -> context.output(step);
    }

    /** One step of a branch runs; if it was none of those of the file, the value has passed. */
    private Source first(EntryDefinition.Branch branch, List<String> steps) {
        Source passed = StepReader.isValid(branch.passId()) ? of(branch.passId()) : context -> Optional.empty();
        List<Source> all = steps.stream().map(KeptOutputs::of).toList();
        return context -> all.stream()
                .flatMap(source -> source.find(context).stream())
                .findFirst()
                .or(() -> passed.find(context));
    }

    private static Optional<Json> all(List<String> steps, WorkflowContext context) {
        Map<String, Json> outputs = new LinkedHashMap<>();
        steps.forEach(id -> of(id).find(context).ifPresent(output -> outputs.put(id, output)));
        return Optional.of(Json.of(outputs));
    }
}
