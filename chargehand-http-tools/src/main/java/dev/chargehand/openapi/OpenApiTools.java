package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tools that call operations of an HTTP API, which an OpenAPI document of version 3.0 or 3.1 describes.
 *
 * <pre>{@code
 * OpenApiTools billing = OpenApiTools.builder("billing")
 *         .document(Path.of("billing.yaml"))
 *         .server("https://billing.example.com/v2")
 *         .header("Authorization", "Bearer ${BILLING_TOKEN}")
 *         .operations("getInvoice", "GET /invoices")
 *         .addOperation("cancelInvoice", operation -> operation.name("cancel-invoice").repeatable(true))
 *         .build();
 * try (HttpCalls http = new HttpCalls()) {
 *     Agent clerk = Agent.builder("clerk").model("openai/gpt-5-mini").tools(billing.tools(http)).build();
 * }
 * }</pre>
 *
 * <p>Only the chosen operations become tools. A model sets the parameters and the body that the document declares, and
 * nothing else: it chooses neither the server nor a header that is set here. {@code GET} and {@code HEAD} need no
 * approval and may be repeated after a crash; all other operations wait for approval and are not repeated, unless an
 * option states otherwise. Nothing is fetched when the document is read.
 *
 * <p>Immutable and thread-safe. It holds no connections: {@link HttpCalls} has these.
 */
public final class OpenApiTools {

    /** The largest {@link Builder#maxOutput(int)}, in bytes. */
    public static final int LARGEST_OUTPUT = 16 << 20;

    private final HttpApi api;
    private final List<Operation> operations;

    private OpenApiTools(HttpApi api, List<Operation> operations) {
        this.api = api;
        this.operations = List.copyOf(operations);
    }

    /**
     * Start describing tools.
     *
     * @param name the name of the tools together, for messages
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Return the name of the tools together. */
    public String name() {
        return api.name();
    }

    /** Return the chosen operations in their order. */
    public List<OpenApiOperation> operations() {
        return List.copyOf(operations);
    }

    /** Return the headers of every call, with variables of the environment not yet replaced. */
    public Map<String, String> headers() {
        return texts(api.headers());
    }

    /** Return the parameters in the query of every call, with variables of the environment not yet replaced. */
    public Map<String, String> query() {
        return texts(api.query());
    }

    /**
     * Return the values of variables that calls send in headers and queries, for {@code addSecret} of a runtime, which removes them
     * from errors, events and logs; those of queries also as an address has them.
     *
     * @param environment returns the value of a variable, or null if it is not set
     */
    public List<String> secrets(Function<String, @Nullable String> environment) {
        Variables variables = new Variables(environment);
        return Stream.concat(
                        used(api.headers(), variables),
                        used(api.query(), variables).flatMap(value -> Stream.of(value, PercentEncoding.strict(value))))
                .distinct()
                .toList();
    }

    private static Stream<String> used(Map<String, Setting> settings, Variables variables) {
        return settings.values().stream().flatMap(value -> variables.used(value).stream());
    }

    private static Map<String, String> texts(Map<String, Setting> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach((name, value) -> texts.put(name, value.text()));
        return Collections.unmodifiableMap(texts);
    }

    /**
     * Make the tools, with variables of this process's environment.
     *
     * @param http carries their calls; close it after the last run that uses the tools
     * @throws ConfigurationException if the server has a variable that is not set, or is not an address then
     */
    public List<Tool> tools(HttpCalls http) {
        return tools(http, System::getenv);
    }

    /**
     * Make the tools, with variables of another source, such as a store of secrets.
     *
     * <p>Variables of the server are read now. Variables of headers and of the query are read by each call, on the thread of the
     * call: a call whose variable is not set fails, and sends nothing.
     *
     * @param http carries their calls; close it after the last run that uses the tools
     * @param environment returns the value of a variable, or null if it is not set; must be thread-safe
     * @throws ConfigurationException if the server has a variable that is not set, or is not an address then
     */
    public List<Tool> tools(HttpCalls http, Function<String, @Nullable String> environment) {
        Variables variables = new Variables(environment);
        return operations.stream()
                .map(operation -> OperationTool.of(api, operation, variables, http))
                .toList();
    }

    /** Builds {@link OpenApiTools}. Not thread-safe. */
    public static final class Builder {

        private final OpenApiOptions options;

        private Builder(String name) {
            this.options = new OpenApiOptions(name);
        }

        /** Read the OpenAPI document from a file, YAML or JSON. {@link #build()} reads it. Required. */
        public Builder document(Path file) {
            return document(file, String.valueOf(options.common.given("document", file)));
        }

        /** Read the OpenAPI document from a file, which has another name in messages. */
        public Builder document(Path file, String shown) {
            options.common.given("document", file);
            options.document = mistakes -> OpenApiDocument.read(file, shown, mistakes);
            return this;
        }

        /**
         * Take the text of an OpenAPI document instead of a file, for example of a resource.
         *
         * @param shown its name in messages
         */
        public Builder documentText(String text, String shown) {
            options.common.given("document", text);
            options.document = mistakes -> OpenApiDocument.parse(text, shown, mistakes);
            return this;
        }

        /**
         * Set the base URL of the paths, instead of the document's first server. Required with headers or a query, because a
         * document must not decide which server receives them. {@code ${NAME}} and {@code ${NAME:-default}} are
         * replaced by variables of the environment. Default: the document's first server.
         */
        public Builder server(String url) {
            options.server = options.common.given("server", url);
            return this;
        }

        /**
         * Choose operations, each by its {@code operationId} or as {@code "GET /orders"}; they replace those so far.
         */
        public Builder operations(String... chosen) {
            options.operations.clear();
            Arrays.asList(chosen).forEach(this::addOperation);
            return this;
        }

        /** Add an operation, by its {@code operationId} or as {@code "GET /orders"}. */
        public Builder addOperation(String chosen) {
            return addOperation(chosen, unchanged -> {});
        }

        /** Add an operation with options of its own. */
        public Builder addOperation(String chosen, Consumer<OperationOptions> itsOptions) {
            OperationOptions settings = new OperationOptions(options.common.given("operations", chosen));
            itsOptions.accept(settings);
            options.operations.add(settings);
            return this;
        }

        /**
         * Set a header of every call, which no model can change. A header that usually carries a secret, such as {@code
         * Authorization}, must name a variable of the environment, as in {@code "Bearer ${ORDERS_TOKEN}"}. Default:
         * none.
         */
        public Builder header(String name, String value) {
            options.headers.put(options.common.given("headers", name), options.common.given("headers", value));
            return this;
        }

        /**
         * Set a parameter in the query of every call, which no model can change, for an API that has its key there. One
         * that usually carries a secret, such as {@code key}, {@code appid} or {@code access_token}, must name a variable
         * of the environment, as in {@code "${MAPS_KEY}"}. Use a header if the API has one: addresses are in the logs of
         * servers. Default: none.
         */
        public Builder query(String name, String value) {
            options.query.put(options.common.given("query", name), options.common.given("query", value));
            return this;
        }

        /** Set whether every call waits for approval. Default: calls of GET and HEAD do not, and all others do. */
        public Builder approval(boolean every) {
            options.approval = every;
            return this;
        }

        /** Set whether a call that a crash interrupted may be repeated. Default: GET and HEAD may, and no others. */
        public Builder repeatable(boolean all) {
            options.repeatable = all;
            return this;
        }

        /** Set whether a model may make the same call many times in a row, to wait for something. Default: false. */
        public Builder polling(boolean all) {
            options.polling = all;
            return this;
        }

        /**
         * Name the header for a key that is the same for a repeated call. It is not sent with GET and HEAD. Default:
         * none.
         */
        public Builder idempotencyHeader(String name) {
            options.idempotencyHeader = options.common.given("idempotencyHeader", name);
            return this;
        }

        /** Set the time limit of a call, above zero. Default: 30 s. */
        public Builder timeout(Duration limit) {
            options.common.timeout(limit);
            return this;
        }

        /** Set the maximum number of bytes of an answer that a model receives. Default: 65,536. */
        public Builder maxOutput(int bytes) {
            options.common.maxOutput(bytes);
            return this;
        }

        /**
         * Reject operations whose tools would have one of these names, those of other tools for example. Default: none.
         */
        public Builder reservedNames(Collection<String> names) {
            options.reserved = Set.copyOf(names);
            return this;
        }

        /**
         * State where an option was given, for a program that reads it from a file of its own. Mistakes are reported at
         * that place.
         *
         * @param option such as {@code server}, {@code headers}, {@code headers.X-Team} for the name of a header,
         *     {@code headers.X-Team.value}, {@code operations.getOrder} or {@code operations.getOrder.name}; empty for
         *     all options without a place of their own
         */
        public Builder at(String option, Position position) {
            options.common.at(option, position);
            return this;
        }

        /**
         * Read the document and check everything.
         *
         * @throws ConfigurationException if something is wrong; its message has a line for each mistake
         */
        public OpenApiTools build() {
            return options.common.require(this::build);
        }

        /**
         * Read the document, and add all mistakes to those of a file. If there are any, the result is incomplete: it
         * serves for further checks, not for calls.
         */
        public OpenApiTools build(Mistakes mistakes) {
            options.common.check(mistakes);
            Map<String, Setting> headers = options.checkedHeaders(mistakes);
            Setting server = options.checkedServer(mistakes);
            HttpApi api = new HttpApi(
                    options.common.name(),
                    headers,
                    options.checkedQuery(mistakes),
                    options.checkedIdempotencyHeader(mistakes),
                    options.common.timeout(),
                    options.common.maxOutput());
            List<Operation> operations = options.document(mistakes)
                    .map(document -> new ChosenOperations(options, document, mistakes, server).read())
                    .orElse(List.of());
            return new OpenApiTools(api, operations);
        }
    }

    /** Options of one operation. An option that is not set is that of all operations. Not thread-safe. */
    public static final class OperationOptions {

        final String chosen;

        @Nullable
        String name;

        @Nullable
        String description;

        @Nullable
        Boolean approval;

        @Nullable
        Boolean repeatable;

        @Nullable
        Boolean polling;

        OperationOptions(String chosen) {
            this.chosen = chosen;
        }

        /** Set the name of the tool. Default: the {@code operationId}, or the method and the path. */
        public OperationOptions name(String value) {
            this.name = value;
            return this;
        }

        /** Set when and how to use it, for the model. Default: the document's summary and description. */
        public OperationOptions description(String value) {
            this.description = value;
            return this;
        }

        /** Set whether every call of it waits for approval. */
        public OperationOptions approval(boolean value) {
            this.approval = value;
            return this;
        }

        /** Set whether a call of it that a crash interrupted may be repeated. */
        public OperationOptions repeatable(boolean value) {
            this.repeatable = value;
            return this;
        }

        /** Set whether the model may make the same call of it many times in a row, to wait for something. */
        public OperationOptions polling(boolean value) {
            this.polling = value;
            return this;
        }
    }
}
