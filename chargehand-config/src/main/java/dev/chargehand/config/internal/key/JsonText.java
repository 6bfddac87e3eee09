package dev.chargehand.config.internal.key;

import dev.chargehand.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON for people: a line for each key, short lists in one line. */
final class JsonText {

    private static final int WIDTH = 120;

    private JsonText() {}

    static String of(Object value) {
        return of(value, "") + "\n";
    }

    private static String of(Object value, String indent) {
        String deeper = indent + "  ";
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            return map.entrySet().stream()
                    .map(entry -> deeper + Json.of(entry.getKey()).text() + ": " + of(entry.getValue(), deeper))
                    .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
        }
        if (value instanceof List<?> list && !list.isEmpty()) {
            String line = list.stream()
                    .map(item -> item instanceof Map || item instanceof List
                            ? "\n"
                            : Json.of(item).text())
                    .collect(Collectors.joining(", ", "[", "]"));
            return !line.contains("\n") && indent.length() + line.length() <= WIDTH
                    ? line
                    : list.stream()
                            .map(item -> deeper + of(item, deeper))
                            .collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
        }
        return Json.of(value).text();
    }
}
