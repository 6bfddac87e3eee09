package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.document.DocumentException;
import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What tools an OpenAPI document comes to. */
class OpenApiDocumentTest extends WithApi {

    private static String input(Tool tool) {
        return tool.input().json().canonical().text();
    }

    private static String canonical(String json) {
        return Json.parse(json).canonical().text();
    }

    private List<OpenApiOperation> operations(String document, String keys) throws IOException {
        Files.writeString(folder.resolve("api.yaml"), document);
        Files.writeString(
                folder.resolve("crew.yaml"),
                "tools: { api: { openapi: api.yaml, " + keys + " } }\nagents: { boss: { tools: [api] } }\n");
        AgentsFile file = AgentsFileReader.read(folder.resolve("crew.yaml"), "crew.yaml", Set.of());
        return file.apis().get("api").operations();
    }

    @Test
    void aSchemaMayReferToItselfAndHasNoFieldsThatAreNotDeclared() {
        api.paths("""
                /orders:
                  post:
                    operationId: it
                    requestBody:
                      required: true
                      content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } }
                """.indent(2)).more("""
                components:
                  schemas:
                    Order:
                      type: object
                      description: An order.
                      required: [ id, article ]
                      properties:
                        id: { type: string, readOnly: true }
                        article: { type: string, example: Shoe, x-internal: true }
                        gift: { $ref: "#/components/schemas/Order" }
                """);

        assertThat(input(api.tool())).isEqualTo(canonical("""
                {"type": "object",
                 "properties": {"body": {"$ref": "#/$defs/Order"}},
                 "required": ["body"],
                 "additionalProperties": false,
                 "$defs": {"Order": {
                   "description": "An order.",
                   "type": "object",
                   "required": ["article"],
                   "properties": {"article": {"type": "string"}, "gift": {"$ref": "#/$defs/Order"}},
                   "additionalProperties": false}}}
                """));
    }

    @Test
    void anObjectOfSeveralPartsHasTheFieldsOfAllOfThem() {
        api.paths("""
                /orders:
                  post:
                    operationId: it
                    requestBody:
                      content:
                        application/json:
                          schema:
                            allOf:
                              - $ref: "#/components/schemas/Base"
                              - { properties: { b: { type: integer } } }
                """.indent(2)).more("""
                components: { schemas: { Base: { type: object, properties: { a: { type: integer } } } } }
                """);
        Tool tool = api.tool();

        assertThat(Api.result(tool, "{\"body\":{\"a\":1,\"b\":2}}")).isNotNull();
        assertThat(Api.error(tool, "{\"body\":{\"a\":1,\"c\":2}}")).contains("c");
        assertThat(Api.error(tool, "{\"body\":{\"a\":\"x\"}}")).contains("a");
    }

    @Test
    void anObjectThatMayHaveOthersHasThem() {
        api.paths("""
                /orders:
                  post:
                    operationId: it
                    requestBody:
                      content:
                        application/json:
                          schema: { type: object, properties: { a: {} }, additionalProperties: true }
                """.indent(2));

        assertThat(api.sent(api.tool(), "{\"body\":{\"b\":[{}]}}").body()).isEqualTo("{\"b\":[{}]}");
    }

    @Test
    void schemasOfVersion30BecomeJsonSchema() {
        api.version("3.0.3").it("get", "/orders", """
                { name: a, in: query, schema: { type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, \
                exclusiveMaximum: false } },
                { name: b, in: query, schema: { type: string, nullable: true, enum: [ x, y ] } },
                { name: c, in: query, schema: { nullable: true, allOf: [ { type: string } ] } },
                { name: d, in: query, description: Outer., schema: { type: string, description: Inner., pattern: '[' } }
                """.replace("\n", " ").strip());

        assertThat(api.tool()
                        .input()
                        .json()
                        .at("/properties")
                        .orElseThrow()
                        .canonical()
                        .text())
                .isEqualTo(canonical("""
                        {"a": {"type": "integer", "exclusiveMinimum": 0, "maximum": 9},
                         "b": {"type": ["string", "null"], "enum": ["x", "y", null]},
                         "c": {"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
                         "d": {"type": "string", "description": "Outer."}}
                        """));
    }

    @Test
    void parametersOfAPathHoldForItsOperationsUnlessTheySayOtherwise() {
        api.paths("""
                /orders/{id}:
                  parameters:
                    - { name: id, in: path, required: true, schema: { type: string } }
                    - { name: limit, in: query, schema: { type: string } }
                  get:
                    operationId: it
                    parameters: [ { $ref: "#/components/parameters/Limit" } ]
                """.indent(2)).more("""
                components:
                  parameters: { Limit: { name: limit, in: query, required: true, schema: { type: integer } } }
                """);

        assertThat(api.sent(api.tool(), "{\"id\":\"1\",\"limit\":2}").target()).isEqualTo("/v2/orders/1?limit=2");
        assertThat(Api.error(api.tool(), "{\"id\":\"1\",\"limit\":\"2\"}")).contains("limit");
    }

    @Test
    void aDocumentMayBeJsonWithTabs() throws IOException {
        String json = """
                {
                \t"openapi": "3.1.0",
                \t"servers": [ { "url": "https:\\/\\/{region}.example.com\\/", "variables": { "region": { "default": "eu" } } } ],
                \t"paths": { "/orders": { "get": { "summary": "Finds.", "description": "Finds all.\\nNo more." } } }
                }
                """;

        OpenApiOperation operation =
                operations(json, "operations: [ 'get /orders' ]").getFirst();

        assertThat(operation.name()).isEqualTo("get_orders");
        assertThat(operation.server()).isEqualTo("https://eu.example.com/");
        assertThat(operation.description()).isEqualTo("Finds.\n\nFinds all.\nNo more.");
    }

    @Test
    void whatADocumentSaysMoreOrLessIsNoMistake() throws IOException {
        String document = """
                openapi: 3.0.4
                x-vendor: { any: [ thing ] }
                info:
                servers: [ { url: /api/v3 }, { url: "https://example.com" } ]
                paths:
                  x-more: 1
                  /pets/{id}:
                    x-more: 2
                    delete:
                      operationId: it
                      summary: ""
                      description:
                      foo: bar
                      parameters:
                        - { name: id, in: path, description: '', required: true, schema: { format: int64, comment: x } }
                      security: [ { any: [] } ]
                      responses: { "200": { $ref: "elsewhere.yaml#/x" } }
                """;
        OpenApiOperation operation = operations(document, "operations: [ it ], server: 'https://example.com'")
                .getFirst();

        assertThat(operation.description()).isEqualTo("DELETE /pets/{id}");
        assertThat(operation.input().json().at("/properties").orElseThrow())
                .isEqualTo(Json.parse("{\"id\":{\"format\":\"int64\"}}"));
    }

    @Test
    void namesBecomeThoseThatToolsCanHave() throws IOException {
        String document = """
                openapi: 3.1.0
                servers: [ { url: "https://example.com" } ]
                paths:
                  /a: { get: { operationId: "orders/list.all" }, put: { operationId: agent-x } }
                  /b/{id}: { delete: { parameters: [ { name: id, in: path, required: true, schema: {} } ] } }
                """;

        assertThat(operations(document, "operations: [ orders/list.all, agent-x, 'DELETE /b/{id}' ]"))
                .extracting(OpenApiOperation::name)
                .containsExactly("orders_list_all", "agent_x", "delete_b_id");
    }

    @Test
    void aHugeDocumentIsReadAndABombIsRefused() throws IOException {
        StringBuilder document =
                new StringBuilder("openapi: 3.1.0\nservers: [ { url: 'https://example.com' } ]\npaths:\n");
        for (int i = 0; i < 20_000; i++) {
            document.append("  /p")
                    .append(i)
                    .append(": { get: { operationId: o")
                    .append(i)
                    .append(" } }\n");
        }
        assertThat(operations(document.toString(), "operations: [ o19999 ]")).hasSize(1);

        StringBuilder bomb = new StringBuilder("openapi: 3.1.0\na0: &a0 [x, x]\n");
        for (int i = 1; i < 23; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
        }
        assertThatThrownBy(() -> operations(bomb.toString(), "operations: [ a ]"))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("api.yaml:1:1: is too large: more than 1,000,000 values");
    }

    @Test
    void aSchemaThatNoModelShouldReadIsRefused() {
        StringBuilder values = new StringBuilder("a");
        for (int i = 0; i < 30_000; i++) {
            values.append(", value").append(i);
        }
        api.it("get", "/orders", "{ name: a, in: query, schema: { enum: [ " + values + " ] } }");

        assertThatThrownBy(() -> api.tool()).hasMessageContaining("takes more than 200000 characters to describe");
    }
}
