package dev.chargehand.cli.http;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.tool.ToolFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A value of a parameter as OpenAPI knows them: one text, several, or named ones. */
sealed interface Value {

    /** One text. */
    record One(String text) implements Value {}

    /** A list. */
    record Many(List<String> items) implements Value {}

    /** An object. */
    record Fields(Map<String, String> fields) implements Value {}

    /**
     * Reads a value.
     *
     * @param argument the argument that it is of, for errors
     * @throws ToolFailure if it has more levels than a parameter can have
     */
    static Value of(String argument, Json json) {
        if (json.isObject()) {
            Map<String, String> fields = new LinkedHashMap<>();
            json.fields().forEach((name, field) -> fields.put(name, scalar(argument, field)));
            return new Fields(fields);
        }
        if (isList(json)) {
            List<String> items = new ArrayList<>();
            list(json).forEach(item -> items.add(scalar(argument, item)));
            return new Many(items);
        }
        return new One(scalar(argument, json));
    }

    /** Tells whether a value is a list. */
    static boolean isList(Json json) {
        return json.text().stripLeading().startsWith("[");
    }

    /** Returns the items of a list. */
    static List<Json> list(Json json) {
        return json.as(new JsonType<List<Json>>() {});
    }

    /** Tells whether a value is null, and so none. */
    static boolean isNull(@Nullable Json json) {
        return json == null || json.text().strip().equals("null");
    }

    private static String scalar(String argument, @Nullable Json json) {
        if (json == null || isNull(json)) {
            throw new ToolFailure("'" + argument + "' must not hold null. Leave it out.");
        }
        if (json.isObject() || isList(json)) {
            throw new ToolFailure("'" + argument + "' must not hold lists or objects in lists or objects.");
        }
        return json.string().orElseGet(json::text);
    }

    /** Returns all that stands in it. */
    default Stream<String> texts() {
        return switch (this) {
            case One one -> Stream.of(one.text());
            case Many many -> many.items().stream();
            case Fields fields ->
                fields.fields().entrySet().stream().flatMap(field -> Stream.of(field.getKey(), field.getValue()));
        };
    }

    /** Tells whether nothing would be written of it. */
    default boolean isEmpty() {
        return switch (this) {
            case One one -> one.text().isEmpty();
            case Many many -> many.items().stream().allMatch(String::isEmpty);
            case Fields fields -> fields.fields().isEmpty();
        };
    }
}
