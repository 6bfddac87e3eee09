package dev.chargehand.verify.server.client;

import dev.chargehand.TenantRuntime;
import dev.chargehand.event.EventId;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The events with an id that a reader of one run has received. Used by one thread at a time. */
public final class Received {

    private final List<String> positions = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private String cursor = "";

    /** Add an event by its cursor; returns whether it is the first time. */
    public boolean add(String id) {
        cursor = id;
        positions.add(position(id));
        return known.add(position(id));
    }

    /** Return the header with which a reader continues; nothing before its first event. */
    public Map<String, String> header() {
        return cursor.isEmpty() ? Map.of() : Map.of("Last-Event-ID", cursor);
    }

    /** Return how many have been received. */
    public int count() {
        return positions.size();
    }

    /** Return the place of an event in the order of its run: the last two parts of a cursor. */
    private static String position(String cursor) {
        int dot = cursor.lastIndexOf('.', cursor.lastIndexOf('.') - 1);
        return cursor.substring(dot + 1);
    }

    /** Return the places of all events of a run that the store has. */
    public static List<String> stored(TenantRuntime runtime, String run) {
        return runtime.history(new RunId(run)).stream()
                .flatMap(event -> event.origin().id().stream())
                .map(EventId::toString)
                .toList();
    }

    /** Compare what was received of a run with what is stored. */
    public void check(String run, List<String> stored, BiConsumer<String, String> fault) {
        List<String> lost = new ArrayList<>(stored);
        lost.removeAll(known);
        if (!lost.isEmpty()) {
            fault.accept("lost", lost + " of " + run);
        }
        if (known.size() < positions.size()) {
            fault.accept("doubled", positions + " of " + run);
        } else if (lost.isEmpty() && !positions.equals(stored)) {
            fault.accept("disordered", positions + " instead of " + stored + " of " + run);
        }
    }
}
