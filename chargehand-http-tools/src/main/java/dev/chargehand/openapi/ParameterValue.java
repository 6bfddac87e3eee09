package dev.chargehand.openapi;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.tool.ToolFailureException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A value of a parameter as OpenAPI knows them: one text, several, or named ones. */
sealed interface ParameterValue {

    /** One text. */
    record One(String text) implements ParameterValue {}

    /** A list. */
    record Many(List<String> items) implements ParameterValue {}

    /** An object. */
    record Fields(Map<String, String> fields) implements ParameterValue {}

    /**
     * Read a value.
     *
     * @param argument the argument that it is of, for errors
     * @throws ToolFailureException if it has more levels than a parameter can have
     */
    static ParameterValue of(String argument, Json json) {
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

    /** Return whether a value is a list. */
    static boolean isList(Json json) {
        return json.text().stripLeading().startsWith("[");
    }

    /** Return the items of a list. */
    static List<Json> list(Json json) {
        return json.as(new JsonType<List<Json>>() {});
    }

    /** Return whether a value is null, and so none. */
    static boolean isNull(@Nullable Json json) {
        return json == null || json.text().strip().equals("null");
    }

    private static String scalar(String argument, @Nullable Json json) {
        if (json == null || isNull(json)) {
            throw new ToolFailureException("'" + argument + "' must not hold null. Leave it out.");
        }
        if (json.isObject() || isList(json)) {
            throw new ToolFailureException("'" + argument + "' must not hold lists or objects in lists or objects.");
        }
        return json.string().orElseGet(json::text);
    }

    /** Return all its values. */
    default Stream<String> texts() {
        return switch (this) {
            case One one -> Stream.of(one.text());
            case Many many -> many.items().stream();
            case Fields fields ->
                fields.fields().entrySet().stream().flatMap(field -> Stream.of(field.getKey(), field.getValue()));
        };
    }

    /** Return whether its written form is empty. */
    default boolean isEmpty() {
        return switch (this) {
            case One one -> one.text().isEmpty();
            case Many many -> many.items().stream().allMatch(String::isEmpty);
            case Fields fields -> fields.fields().isEmpty();
        };
    }
}
