package dev.chargehand.server.internal.wire;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads the fields of a JSON object of a request. Unknown fields are ignored, since clients send those of other servers; each problem names
 * the field, also as {@code param}.
 */
public final class Body {

    private static final int TEXT_LENGTH = 4 * 1024 * 1024;
    private static final int ID_LENGTH = 1_000;
    private static final Json NULL = Json.of(null);

    private final Map<String, Json> fields;
    private final String path;

    private Body(Map<String, Json> fields, String path) {
        this.fields = fields;
        this.path = path;
    }

    /** Read the body of a request. */
    public static Body of(Json object) {
        return new Body(object.fields(), "");
    }

    /** Return a field; empty if it is missing or null. */
    public Optional<Json> json(String name) {
        return Optional.ofNullable(fields.get(name))
                .filter(value -> !value.text().strip().equals("null"));
    }

    /** Return a text, perhaps an empty one. */
    public Optional<String> text(String name) {
        return json(name).map(value -> value.string()
                .filter(text -> text.length() <= TEXT_LENGTH)
                .orElseThrow(() -> problem(name, "must be a text")));
    }

    /** Return a short text that is not blank, such as an id. */
    public Optional<String> id(String name) {
        return json(name).map(value -> value.string()
                .filter(text -> !text.isBlank() && text.length() <= ID_LENGTH)
                .filter(text -> text.chars().noneMatch(Character::isISOControl))
                .orElseThrow(() -> problem(name, "must be a text of 1 to " + ID_LENGTH + " characters")));
    }

    /** Return an id that must be there. */
    public String requiredId(String name) {
        return id(name).orElseThrow(() -> problem(name, "is missing"));
    }

    /** Return whether a field is true; false if it is missing. */
    public boolean flag(String name) {
        return json(name)
                .map(value -> {
                    return switch (value.text().strip()) {
                        case "true" -> true;
                        case "false" -> false;
                        default -> throw problem(name, "must be true or false");
                    };
                })
                .orElse(false);
    }

    /** Return a whole number above zero. */
    public Optional<Integer> number(String name) {
        return number(name, 1);
    }

    /** Return a whole number that is not less than another. */
    public Optional<Integer> number(String name, int least) {
        return json(name).map(value -> {
            try {
                int number = Integer.parseInt(value.text().strip());
                if (number >= least) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw problem(name, "must be a whole number from " + least);
        });
    }

    /** Return the fields of an object. */
    public Optional<Body> object(String name) {
        return json(name).map(value -> {
            if (!value.isObject()) {
                throw problem(name, "must be a JSON object");
            }
            return new Body(value.fields(), path + name + ".");
        });
    }

    /** Return the names of all fields. */
    public List<String> names() {
        return List.copyOf(fields.keySet());
    }

    /** Return all fields, which must be texts. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        fields.keySet().forEach(name -> text(name).ifPresent(text -> texts.put(name, text)));
        return texts;
    }

    /** Return a list of values; empty if it is missing. */
    public List<Json> list(String name) {
        return json(name)
                .map(value -> {
                    try {
                        return Arrays.stream(value.as(Json[].class))
                                .map(each -> Objects.requireNonNullElse(each, NULL))
                                .toList();
                    } catch (InvalidJsonException e) {
                        throw problem(name, "must be a list");
                    }
                })
                .orElse(List.of());
    }

    /** Return a list of texts; empty if it is missing. */
    public List<String> texts(String name) {
        return list(name).stream()
                .map(each -> each.string().orElseThrow(() -> problem(name, "must be a list of texts")))
                .toList();
    }

    /** Return a list of objects; empty if it is missing. */
    public List<Body> objects(String name) {
        List<Body> objects = new ArrayList<>();
        for (Json each : list(name)) {
            objects.add(item(name, objects.size(), each));
        }
        return objects;
    }

    /** Return the fields of an item of a list, which must be an object. */
    public Body item(String name, int index, Json item) {
        String place = name + "[" + index + "]";
        if (!item.isObject()) {
            throw problem(place, "must be a JSON object");
        }
        return new Body(item.fields(), path + place + ".");
    }

    /** Make the problem of a field. */
    public ProblemException problem(String name, String rule) {
        String place = path + name;
        return Problem.BAD_REQUEST
                .of("The field '" + place + "' of the body " + rule + ".")
                .with("param", place);
    }

    /** Make the problem of a message whose role is not accepted. */
    public ProblemException role(String rule) {
        return Problem.ROLE_NOT_ALLOWED.of(rule).with("param", path + "role");
    }
}
