package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.http.LoopbackServer;
import dev.chargehand.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools that call operations of an HTTP API, as its server sees them. */
@Timeout(60)
class OperationToolTest extends WithApi {

    private static final String ID = "{ name: id, in: path, required: true, schema: { type: string } }";
    private static final String ORDER = """
        components:
          schemas:
            Order:
              type: object
              required: [ article, id ]
              properties:
                id: { type: string, readOnly: true }
                article: { type: string }
                gift: { $ref: "#/components/schemas/Order" }
        """;

    private Api order() {
        return api.it("get", "/orders/{id}", ID);
    }

    private Api placing() {
        return api.paths("""
                  /orders:
                    post:
                      operationId: it
                      requestBody:
                        required: true
                        content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } }
                """.indent(2)).more(ORDER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "../admin", "a/../../admin", "..\\\\admin", "a/./b"})
    void noArgumentLeadsOutOfItsPlaceInThePath(String id) {
        assertThat(Api.error(order().tool(), "{\"id\":\"" + id + "\"}"))
                .isEqualTo("'id' must not have '.' or '..' as a part of a path.");
        assertThat(api.server.log()).isEmpty();
    }

    @Test
    void twoArgumentsTogetherDoNotLeadOutOfThePathEither() {
        api.it(
                "get",
                "/orders/{a}{b}",
                "{ name: a, in: path, required: true, style: label, schema: { type: string } },"
                        + " { name: b, in: path, required: true, schema: { type: string } }");

        assertThat(Api.error(api.tool(), "{\"a\":\"x\",\"b\":\"..\"}")).contains("must not have '.' or '..'");
        assertThat(api.sent(api.tool(), "{\"a\":\"x\",\"b\":\"y\"}").target()).isEqualTo("/v2/orders/.xy");
    }

    @Test
    void whatIsPartOfThePathMustNotBeEmpty() {
        assertThat(Api.error(order().tool(), "{\"id\":\"\"}"))
                .isEqualTo("'id' is part of the path and must not be empty.");
        assertThat(Api.error(order().tool(), "{}")).contains("id");
        assertThat(api.server.log()).isEmpty();
    }

    @Test
    void anEncodedPathIsNotEncodedTwiceByTheDocumentButByTheModel() {
        api.it("get", "/a b%20c/{id}", ID);

        assertThat(api.sent(api.tool(), "{\"id\":\"%2e%2e\"}").target()).isEqualTo("/v2/a%20b%20c/%252e%252e");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\r\\nX-Evil: 1", "a\\nb", "é", "\\u0000"})
    void noArgumentBeginsAnotherHeader(String value) {
        api.it("get", "/orders", "{ name: X-Team, in: header, schema: { type: string } }");

        assertThat(Api.error(api.tool(), "{\"X-Team\":\"" + value + "\"}"))
                .isEqualTo("'X-Team' is sent as a header and must be printable ASCII on one line.");
        assertThat(api.server.log()).isEmpty();
    }

    @Test
    void aHeaderOfTheFileIsNotTheModels() {
        api.environment.put("TOKEN", "t0ken-t0ken");
        api.it(
                "get",
                "/orders",
                "{ name: x-team, in: header, required: true, schema: { type: string } },"
                        + " { name: Authorization, in: header, schema: { type: string } }");
        Tool tool = api.tool("headers: { X-Team: crew, Authorization: 'Bearer ${TOKEN}' }");

        assertThat(tool.input().json().at("/properties").orElseThrow().fields()).isEmpty();
        LoopbackServer.Received received = api.sent(tool, "{}");
        assertThat(received.header("X-Team")).containsExactly("crew");
        assertThat(received.header("Authorization")).containsExactly("Bearer t0ken-t0ken");
        assertThat(received.header("Host")).containsExactly(api.server.url().substring("http://".length()));
        assertThat(Api.error(tool, "{\"x-team\":\"other\"}")).contains("x-team");
    }

    @Test
    void aFieldOfAnObjectIsNotTakenForAnotherParameter() {
        api.it(
                "get",
                "/orders",
                "{ name: filter, in: query, schema: { type: object, additionalProperties: true } },"
                        + " { name: user, in: query, schema: { type: string } }");

        assertThat(Api.error(api.tool(), "{\"filter\":{\"user\":\"root\"}}"))
                .isEqualTo("'filter' must not have a field 'user', which is a parameter of its own.");
        assertThat(api.sent(api.tool(), "{\"filter\":{\"a\":1}}").target()).isEqualTo("/v2/orders?a=1");
    }

    @Test
    void aFieldInBracketsBelongsToItsParameterWhateverItIsCalled() {
        api.it(
                "get",
                "/orders",
                "{ name: f, in: query, style: deepObject, explode: true, schema: { type: object } },"
                        + " { name: user, in: query, schema: { type: string } }");

        assertThat(api.sent(api.tool(), "{\"f\":{\"user\":\"a\"}}").target()).isEqualTo("/v2/orders?f%5Buser%5D=a");
    }

    @Test
    void aDocumentAddsNoHeaderByTheNameOfAType() {
        api.paths("""
                /orders:
                  post:
                    operationId: it
                    requestBody:
                      content:
                        "application/json;\\r\\nX-Evil: 1": { schema: { type: object } }
                """.indent(2));

        assertThat(api.tool().input().json().at("/properties/body")).isEmpty();
    }

    @Test
    void aBodyIsSentAsItIs() {
        LoopbackServer.Received received =
                placing().sent(api.tool(), "{\"body\":{\"article\":\"é\",\"gift\":{\"article\":\"b\"}}}");

        assertThat(received.method()).isEqualTo("POST");
        assertThat(received.header("Content-Type")).containsExactly("application/json");
        assertThat(Json.parse(received.body()))
                .isEqualTo(Json.parse("{\"article\":\"é\",\"gift\":{\"article\":\"b\"}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"article\":\"a\",\"role\":\"admin\"}",
                "{\"article\":\"a\",\"id\":\"7\"}",
                "{\"article\":\"a\",\"gift\":{\"article\":\"b\",\"price\":0}}",
                "{\"gift\":{}}",
                "[]"
            })
    void aBodyThatIsNotWhatTheDocumentDeclaresIsNotSent(String body) {
        assertThat(Api.error(placing().tool(), "{\"body\":" + body + "}")).isNotEmpty();
        assertThat(api.server.log()).isEmpty();
    }

    @Test
    void aFormIsEncoded() {
        api.paths("""
                /orders:
                  put:
                    operationId: it
                    requestBody:
                      content:
                        application/x-www-form-urlencoded:
                          schema: { type: object, properties: { a: {}, b: { type: array }, c: {} } }
                """.indent(2));

        LoopbackServer.Received received = api.sent(api.tool(), "{\"body\":{\"a\":\"x&b=y z\",\"b\":[1,2]}}");

        assertThat(received.header("Content-Type")).containsExactly("application/x-www-form-urlencoded");
        assertThat(received.body()).isEqualTo("a=x%26b%3Dy%20z&b=1&b=2");
        assertThat(Api.error(api.tool(), "{\"body\":{\"c\":{\"d\":1}}}"))
                .isEqualTo("'c' of 'body' must not be an object.");
        assertThat(api.sent(api.tool(), "{}").header("Content-Type")).isEmpty();
    }

    @Test
    void whatReadsNeedsNoApprovalAndAllElseDoes() {
        for (String method : new String[] {"get", "head", "post", "put", "patch", "delete", "options"}) {
            boolean reads = method.equals("get") || method.equals("head");
            api.it(method, "/orders", "");
            Tool tool = api.tool("timeout: 30s");

            assertThat(tool.approval().isEmpty()).as(method).isEqualTo(reads);
            assertThat(tool.repeatable()).as(method).isEqualTo(reads);
            assertThat(Api.run(tool, Json.parse("{}")).status())
                    .as(method)
                    .isEqualTo(reads ? RunStatus.COMPLETED : RunStatus.SUSPENDED);
        }
        assertThat(api.server.log()).extracting(LoopbackServer.Received::method).containsExactly("GET", "HEAD");
    }

    @Test
    void theFileDecidesOtherwiseForAllOperationsOrForOne() {
        api.it("post", "/orders", "");
        assertThat(api.tool("approval: false\nrepeatable: true"))
                .matches(tool -> tool.approval().isEmpty())
                .matches(Tool::repeatable);
        Tool one = api.tool(
                "operations: [ it: { approval: true, repeatable: false, name: place, description: Places. } ]\n"
                        + "approval: false\nrepeatable: true");
        assertThat(one.approval()).isPresent();
        assertThat(one.repeatable()).isFalse();
        assertThat(one.name()).isEqualTo("place");
        assertThat(one.description()).isEqualTo("Places.");
    }

    @Test
    void aCallWithEffectsCarriesItsKeyAndOneWithoutDoesNot() {
        api.it("post", "/orders", "");
        Tool post = api.tool("approval: false\nidempotencyHeader: Idempotency-Key");
        String first = api.sent(post, "{}").header("Idempotency-Key").getFirst();

        assertThat(first).isNotBlank();
        api.it("get", "/orders", "");
        assertThat(api.sent(api.tool("idempotencyHeader: Idempotency-Key"), "{}")
                        .header("Idempotency-Key"))
                .isEmpty();
    }

    @Test
    void whatMayHaveHadAnEffectIsNotSentAgain() {
        api.it("post", "/orders", "");
        Tool tool = api.tool();
        Api.result(tool, "{}");
        api.server.then((socket, out) -> false);

        assertThat(Api.error(tool, "{}"))
                .isEqualTo(
                        "POST /orders got no answer: the connection was closed before an answer came. Whether it had an"
                                + " effect is not known.");
        assertThat(api.server.log()).hasSize(2);
    }

    @Test
    void whatOnlyReadsIsSentAgainOverAnotherConnection() {
        api.it("get", "/orders", "");
        Tool tool = api.tool();
        Api.result(tool, "{}");
        api.server.then((socket, out) -> false);

        assertThat(Api.result(tool, "{}")).isEqualTo(Json.parse("{\"status\":200,\"body\":{}}"));
        assertThat(api.server.log()).hasSize(3);
    }
}
