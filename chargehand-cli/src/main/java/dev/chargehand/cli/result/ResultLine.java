package dev.chargehand.cli.result;

import dev.chargehand.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Describes the result of a tool in a line for people: texts without quotes, lists by their number, no braces. */
public final class ResultLine {

    private static final int SHOWN_OF_TEXT = 60;
    private static final int SHOWN_SOURCES = 3;

    private ResultLine() {}

    /** Return the line; foreign text in it is not yet made visible. */
    public static String of(Json result) {
        if (result.isObject()) {
            Map<String, Json> fields = result.fields();
            return fields.containsKey("passages") && fields.containsKey("note")
                    ? passages(fields.get("passages"))
                    : fields.isEmpty() ? "nothing" : named(fields);
        }
        return value(result, Integer.MAX_VALUE);
    }

    /** The sources of what {@code search-files} has found. */
    private static String passages(Json passages) {
        int count = size(passages);
        String sources = IntStream.range(0, Math.min(count, SHOWN_SOURCES))
                .mapToObj(i ->
                        passages.at("/" + i + "/source").flatMap(Json::string).orElse("?"))
                .collect(Collectors.joining(", "));
        return count == 0
                ? "found nothing"
                : count(count, "passage") + ": " + sources + (count > SHOWN_SOURCES ? ", …" : "");
    }

    private static String named(Map<String, Json> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + " " + value(field.getValue(), SHOWN_OF_TEXT))
                .collect(Collectors.joining(", "));
    }

    private static String value(Json value, int mostOfText) {
        if (value.isObject()) {
            return count(value.fields().size(), "field");
        }
        if (value.text().startsWith("[")) {
            return items(value);
        }
        String text = value.string().orElseGet(() -> value.text().equals("null") ? "nothing" : value.text());
        return text.length() <= mostOfText ? text : text.substring(0, mostOfText) + "…";
    }

    /** The items themselves if they are short and not nested. */
    private static String items(Json list) {
        int count = size(list);
        List<Json> items = IntStream.range(0, Math.min(count, SHOWN_SOURCES))
                .mapToObj(i -> list.at("/" + i).orElse(null))
                .filter(Objects::nonNull)
                .toList();
        boolean plain =
                items.stream().noneMatch(item -> item.isObject() || item.text().startsWith("["));
        return count(count, "item")
                + (count == 0 || !plain
                        ? ""
                        : items.stream()
                                .map(item -> value(item, SHOWN_OF_TEXT))
                                .collect(Collectors.joining(", ", ": ", count > items.size() ? ", …" : "")));
    }

    private static int size(Json list) {
        return list.as(List.class).size();
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
