package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.wire.Body;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What queries of Mastra's client say about lists: pages, moments, and JSON. */
public final class ListQuery {

    private ListQuery() {}

    /**
     * A page of a list.
     *
     * @param number from 0
     * @param size how many it has at most; empty for all
     */
    public record Page(int number, OptionalInt size) {

        /**
         * Return the page that a query names.
         *
         * @param most how many it may have; all are a page too
         */
        public static Page of(Call call, int byDefault, int most) {
            boolean isWhole = call.query("perPage").filter("false"::equals).isPresent();
            return new Page(
                    call.query("page", 0, 1_000_000, 0),
                    isWhole ? OptionalInt.empty() : OptionalInt.of(call.query("perPage", 0, most, byDefault)));
        }

        /** Return what the page has of a whole list. */
        public <T> List<T> of(List<T> all) {
            if (size.isEmpty()) {
                return all;
            }
            int from = (int) Math.min(all.size(), (long) number * size.getAsInt());
            return all.subList(from, Math.min(all.size(), from + size.getAsInt()));
        }

        /** Return what the client reads about the page. */
        public Map<String, Object> fields(long total) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("total", total);
            fields.put("page", number);
            fields.put("perPage", size.isPresent() ? (Object) size.getAsInt() : (Object) false);
            fields.put("hasMore", size.isPresent() && (number + 1L) * size.getAsInt() < total);
            return fields;
        }
    }

    /** Return a moment of the query. */
    public static Optional<Instant> time(Call call, String name) {
        return call.query(name).map(text -> time(text, "The parameter '" + name + "'"));
    }

    /** Return a moment of an object. */
    static Optional<Instant> time(Body body, String name) {
        return body.text(name).map(text -> time(text, "The field '" + name + "'"));
    }

    private static Instant time(String text, String what) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw Problem.BAD_REQUEST.of(what + " must be a time, such as 2026-01-31T00:00:00Z.");
        }
    }

    /** Return an object of the query. */
    static Optional<Body> object(Call call, String name) {
        return call.query(name).map(text -> parse(text, name)).map(json -> {
            if (!json.isObject()) {
                throw notJson(name);
            }
            return Body.of(json);
        });
    }

    /** Return objects of a list in the query. */
    static List<Body> objects(Call call, String name) {
        return call.query(name)
                .map(text -> Body.of(Json.of(Map.of(name, parse(text, name)))).objects(name))
                .orElse(List.of());
    }

    private static Json parse(String text, String name) {
        try {
            return Json.parse(text);
        } catch (InvalidJsonException e) {
            throw notJson(name);
        }
    }

    private static ProblemException notJson(String name) {
        return Problem.BAD_REQUEST.of("The parameter '" + name + "' must be JSON, in the form that the client sends.");
    }

    /** Return whether an order is ascending, or empty if none is named. */
    static Optional<Boolean> ascending(Optional<String> direction) {
        return direction.map(word -> switch (word) {
            case "ASC" -> true;
            case "DESC" -> false;
            default -> throw Problem.BAD_REQUEST.of("The direction of an order is 'ASC' or 'DESC'.");
        });
    }
}
