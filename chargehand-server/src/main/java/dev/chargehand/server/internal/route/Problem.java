package dev.chargehand.server.internal.route;

import dev.chargehand.server.Scope;

/** What can be wrong with a request, with the status of its answer. The code is the contract; texts may change. */
public enum Problem {
    BAD_JSON(400, "bad-json", "The body is not JSON that the server accepts"),
    BAD_REQUEST(400, "bad-request", "The request is invalid"),
    BAD_CURSOR(400, "bad-cursor", "The cursor is invalid"),
    BAD_PATH(400, "bad-path", "The path is invalid"),
    ROLE_NOT_ALLOWED(400, "role-not-allowed", "A message has a role that the server does not accept"),
    NOT_SIGNED_IN(401, "not-signed-in", "The request has no valid sign-in"),
    NOT_ALLOWED(403, "not-allowed", "The caller may not do this"),
    BAD_ORIGIN(403, "bad-origin", "Requests of this origin are not accepted"),
    BAD_HOST(403, "bad-host", "The request names another host"),
    ROUTE_UNKNOWN(404, "route-unknown", "There is no such route"),
    AGENT_UNKNOWN(404, "agent-unknown", "There is no such agent"),
    WORKFLOW_UNKNOWN(404, "workflow-unknown", "There is no such workflow"),
    RUN_UNKNOWN(404, "run-unknown", "There is no such run"),
    TOOL_UNKNOWN(404, "tool-unknown", "There is no such tool"),
    APPROVAL_UNKNOWN(404, "approval-unknown", "There is no such waiting call"),
    TASK_UNKNOWN(404, "task-unknown", "There is no such background task"),
    THREAD_UNKNOWN(404, "thread-unknown", "There is no such thread"),
    NOT_AVAILABLE(404, "not-available", "The server does not have this"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "The route has other methods"),
    NOT_ACCEPTABLE(406, "not-acceptable", "The client accepts nothing that the route sends"),
    THREAD_BUSY(409, "thread-busy", "Another run uses the thread"),
    SUSPENDED(409, "suspended", "The run waits for an answer"),
    THREAD_EXISTS(409, "thread-exists", "There is such a thread already"),
    RESOURCE_BUSY(409, "resource-busy", "A run of the resource has not ended"),
    MEMORY_CONFLICT(409, "memory-conflict", "The memory was changed by others"),
    NOT_ENDED(409, "not-ended", "The run has not ended"),
    ENDED(409, "ended", "The run has ended"),
    RUN_EXECUTED(409, "run-executed", "A process executes the run"),
    NOT_SLEEPING(409, "not-sleeping", "Nothing in the run waits for a time there"),
    ALREADY_DECIDED(409, "approval-already-decided", "The call was answered before"),
    ARGUMENTS_CHANGED(409, "approval-arguments-changed", "The call has other arguments than those that were shown"),
    EXPIRED(410, "approval-expired", "The time to answer the call is over"),
    BODY_TOO_LARGE(413, "body-too-large", "The body is too large"),
    PATH_TOO_LONG(414, "path-too-long", "Path and query are too long"),
    NOT_JSON(415, "not-json", "The body has a media type that the server does not accept"),
    IDEMPOTENCY_MISMATCH(422, "idempotency-mismatch", "The idempotency key was used for another request"),
    INVALID_SCHEMA(422, "invalid-schema", "The schema is invalid"),
    LIMIT_NOT_LOWERED(422, "limit-not-lowered", "A limit can only be lowered"),
    INVALID_VERSION(422, "invalid-version", "The document of the version is invalid"),
    VERSION_UNKNOWN(422, "version-unknown", "There is no such version"),
    VERSION_NOT_SELECTABLE(422, "version-not-selectable", "Callers may not select versions of the agent"),
    MODEL_NOT_SELECTABLE(422, "model-not-selectable", "Callers may not select the model"),
    RUN_FAILED(424, "run-failed", "The run has started and has no result"),
    RUN_RELEASED(424, "run-released", "Another process continues the run"),
    RATE_LIMITED(429, "rate-limited", "The caller sends too many requests"),
    TOO_MANY_RUNS(429, "too-many-runs", "Too many runs are executed or wait for it"),
    TOO_MANY_STREAMS(429, "too-many-streams", "Too many streams are open"),
    HEADERS_TOO_LARGE(431, "headers-too-large", "The headers of the request are too large"),
    INTERNAL(500, "internal", "The server has failed"),
    DRAINING(503, "draining", "The server is being stopped"),
    MODEL_UNAVAILABLE(503, "model-unavailable", "A model cannot be used"),
    STORE_UNAVAILABLE(503, "store-unavailable", "The store cannot be used");

    /** The path of a code's page, up to the code. */
    public static final String PAGES = "/api/v1/problems/";

    private final int status;
    private final String code;
    private final String title;

    Problem(int status, String code, String title) {
        this.status = status;
        this.code = code;
        this.title = title;
    }

    /** Return the status of the answer. */
    public int status() {
        return status;
    }

    /** Return the stable code. */
    public String code() {
        return code;
    }

    /** Return the path of the page that explains the code; it is the type of the problem's document. */
    public String page() {
        return PAGES + code;
    }

    /** Return a short text for a person. */
    public String title() {
        return title;
    }

    /** Return whether the same request may succeed in a moment. */
    public boolean isTemporary() {
        return status == 429 || status == 503;
    }

    /** Make an exception. */
    public ProblemException of(String detail) {
        return new ProblemException(this, detail);
    }

    /** Make the exception of a caller that lacks a scope. */
    public static ProblemException lacks(Scope scope) {
        return NOT_ALLOWED
                .of("The caller needs the scope '" + scope.text() + "'.")
                .with("scope", scope.text());
    }
}
