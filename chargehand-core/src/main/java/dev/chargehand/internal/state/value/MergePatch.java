package dev.chargehand.internal.state.value;

import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applies JSON merge patches (RFC 7396): objects are merged, {@code null} deletes a key, everything else replaces. */
public final class MergePatch {

    private MergePatch() {}

    /** Return the patch that has the effect of one after the other; both are objects. */
    public static Json joined(Json first, Json second) {
        Map<String, Json> joined = first.fields();
        second.fields().forEach((key, change) -> {
            Json before = joined.get(key);
            joined.put(key, before != null && before.isObject() && change.isObject() ? joined(before, change) : change);
        });
        return Json.of(joined);
    }

    /** Return the patch that makes one object of another; neither has a null. */
    public static Json between(Json from, Json to) {
        Map<String, Json> before = from.fields();
        Map<String, Json> after = to.fields();
        Map<String, Json> patch = new LinkedHashMap<>();
        after.forEach((key, value) -> {
            Json old = before.get(key);
            if (!value.equals(old)) {
                patch.put(key, old != null && old.isObject() && value.isObject() ? between(old, value) : value);
            }
        });
        before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(key -> patch.put(key, Json.of(null)));
        return Json.of(patch);
    }

    /** Return a value with a patch. */
    public static Json applied(Json value, Json patch) {
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
