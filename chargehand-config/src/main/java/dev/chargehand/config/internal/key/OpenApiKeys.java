package dev.chargehand.config.internal.key;

import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.openapi.OpenApiTools;
import java.time.Duration;
import java.util.List;

/** The keys of tools that are operations of an HTTP API. */
public final class OpenApiKeys {

    public static final Key<Setting> OPENAPI = Key.of(
            "openapi",
            new Shape<>(
                            Shape.schema(
                                    "type",
                                    "string",
                                    "minLength",
                                    1,
                                    "not",
                                    Shape.schema("pattern", "^[A-Za-z][A-Za-z0-9+.-]+://")),
                            Section::text)
                    .with("examples", List.of("orders.yaml")),
            "The OpenAPI document, 3.0 or 3.1, YAML or JSON; a file, relative to this one.");

    public static final Key<Setting> SERVER = Key.of(
            "server",
            new Shape<>(
                            Shape.schema(
                                    "type",
                                    "string",
                                    "anyOf",
                                    List.of(
                                            Shape.schema("pattern", "^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s?#@]+[^\\s?#]*$"),
                                            Shape.schema("pattern", "\\$\\{"))),
                            Section::text)
                    .with("examples", List.of("https://orders.example.com/v2")),
            "The base URL of its paths, instead of the document's; required with headers or a query. ${NAME} is replaced by an environment variable.");

    public static final Key<Void> OPERATIONS = Key.of(
            "operations",
            Shape.unread(Shape.schema(
                            "type",
                            "array",
                            "minItems",
                            1,
                            "uniqueItems",
                            true,
                            "items",
                            Shape.schema(
                                    "anyOf",
                                    List.of(
                                            Shape.TEXT.schema(),
                                            Shape.schema(
                                                    "type",
                                                    "object",
                                                    "minProperties",
                                                    1,
                                                    "maxProperties",
                                                    1,
                                                    "additionalProperties",
                                                    Shape.reference("operation"))))))
                    .with("examples", List.of(List.of("getOrder", "searchOrders"))),
            "Which operations agents may call, by operationId, or as GET /orders; each becomes a tool. An operation with settings is a key with these settings as its value.");

    public static final Key<Void> HEADERS = Key.of(
            "headers",
            Shape.unread(Shape.schema(
                            "type",
                            "object",
                            "propertyNames",
                            Shape.schema("pattern", "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"),
                            "additionalProperties",
                            Shape.TEXT.schema(),
                            "patternProperties",
                            Shape.schema(
                                    "[Aa]uthorization|[Cc]ookie|[Tt]oken|[Ss]ecret|[Pp]assword|[Aa][Pp][Ii]-?[Kk]ey",
                                    Shape.schema("type", "string", "pattern", "\\$\\{"))))
                    .with("examples", List.of(Shape.schema("Authorization", "Bearer ${ORDERS_TOKEN}"))),
            "Headers of every call; keys and other secrets as environment variables.");

    public static final Key<Void> QUERY = Key.of(
            "query",
            Shape.unread(Shape.schema(
                            "type",
                            "object",
                            "propertyNames",
                            Shape.schema("minLength", 1, "maxLength", 100),
                            "additionalProperties",
                            Shape.TEXT.schema(),
                            "patternProperties",
                            Shape.schema(
                                    "[Tt]oken|[Ss]ecret|[Pp]assword|[Kk][Ee][Yy]|^[Aa][Pp][Pp]_?[Ii][Dd]$",
                                    Shape.schema("type", "string", "pattern", "\\$\\{"))))
                    .with("examples", List.of(Shape.schema("key", "${MAPS_KEY}"))),
            "Parameters in the query of every call, for an API that has its key there; keys as environment variables.");

    public static final Key<Boolean> APPROVAL = Key.of(
            "approval",
            Shape.FLAG,
            "Whether every call waits for approval; by default GET and HEAD do not and all others do.");

    public static final Key<Boolean> REPEATABLE = Key.of(
            "repeatable",
            Shape.FLAG,
            "Whether a call that a crash interrupted may be repeated; by default GET and HEAD may and no others.");

    public static final Key<Boolean> POLLING = Key.of(
                    "polling",
                    Shape.FLAG,
                    "Whether the model may make the same call of any of them many times in a row, to wait for something.")
            .orElse(false);

    public static final Key<Setting> IDEMPOTENCY_HEADER = Key.of(
            "idempotencyHeader",
            new Shape<>(Shape.schema("type", "string", "pattern", "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"), Section::text)
                    .with("examples", List.of("Idempotency-Key")),
            "A header with a key that is the same for a repeated call; not sent with GET and HEAD.");

    public static final Key<Duration> TIMEOUT =
            Key.of("timeout", Shape.TIME, "The time limit of a call.").orElse("30s");

    public static final Key<Integer> MAX_OUTPUT = Key.of(
                    "maxOutput",
                    Shape.range(1, OpenApiTools.LARGEST_OUTPUT),
                    "The maximum number of bytes of an answer that a model receives.")
            .orElse(65536);

    public static final KeySection SECTION = KeySection.of(
                    "openapi",
                    "Tools that are operations of an HTTP API, made from its OpenAPI document.",
                    OPENAPI,
                    SERVER,
                    OPERATIONS,
                    HEADERS,
                    QUERY,
                    APPROVAL,
                    REPEATABLE,
                    POLLING,
                    IDEMPOTENCY_HEADER,
                    TIMEOUT,
                    MAX_OUTPUT)
            .requiring(OPENAPI, OPERATIONS)
            .with("dependencies", Shape.schema("headers", List.of("server"), "query", List.of("server")));

    /** The keys of an operation. */
    public static final class Operation {

        public static final Key<Setting> NAME = Key.of(
                "name",
                new Shape<>(
                        Shape.schema("type", "string", "pattern", "^(?!agent-)[A-Za-z0-9_-]{1,64}$"), Section::text),
                "The name of the tool; default the operationId.");

        public static final Key<Setting> DESCRIPTION =
                Key.of("description", Shape.TEXT, "When and how to use it, instead of the document's description.");

        public static final Key<Boolean> APPROVAL =
                Key.of("approval", Shape.FLAG, "Whether every call of it waits for approval.");

        public static final Key<Boolean> REPEATABLE =
                Key.of("repeatable", Shape.FLAG, "Whether a call of it that a crash interrupted may be repeated.");

        public static final Key<Boolean> POLLING = Key.of(
                "polling",
                Shape.FLAG,
                "Whether the model may make the same call of it many times in a row, to wait for something.");

        public static final KeySection SECTION = KeySection.of(
                "operation", "Settings of one operation.", NAME, DESCRIPTION, APPROVAL, REPEATABLE, POLLING);

        private Operation() {}
    }

    private OpenApiKeys() {}
}
