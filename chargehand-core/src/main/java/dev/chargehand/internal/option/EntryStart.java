package dev.chargehand.internal.option;

import dev.chargehand.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The entry before which a run of a workflow starts.
 *
 * @param entry the id of an entry or of one of its steps
 * @param outputs what entries before it gave, by the ids of their steps, in the order in which they were given
 */
public record EntryStart(String entry, Map<String, Json> outputs) {

    public EntryStart {
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }

    /** Return it as a part of what is the same when a call is repeated. */
    public String text() {
        return Json.of(Map.of("entry", entry, "outputs", outputs)).text();
    }
}
