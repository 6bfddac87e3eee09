package dev.chargehand.internal.fact;

import dev.chargehand.json.Json;
import java.util.List;

/**
 * The definition of a workflow that a run started with.
 *
 * @param version its version
 * @param shape its entries, a text for each with its id, its kind and the ids of its steps
 * @param initialState the state that its steps share, at the start
 */
public record DefinitionLink(String version, List<String> shape, Json initialState) {
    public DefinitionLink {
        Parts.require(version, initialState);
        shape = List.copyOf(shape);
    }
}
