package dev.chargehand.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How values of a type are written as JSON and read from it.
 *
 * @param reader throws {@link dev.chargehand.error.InvalidJsonException} for a value that does not fit
 * @param readsNull whether JSON null is a value of the type
 */
record Form<T>(JsonSchema schema, Function<Json, T> reader, boolean readsNull) {

    /** Of a longer value only the start is kept with the run. */
    private static final int MOST_CHARACTERS = 8_388_608;

    private static final JsonSchema ANY = JsonSchema.of(Json.of(Map.of()));
    private static final JsonType<List<@Nullable Json>> LIST = new JsonType<>() {};
    private static final JsonType<List<String>> NAMES = new JsonType<>() {};

    /** Keywords in addition to {@code type} that can exclude null. */
    private static final Set<String> NARROWING = Set.of("enum", "const", "anyOf", "oneOf", "allOf", "not", "$ref");

    @SuppressWarnings("unchecked") // a form has the type that it was made for
    static <T> Form<T> of(String where, String what, @Nullable Class<T> type) {
        return (Form<T>) ofType(where + ": " + what, Rules.given(where, what, type));
    }

    @SuppressWarnings("unchecked") // a form has the type that it was made for
    static <T> Form<T> of(String where, String what, @Nullable JsonType<T> type) {
        return (Form<T>)
                ofType(where + ": " + what, Rules.given(where, what, type).type());
    }

    static Form<Json> of(String where, String what, @Nullable JsonSchema schema) {
        JsonSchema given = Rules.given(where, what, schema);
        List<String> mistakes = given.mistakes();
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException(
                    where + ": " + what + " is not a valid JSON Schema: " + String.join("; ", mistakes) + ".");
        }
        return new Form<>(given, Function.identity(), true);
    }

    private static Form<?> ofType(String place, Type type) {
        Form<?> own = own(place, type);
        if (own != null) {
            return own;
        }
        JsonType<?> named = JsonType.of(type);
        return new Form<>(JsonSchema.ofReadable(place, named), json -> json.as(named), false);
    }

    /** Return the form of a type that the JSON library would not read as we write it, or nothing. */
    private static @Nullable Form<?> own(String place, Type type) {
        if (type == Json.class) {
            return new Form<>(ANY, Function.identity(), true);
        }
        if (type == Outputs.class) {
            return outputs();
        }
        if (!(type instanceof ParameterizedType generic)) {
            return null;
        }
        Type argument = generic.getActualTypeArguments()[0];
        if (generic.getRawType() == Optional.class) {
            return ofType(place, argument).optional();
        }
        if (generic.getRawType() == Outcome.class) {
            return ofType(place, argument).outcome();
        }
        Form<?> element = generic.getRawType() == List.class ? own(place, argument) : null;
        return element == null ? null : element.list();
    }

    static Form<Outputs> outputs() {
        return new Form<>(ofKind("object"), Outputs::new, false);
    }

    Form<List<T>> list() {
        return new Form<>(
                ofKind("array"),
                json -> json.as(LIST).stream()
                        .map(each -> read(each == null ? Json.of(null) : each))
                        .toList(),
                false);
    }

    Form<Outcome<T>> outcome() {
        return new Form<>(
                ofKind("object"),
                json -> json.at("/error")
                        .flatMap(Json::string)
                        .<Outcome<T>>map(Outcome.Failure::new)
                        .orElseGet(
                                () -> new Outcome.Success<>(read(json.at("/ok").orElse(Json.of(null))))),
                false);
    }

    Form<Optional<T>> optional() {
        return new Form<>(nullable(), json -> isNull(json) ? Optional.empty() : Optional.of(read(json)), true);
    }

    Form<T> ofAnySchema() {
        return with(ANY);
    }

    Form<T> with(JsonSchema other) {
        return new Form<>(other, reader, readsNull);
    }

    private static JsonSchema ofKind(String kind) {
        return JsonSchema.of(Json.of(Map.of("type", kind)));
    }

    /** Return the schema with null allowed, or one that allows everything. */
    private JsonSchema nullable() {
        Map<String, Json> keywords = schema.json().fields();
        Optional<String> kind = kind(schema);
        if (kind.isEmpty() || keywords.keySet().stream().anyMatch(NARROWING::contains)) {
            return ANY;
        }
        keywords.put("type", Json.of(List.of(kind.get(), "null")));
        return JsonSchema.of(Json.of(keywords));
    }

    T read(Json json) {
        return reader.apply(json);
    }

    /** Read a value, or nothing of null that is not a value of the type. */
    Optional<T> find(Json json) {
        return !readsNull && isNull(json) ? Optional.empty() : Optional.of(read(json));
    }

    private static boolean isNull(Json json) {
        return json.text().strip().equals("null");
    }

    static Json write(@Nullable Object value) {
        return Json.ofAtMost(value instanceof Outputs outputs ? outputs.json() : value, MOST_CHARACTERS);
    }

    /**
     * Return why no value of one schema fits another one, or nothing if that cannot be seen. Compared are the kinds of
     * values, and the properties that an object must have.
     */
    static @Nullable String mismatch(JsonSchema given, JsonSchema taken) {
        String from = kind(given).orElse("");
        String to = kind(taken).orElse("");
        if (!from.isEmpty() && !to.isEmpty() && !from.equals(to)) {
            return from.equals("integer") && to.equals("number") ? null : "is of type " + from + " and not " + to;
        }
        Map<String, Json> keywords = given.json().fields();
        if (!from.equals("object") || !to.equals("object") || !isClosed(keywords)) {
            return null;
        }
        Set<String> has =
                Objects.requireNonNull(keywords.get("properties")).fields().keySet();
        List<String> missing = taken.json().at("/required").map(names -> names.as(NAMES)).orElse(List.of()).stream()
                .filter(name -> !has.contains(name))
                .toList();
        return missing.isEmpty()
                ? null
                : "lacks " + String.join(", ", missing) + " (it has " + String.join(", ", has) + ")";
    }

    private static Optional<String> kind(JsonSchema schema) {
        return schema.json().at("/type").flatMap(Json::string);
    }

    /** Return whether a schema names all the properties that its objects are meant to have. */
    private static boolean isClosed(Map<String, Json> keywords) {
        return keywords.containsKey("properties")
                && keywords.getOrDefault("additionalProperties", Json.of(false)).equals(Json.of(false))
                && keywords.keySet().stream().noneMatch(NARROWING::contains);
    }
}
