package dev.chargehand.openapi;

import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.openapi.Operation.Body;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.provider.connection.HttpCalls.NoAnswerException;
import dev.chargehand.provider.connection.HttpCalls.Request;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailureException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes a tool of an operation of an HTTP API. */
final class OperationTool {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    private final HttpApi api;
    private final Operation operation;
    private final OperationRequest writer;
    private final Variables variables;
    private final HttpCalls http;

    private OperationTool(
            HttpApi api, Operation operation, OperationRequest writer, Variables variables, HttpCalls http) {
        this.api = api;
        this.operation = operation;
        this.writer = writer;
        this.variables = variables;
        this.http = http;
    }

    /**
     * Make the tool.
     *
     * <p>Its server is read now, its headers and query with each call: a variable that is not set fails the calls that need it.
     *
     * @param http what carries its calls; stays the caller's to close
     * @throws ConfigurationException if requests cannot go to its server
     */
    static Tool of(HttpApi api, Operation operation, Variables variables, HttpCalls http) {
        OperationRequest writer = new OperationRequest(operation, ServerAddress.of(operation.base(), variables));
        OperationTool tool = new OperationTool(api, operation, writer, variables, http);
        Tool.Builder<Json> builder = Tool.builder(operation.name(), operation.description())
                .input(operation.input())
                .timeout(api.timeout())
                .handler(tool::call);
        if (operation.approval()) {
            builder.requiresApproval();
        }
        if (operation.repeatable()) {
            builder.repeatable();
        }
        if (operation.polling()) {
            builder.polling();
        }
        return builder.build();
    }

    private Object call(Json arguments, ToolContext context) throws InterruptedException {
        boolean safe = SAFE.contains(operation.method());
        Request request = new Request(
                operation.method(),
                writer.uri(arguments, fixed("query parameter", api.query())),
                headers(arguments, context, safe),
                writer.body(arguments),
                safe);
        ResponseText answers = new ResponseText(api, operation);
        try {
            Duration connect = api.timeout().compareTo(LONGEST_CONNECT) < 0 ? api.timeout() : LONGEST_CONNECT;
            return answers.result(http.send(request, connect, api.maxOutput()));
        } catch (NoAnswerException e) {
            throw answers.none(e);
        }
    }

    /** Return what is sent; a fixed header wins over what a call says. */
    private Map<String, String> headers(Json arguments, ToolContext context, boolean safe) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Accept", "application/json, */*;q=0.8");
        headers.putAll(writer.headers(arguments));
        Body body = operation.body();
        if (body != null && arguments.fields().containsKey(body.argument())) {
            headers.put("Content-Type", body.mediaType());
        }
        String idempotencyHeader = api.idempotencyHeader();
        if (idempotencyHeader != null && !safe) {
            headers.put(idempotencyHeader, context.idempotencyKey());
        }
        fixed("header", api.headers()).forEach((name, text) -> {
            if (!HeaderNames.isValue(text)) {
                throw new ToolFailureException(what() + " cannot be called: its header '" + name
                        + "' has characters that cannot be sent. Nothing was sent.");
            }
            headers.put(name, text);
        });
        return headers;
    }

    /** Return what every call has, with the variables of now. */
    private Map<String, String> fixed(String kind, Map<String, Setting> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach((name, value) -> {
            try {
                texts.put(name, variables.resolve(value).text());
            } catch (ConfigurationException e) {
                throw new ToolFailureException(what() + " cannot be called: its " + kind + " '" + name
                        + "' needs a variable that is not set (" + ResponseText.variables(value)
                        + "). Nothing was sent.");
            }
        });
        return texts;
    }

    private String what() {
        return operation.method() + " " + operation.path();
    }
}
