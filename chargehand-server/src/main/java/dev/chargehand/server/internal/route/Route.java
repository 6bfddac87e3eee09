package dev.chargehand.server.internal.route;

import dev.chargehand.json.Json;
import dev.chargehand.server.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A route of the server.
 *
 * @param method the method, such as {@code GET}
 * @param template the path; a segment in braces is a parameter, such as {@code /api/v1/runs/{id}}
 * @param access who may call it
 * @param summary what it does, in one line
 * @param operation what the OpenAPI document says of it
 * @param handler what answers it
 */
public record Route(
        String method, String template, Access access, String summary, Operation operation, Handler handler) {

    /** Make a route that the OpenAPI document lists with its summary only. */
    public Route(String method, String template, Access access, String summary, Handler handler) {
        this(method, template, access, summary, Operation.NONE, handler);
    }

    /** Return this route with further headers of its answers, which are asked for when the answer is known. */
    public Route withHeaders(Function<Call, Map<String, String>> headers) {
        return new Route(method, template, access, summary, operation, call -> handler.handle(call)
                .withHeaders(headers.apply(call)));
    }

    /**
     * Require of a route that is described, and not open to any caller, that it reads all that was sent: the rest would be a mistake that
     * the client does not notice.
     */
    void requireExpected(Map<String, String> query, Json body) {
        if (!operation.isDescribed() || !access.signedIn()) {
            return;
        }
        if (operation.request() == null && !body.fields().isEmpty()) {
            throw Problem.BAD_REQUEST.of("The route takes no body; send none, or an empty object.");
        }
        query.forEach(this::requireExpected);
    }

    private void requireExpected(String name, String value) {
        List<Operation.Parameter> known = operation.parameters().stream()
                .filter(each -> each.in().equals("query"))
                .toList();
        Operation.Parameter parameter = known.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name, known));
        List<?> words = parameter.shape().keywords().get("enum") instanceof List<?> all ? all : List.of();
        if (!words.isEmpty() && !value.isEmpty() && !words.contains(value)) {
            throw Problem.BAD_REQUEST.of("The parameter '" + name + "' must be one of "
                    + String.join(", ", words.stream().map(Object::toString).toList()) + ".");
        }
    }

    private static ProblemException unknown(String name, List<Operation.Parameter> known) {
        String names = String.join(
                ", ", known.stream().map(Operation.Parameter::name).sorted().toList());
        return Problem.BAD_REQUEST.of("The parameter '" + (name.length() > 50 ? name.substring(0, 50) + "…" : name)
                + "' is not known here; the query " + (names.isEmpty() ? "takes none" : "may have " + names) + ".");
    }

    /**
     * Return the media types of what a caller gets. There are none if it does not choose: of another protocol, of what any caller may
     * read, such as the health of the server, and of answers without a body.
     */
    public Set<String> mediaTypes() {
        return access.signedIn() ? operation.mediaTypes() : Set.of();
    }

    /** Require that the client accepts something that the route sends; a problem is sent to every client. */
    void requireAcceptable(Accept accept) {
        Set<String> sent = mediaTypes();
        if (!sent.isEmpty() && sent.stream().noneMatch(accept::allows)) {
            throw Problem.NOT_ACCEPTABLE.of("The header 'Accept' excludes what the route sends: "
                    + String.join(" or ", sent) + ". Name one of these, or '*/*'.");
        }
    }

    /** What a handler does. Thread-safe. */
    @FunctionalInterface
    public interface Handler {

        /** Answer a call. */
        Reply handle(Call call);
    }

    /**
     * Who may call a route.
     *
     * @param signedIn whether the caller must be signed in
     * @param scope the scope that the caller needs; empty for none
     */
    public record Access(boolean signedIn, Optional<Scope> scope) {

        /** Any caller. */
        public static final Access OPEN = new Access(false, Optional.empty());

        /** Any caller that is signed in. */
        public static final Access SIGNED_IN = new Access(true, Optional.empty());

        /** Return the access of callers with a scope. */
        public static Access of(Scope scope) {
            return new Access(true, Optional.of(scope));
        }
    }
}
