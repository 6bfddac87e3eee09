package dev.chargehand.server.internal.route;

import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A request is answered with a problem. The detail says what is wrong, where, and what is allowed; it is sent to the client. */
@SuppressWarnings("serial") // is never serialized
public final class ProblemException extends RuntimeException {

    private final Problem problem;
    private final Map<String, Object> more = new LinkedHashMap<>();
    private final Map<String, String> headers = new LinkedHashMap<>();

    ProblemException(Problem problem, String detail) {
        super(detail, null, false, false);
        this.problem = problem;
        if (problem.isTemporary()) {
            headers.put("Retry-After", "1");
        }
    }

    /** Add a field to the body. */
    public ProblemException with(String field, Object value) {
        more.put(field, value);
        return this;
    }

    /** Add a header to the answer. */
    public ProblemException header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Return what is wrong. */
    public Problem problem() {
        return problem;
    }

    /** Return a field of the body that was added; empty if there is none. */
    public Optional<Object> field(String name) {
        return Optional.ofNullable(more.get(name));
    }

    /** Return the headers of the answer. */
    public Map<String, String> headers() {
        return Map.copyOf(headers);
    }

    /** Return the answer, a problem document of RFC 9457. */
    public Reply.Whole reply() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", problem.page());
        fields.put("title", problem.title());
        fields.put("status", problem.status());
        fields.put("code", problem.code());
        fields.put("detail", getMessage());
        fields.putAll(more);
        return new Reply.Whole(problem.status(), headers, "application/problem+json", Json.of(fields));
    }
}
