package dev.chargehand.server.internal.route;

import dev.chargehand.server.internal.shape.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the OpenAPI document says of a route: what it is sent and what it answers. Problems that every route can answer are not listed.
 * Immutable and thread-safe; every method returns a changed copy.
 *
 * @param parameters the parameters of the query, and headers
 * @param request the body; null for none
 * @param bodyRequired whether the body must be sent
 * @param answers the answers by their status
 * @param mediaTypes those of the answers
 * @param problems the problems that are its own
 */
public record Operation(
        List<Parameter> parameters,
        @Nullable Shape request,
        boolean bodyRequired,
        Map<Integer, Answer> answers,
        Set<String> mediaTypes,
        Set<Problem> problems) {

    /** A route that is not described further. */
    public static final Operation NONE = new Operation(List.of(), null, false, Map.of(), Set.of(), Set.of());

    /** The text of a header or of a parameter of the query. */
    public record Parameter(String name, String in, boolean required, Shape shape, String description) {}

    /**
     * An answer.
     *
     * @param bodies what it may be, by media type; empty for no body
     * @param headers the headers that it has, with their descriptions
     */
    public record Answer(String description, Map<String, Shape> bodies, Map<String, String> headers) {}

    /** Describe a route that answers with status 200 and a body. */
    public static Operation ok(Shape body) {
        return NONE.answer(200, "Done.", body);
    }

    /** Return whether the route is described. */
    public boolean isDescribed() {
        return !answers.isEmpty();
    }

    /** Add a parameter of the query. */
    public Operation query(String name, Shape shape, String description) {
        return with(new Parameter(name, "query", false, shape, description));
    }

    /** Add a parameter of the query without which the route does not answer. */
    public Operation requiredQuery(String name, Shape shape, String description) {
        return with(new Parameter(name, "query", true, shape, description));
    }

    /** Add a header. */
    public Operation header(String name, Shape shape, String description) {
        return with(new Parameter(name, "header", false, shape, description));
    }

    private Operation with(Parameter parameter) {
        List<Parameter> more = new ArrayList<>(parameters);
        more.add(parameter);
        return new Operation(List.copyOf(more), request, bodyRequired, answers, mediaTypes, problems);
    }

    /** Set the body of the request. */
    public Operation body(Shape shape) {
        return new Operation(parameters, shape, true, answers, mediaTypes, problems);
    }

    /** Set the body of the request, which may be left out. */
    public Operation optionalBody(Shape shape) {
        return new Operation(parameters, shape, false, answers, mediaTypes, problems);
    }

    /** Add an answer with a JSON body. */
    public Operation answer(int status, String description, Shape body) {
        return answer(status, new Answer(description, Map.of("application/json", body), Map.of()));
    }

    /** Add an answer. */
    public Operation answer(int status, Answer answer) {
        Map<Integer, Answer> more = new LinkedHashMap<>(answers);
        more.put(status, answer);
        Set<String> types = new TreeSet<>(mediaTypes);
        types.addAll(answer.bodies().keySet());
        return new Operation(parameters, request, bodyRequired, more, types, problems);
    }

    /** Add problems that the route can answer. */
    public Operation problems(Problem... own) {
        Set<Problem> more = new LinkedHashSet<>(problems);
        more.addAll(List.of(own));
        return new Operation(parameters, request, bodyRequired, answers, mediaTypes, more);
    }
}
