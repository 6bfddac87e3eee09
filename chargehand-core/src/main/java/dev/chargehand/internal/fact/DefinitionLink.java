package dev.chargehand.internal.fact;

import dev.chargehand.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definition that a run started with: a workflow, or an agent that has a version.
 *
 * @param version its version
 * @param shape the entries of a workflow, a text for each with its id, its kind and the ids of its steps; empty for an agent
 * @param initialState the state that the steps of a workflow share, at the start; null for an agent
 */
public record DefinitionLink(
        String version, List<String> shape, @Nullable Json initialState) {
    public DefinitionLink {
        Parts.require(version);
        shape = List.copyOf(shape);
        if (!shape.isEmpty()) {
            Parts.require(initialState);
        }
    }
}
