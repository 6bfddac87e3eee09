package dev.chargehand.internal.memory;

import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applies JSON merge patches (RFC 7396): objects are merged, {@code null} deletes a key, everything else replaces. */
final class MergePatch {

    private MergePatch() {}

    /** Return a value with a patch. */
    static Json applied(Json value, Json patch) {
        if (!patch.isObject()) {
            return patch;
        }
        Map<String, Json> merged = value.isObject() ? value.fields() : new LinkedHashMap<>();
        patch.fields().forEach((key, change) -> {
            if (change.text().equals("null")) {
                merged.remove(key);
            } else {
                Json before = merged.get(key);
                merged.put(key, applied(before == null ? Json.of(Map.of()) : before, change));
            }
        });
        return Json.of(merged);
    }
}
