package dev.chargehand.server.internal.route;

import dev.chargehand.server.Scope;
import java.util.Optional;

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

    /** Make a route that is not part of the OpenAPI document, such as one of a wire. */
    public Route(String method, String template, Access access, String summary, Handler handler) {
        this(method, template, access, summary, Operation.NONE, handler);
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
