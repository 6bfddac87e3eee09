package dev.chargehand.cli.http;

import dev.chargehand.cli.config.Headers;
import dev.chargehand.cli.config.OpenApiEntry;
import dev.chargehand.cli.config.OperationEntry;
import dev.chargehand.cli.config.OperationEntry.Body;
import dev.chargehand.cli.config.ServerAddress;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.models.internal.HttpTools;
import dev.chargehand.models.internal.HttpTools.NoAnswer;
import dev.chargehand.models.internal.HttpTools.Request;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes a tool of an operation of an HTTP API. */
public final class HttpTool {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    private final OpenApiEntry api;
    private final OperationEntry operation;
    private final RequestWriter writer;
    private final Variables variables;
    private final HttpTools http;

    private HttpTool(
            OpenApiEntry api, OperationEntry operation, RequestWriter writer, Variables variables, HttpTools http) {
        this.api = api;
        this.operation = operation;
        this.writer = writer;
        this.variables = variables;
        this.http = http;
    }

    /**
     * Makes the tool.
     *
     * <p>Its server is read now, its headers with each call: a variable that is not set fails the calls that need it.
     *
     * @param http what carries its calls; stays the caller's to close
     * @throws ConfigurationException if requests cannot go to its server
     */
    public static Tool of(OpenApiEntry api, OperationEntry operation, Variables variables, HttpTools http) {
        RequestWriter writer = new RequestWriter(operation, ServerAddress.of(operation.server(), variables));
        HttpTool tool = new HttpTool(api, operation, writer, variables, http);
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
                writer.uri(arguments),
                headers(arguments, context, safe),
                writer.body(arguments),
                safe);
        Answers answers = new Answers(api, operation);
        try {
            Duration connect = api.timeout().compareTo(LONGEST_CONNECT) < 0 ? api.timeout() : LONGEST_CONNECT;
            return answers.result(http.send(request, connect, api.maxOutput()));
        } catch (NoAnswer e) {
            throw answers.none(e);
        }
    }

    /** Returns what is sent; what the file says wins over what a call says. */
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
        api.headers().forEach((name, value) -> headers.put(name, fixed(name, value)));
        return headers;
    }

    private String fixed(String name, Setting value) {
        String text;
        try {
            text = variables.resolve(value).text();
        } catch (ConfigurationException e) {
            throw new ToolFailure(what() + " cannot be called: its header '" + name
                    + "' needs a variable that is not set (" + Answers.variables(value) + "). Nothing was sent.");
        }
        if (!Headers.isValue(text)) {
            throw new ToolFailure(what() + " cannot be called: its header '" + name
                    + "' has characters that cannot be sent. Nothing was sent.");
        }
        return text;
    }

    private String what() {
        return operation.method() + " " + operation.path();
    }
}
