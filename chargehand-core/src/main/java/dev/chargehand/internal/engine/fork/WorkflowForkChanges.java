package dev.chargehand.internal.engine.fork;

import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where a fork of a workflow's run continues, and its changes relative to that run.
 *
 * @param place the id of an entry or step, perhaps with an iteration: {@code poll#3}
 * @param outputs what calls of the copied rounds gave instead, by their paths
 * @param input the input of the fork, or null for the input of the source run
 * @param state the shared state with which the fork continues, or null for that of the source run
 * @param workflow the workflow that continues, or null for the one of the source run
 * @param withoutHooks whether hooks that were given to the source run only may be missing
 * @param options changes the options of the source run
 */
public record WorkflowForkChanges(
        String place,
        Map<String, Json> outputs,
        @Nullable Json input,
        @Nullable Json state,
        @Nullable WorkflowDefinition workflow,
        boolean withoutHooks,
        UnaryOperator<OptionValues> options) {

    public WorkflowForkChanges {
        outputs = new LinkedHashMap<>(outputs);
    }

    /** Return what the fork has in place of what the source run had. */
    List<String> replaced() {
        List<String> replaced = new ArrayList<>();
        ForkChanges.note(replaced, "workflow", workflow);
        ForkChanges.note(replaced, "input", input);
        ForkChanges.note(replaced, "state", state);
        replaced.addAll(replaced(outputs));
        return replaced;
    }

    /** Return how outputs that replace others are marked. */
    static List<String> replaced(Map<String, Json> outputs) {
        return outputs.keySet().stream().map(path -> "output " + path).toList();
    }
}
