package dev.chargehand.server.internal.api;

import dev.chargehand.event.RunEvent;
import dev.chargehand.server.internal.route.Call;
import java.util.List;
import java.util.Set;

/**
 * Which events a reader wants.
 *
 * @param deltas whether parts of texts are sent
 * @param types the types of events; empty for all
 * @param depth down to which depth of nested runs; 0 for the root only
 */
record EventFilter(boolean deltas, Set<String> types, int depth) {

    private static final Set<String> DELTAS = Set.of("text-delta", "reasoning-delta", "tool-call-delta", "object");

    /** Read the filter of a query. */
    static EventFilter of(Call call) {
        return new EventFilter(
                !call.query("deltas").filter("false"::equals).isPresent(),
                call.query("types")
                        .map(types -> Set.copyOf(List.of(types.split(","))))
                        .orElse(Set.of()),
                call.query("depth", 0, 100, 100));
    }

    boolean accepts(RunEvent event, String type) {
        return (deltas || !DELTAS.contains(type))
                && (types.isEmpty() || types.contains(type))
                && event.origin().path().depth() <= depth;
    }
}
