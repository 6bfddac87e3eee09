package dev.chargehand.internal.state.value;

import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applies JSON merge patches (RFC 7396): objects are merged, {@code null} deletes a key, everything else replaces. */
public final class MergePatch {

    private static final Json NOTHING = Json.of(Map.of());

    private MergePatch() {}

    /**
     * Return the patch that has the effect of one after the other; both are objects. No patch says "an object in place of
     * the one before", so what the second one adds in place of a value that the first one removed or replaced names what is
     * to be removed.
     *
     * @param value what the first one is applied to
     */
    public static Json joined(Json value, Json first, Json second) {
        Map<String, Json> old = value.isObject() ? value.fields() : Map.of();
        Map<String, Json> joined = first.fields();
        second.fields().forEach((key, change) -> {
            Json before = joined.get(key);
            Json below = old.getOrDefault(key, NOTHING);
            if (before == null || !change.isObject()) {
                joined.put(key, change);
            } else if (before.isObject()) {
                joined.put(key, joined(below, before, change));
            } else {
                joined.put(key, replacing(below, change));
            }
        });
        return Json.of(joined);
    }

    /** Return the patch after which a value is what an object makes of nothing. */
    private static Json replacing(Json value, Json made) {
        Map<String, Json> old = value.isObject() ? value.fields() : Map.of();
        Map<String, Json> patch = made.fields();
        patch.replaceAll((key, each) -> each.isObject() ? replacing(old.getOrDefault(key, NOTHING), each) : each);
        old.keySet().forEach(key -> patch.putIfAbsent(key, Json.of(null)));
        return Json.of(patch);
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
                merged.put(key, applied(before == null ? NOTHING : before, change));
            }
        });
        return Json.of(merged);
    }
}
