package dev.chargehand.server.internal.api;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Reads the fields of a JSON object of a request. Each problem names the field and what it must be. */
public final class Fields {

    private static final int TEXT_LENGTH = 1_000;
    private static final Json NULL = Json.of(null);

    private final Map<String, Json> fields;
    private final String pointer;

    private Fields(Map<String, Json> fields, String pointer) {
        this.fields = fields;
        this.pointer = pointer;
    }

    /**
     * Read an object.
     *
     * @param known the fields that it may have
     */
    public static Fields of(Json object, Set<String> known) {
        return of(object, "", known);
    }

    /** Read an object that has no other fields than a shape. */
    public static Fields of(Json object, Shape shape) {
        return of(object, "", shape.names());
    }

    private static Fields of(Json object, String pointer, Set<String> known) {
        if (!object.isObject()) {
            throw invalid(pointer, "must be a JSON object");
        }
        Map<String, Json> fields = object.fields();
        for (String name : fields.keySet()) {
            if (!known.contains(name)) {
                throw invalid(
                        pointer + "/" + (name.length() > 50 ? name.substring(0, 50) + "…" : name),
                        "is not known here; known are "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
        return new Fields(fields, pointer);
    }

    /** Return a field; empty if it is missing or null. */
    public Optional<Json> json(String name) {
        return Optional.ofNullable(fields.get(name)).filter(value -> !isNull(value));
    }

    /** Return whether a field was sent as null, with which a change removes what it names. */
    public boolean isNull(String name) {
        return Optional.ofNullable(fields.get(name)).filter(Fields::isNull).isPresent();
    }

    /** Return whether a value is null. */
    public static boolean isNull(Json value) {
        return value.text().strip().equals("null");
    }

    /** Return a short text, such as an id; it has no control characters, which not every store keeps. */
    public Optional<String> text(String name) {
        Optional<String> text = text(name, TEXT_LENGTH);
        if (text.stream().flatMapToInt(String::chars).anyMatch(Character::isISOControl)) {
            throw invalid(pointer + "/" + name, "must have no control characters");
        }
        return text;
    }

    /** Return a text of at most so many characters; it is not blank. */
    public Optional<String> text(String name, int most) {
        return json(name).map(value -> {
            String text = value.string().orElseThrow(() -> invalid(pointer + "/" + name, "must be a text"));
            if (text.isBlank() || text.length() > most) {
                throw invalid(pointer + "/" + name, "must be a text of 1 to " + most + " characters");
            }
            return text;
        });
    }

    /** Return a text that must be there. */
    public String required(String name) {
        return text(name).orElseThrow(() -> invalid(pointer + "/" + name, "is missing"));
    }

    /** Return a whole number above zero. */
    public Optional<Long> number(String name) {
        return json(name).map(value -> {
            try {
                long number = Long.parseLong(value.text().strip());
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw invalid(pointer + "/" + name, "must be a whole number above 0");
        });
    }

    /** Return the fields of an object. */
    public Optional<Fields> object(String name, Set<String> known) {
        return json(name).map(value -> of(value, pointer + "/" + name, known));
    }

    /** Return the values of an object by their names. */
    public Map<String, Json> map(String name) {
        return json(name)
                .map(value -> {
                    if (!value.isObject()) {
                        throw invalid(pointer + "/" + name, "must be a JSON object");
                    }
                    return value.fields();
                })
                .orElse(Map.of());
    }

    /**
     * Return a list of values.
     *
     * @param rule what is said of another value, such as: must be a list of names
     */
    public Optional<List<Json>> list(String name, String rule) {
        return json(name).map(value -> {
            try {
                return Arrays.stream(value.as(Json[].class))
                        .map(each -> Objects.requireNonNullElse(each, NULL))
                        .toList();
            } catch (InvalidJsonException e) {
                throw invalid(pointer + "/" + name, rule);
            }
        });
    }

    /**
     * Return the fields of the objects in a list; none if it is missing.
     *
     * @param known the fields that each may have
     * @param rule what is said of another value than a list
     */
    public List<Fields> objects(String name, Set<String> known, String rule) {
        List<Fields> objects = new ArrayList<>();
        for (Json each : list(name, rule).orElse(List.of())) {
            objects.add(of(each, pointer + "/" + name + "/" + objects.size(), known));
        }
        return objects;
    }

    /** Make the problem of a field. */
    public ProblemException problem(String name, String rule) {
        return invalid(pointer + "/" + name, rule);
    }

    private static ProblemException invalid(String pointer, String rule) {
        return Problem.BAD_REQUEST
                .of("The field '" + pointer + "' of the body " + rule + ".")
                .with("errors", List.of(Map.of("pointer", pointer, "message", rule)));
    }
}
