package dev.chargehand.openapi;

import dev.chargehand.document.Setting;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.provider.connection.HttpCalls.Answer;
import dev.chargehand.provider.connection.HttpCalls.NoAnswerException;
import dev.chargehand.tool.ToolFailureException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what an operation answered, so that a model can read it. */
final class ResponseText {

    private static final int LONGEST_ERROR = 2_000;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)");
    private static final Pattern TEXT = Pattern.compile(
            "text/.*|application/(.*[+])?(json|xml|yaml)|application/(x-www-form-urlencoded|javascript|.*yaml)");
    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    private final HttpApi api;
    private final Operation operation;

    ResponseText(HttpApi api, Operation operation) {
        this.api = api;
        this.operation = operation;
    }

    /**
     * Return the result of a call.
     *
     * @throws ToolFailureException if the answer says that it failed
     */
    Map<String, Object> result(Answer answer) {
        int status = answer.status();
        if (status >= 300 && status < 400) {
            throw new ToolFailureException(what() + " answered " + status + ", a redirect to " + answer.redirect()
                    + ". Redirects are not followed.");
        }
        if (status < 200 || status >= 300) {
            throw new ToolFailureException(what() + " answered " + status + said(answer) + hint(status));
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("status", status);
        if (answer.bytes() > 0) {
            if (isText(answer)) {
                result.put("body", body(answer));
            } else {
                result.put("note", "The body is no text but " + answer.mediaType() + ", and is not shown.");
            }
        }
        return result;
    }

    /** Report that no answer came, and the consequence for the request. */
    ToolFailureException none(NoAnswerException e) {
        String effect = !e.isSent()
                ? " Nothing was sent."
                : SAFE.contains(operation.method()) ? "" : " Whether it had an effect is not known.";
        return new ToolFailureException(what() + " got no answer: " + e.getMessage() + "." + effect);
    }

    /** Return only the variables of a setting. */
    static String variables(Setting setting) {
        return VARIABLE.matcher(setting.text())
                .results()
                .map((MatchResult match) -> match.group(1))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private String said(Answer answer) {
        if (answer.bytes() == 0 || !isText(answer)) {
            return ".";
        }
        String text = answer.text().strip();
        return text.length() <= LONGEST_ERROR
                ? ": " + text
                : ": " + text.substring(0, LONGEST_ERROR) + "\n[cut: the first " + LONGEST_ERROR + " characters]";
    }

    private String hint(int status) {
        if (status != 401 && status != 403) {
            return "";
        }
        String keys = Stream.of(api.headers(), api.query())
                .flatMap(sent -> sent.entrySet().stream())
                .filter(sent -> !variables(sent.getValue()).isEmpty())
                .map(sent -> "'" + sent.getKey() + "' from " + variables(sent.getValue()))
                .collect(Collectors.joining(", "));
        return keys.isEmpty()
                ? "\n('" + api.name() + "' has no header and no query with a key.)"
                : "\n(Sent were " + keys + "; the operator has to check them.)";
    }

    private Object body(Answer answer) {
        String text = answer.text();
        if (answer.cut()) {
            return text + "\n[cut: the first " + answer.bytes() + " bytes]";
        }
        if (answer.mediaType().endsWith("json") || answer.mediaType().isEmpty()) {
            try {
                return Json.parse(text);
            } catch (InvalidJsonException e) {
                return text; // it says what it says
            }
        }
        return text;
    }

    private static boolean isText(Answer answer) {
        return answer.mediaType().isEmpty() || TEXT.matcher(answer.mediaType()).matches();
    }

    private String what() {
        return operation.method() + " " + operation.path();
    }
}
