package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.server.internal.route.ProblemException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Errors as OpenAI's clients read them. */
final class ErrorBody {

    private ErrorBody() {}

    /** Return the error of a problem, with the ids of the run and of what it waits for. */
    static Map<String, @Nullable Object> of(ProblemException problem) {
        int status = problem.problem().status();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("message", problem.getMessage());
        fields.put("type", type(status));
        fields.put("param", problem.field("param").orElse(null));
        fields.put("code", problem.field("error").orElse(problem.problem().code()));
        problem.field("runId").ifPresent(id -> fields.put("run_id", id));
        problem.field("approvals").ifPresent(ids -> fields.put("approvals", ids));
        return fields;
    }

    private static String type(int status) {
        return switch (status) {
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 424 -> "run_error";
            case 429 -> "rate_limit_error";
            default -> status >= 500 ? "server_error" : "invalid_request_error";
        };
    }
}
