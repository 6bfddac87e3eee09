package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunStream;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.http.LoopbackServer;
import dev.chargehand.tool.Tool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the answers of an HTTP API, and of those that never come. */
@Timeout(60)
class ResponseTextTest extends WithApi {

    private static final String ID = "{ name: id, in: path, required: true, schema: { type: string } }";

    private Api order() {
        return api.it("get", "/orders/{id}", ID);
    }

    @Test
    void anAnswerIsItsStatusAndItsBody() {
        Tool tool = order().tool();
        api.server.answers(200, "application/json; charset=utf-8", "{\"total\":1}");
        assertThat(Api.result(tool, "{\"id\":\"1\"}")).isEqualTo(Json.parse("{\"status\":200,\"body\":{\"total\":1}}"));
        api.server.answers(200, "text/plain; charset=ISO-8859-1", "é".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(Api.result(tool, "{\"id\":\"1\"}")).isEqualTo(Json.parse("{\"status\":200,\"body\":\"é\"}"));
        api.server.answers(200, "application/json", "{oops");
        assertThat(Api.result(tool, "{\"id\":\"1\"}")).isEqualTo(Json.parse("{\"status\":200,\"body\":\"{oops\"}"));
        api.server.answers(204, "", "");
        assertThat(Api.result(tool, "{\"id\":\"1\"}")).isEqualTo(Json.parse("{\"status\":204}"));
        api.server.answers(200, "image/png", "\u0089PNG");
        assertThat(Api.result(tool, "{\"id\":\"1\"}"))
                .isEqualTo(Json.parse(
                        "{\"status\":200,\"note\":\"The body is no text but image/png, and is not shown.\"}"));
    }

    @Test
    void aFailureIsToldWithTheBeginningOfWhatTheServerSays() {
        Tool tool = order().tool();
        api.server.answers(404, "application/json", "{\"error\":\"no such order\"}");
        assertThat(Api.error(tool, "{\"id\":\"1\"}"))
                .isEqualTo("GET /orders/{id} answered 404: {\"error\":\"no such order\"}");
        api.server.answers(500, "text/html", "x".repeat(9_000));
        assertThat(Api.error(tool, "{\"id\":\"1\"}"))
                .isEqualTo(
                        "GET /orders/{id} answered 500: " + "x".repeat(2_000) + "\n[cut: the first 2000 characters]");
        api.server.answers(401, "", "");
        assertThat(Api.error(tool, "{\"id\":\"1\"}"))
                .isEqualTo("GET /orders/{id} answered 401.\n('api' has no header and no query with a key.)");
    }

    @Test
    void aRefusedKeyIsNamedByItsVariableAndOneThatIsNotSetKeepsTheCallFromBeingSent() {
        Tool tool = order().tool("headers: { Authorization: 'Bearer ${TOKEN}' }");

        assertThat(Api.error(tool, "{\"id\":\"1\"}"))
                .isEqualTo(
                        "GET /orders/{id} cannot be called: its header 'Authorization' needs a variable that is not set"
                                + " (TOKEN). Nothing was sent.");
        assertThat(api.server.log()).isEmpty();
        api.environment.put("TOKEN", "t0ken\r\nX-Evil: 1");
        assertThat(Api.error(tool, "{\"id\":\"1\"}"))
                .contains("characters that cannot be sent")
                .doesNotContain("t0ken");
        api.environment.put("TOKEN", "t0ken-t0ken");
        api.server.answers(403, "", "");
        assertThat(Api.error(tool, "{\"id\":\"1\"}"))
                .isEqualTo("GET /orders/{id} answered 403.\n(Sent were 'Authorization' from TOKEN; the operator has to"
                        + " check them.)");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void aRedirectIsNotFollowedAndItsTargetHearsNothing(int status) {
        try (LoopbackServer other = new LoopbackServer()) {
            api.server.answers(status, "", new byte[0], "Location: " + other.url() + "/secret?token=1");

            assertThat(Api.error(order().tool(), "{\"id\":\"1\"}"))
                    .isEqualTo("GET /orders/{id} answered " + status + ", a redirect to " + other.url()
                            + ". Redirects are not followed.");
            assertThat(other.log()).isEmpty();
        }
    }

    @Test
    void anAnswerIsCutAndOneThatNeverEndsIsLeft() throws InterruptedException {
        Tool tool = order().tool("maxOutput: 16");
        api.server.neverEnds("text/plain");

        assertThat(Api.result(tool, "{\"id\":\"1\"}"))
                .isEqualTo(Json.parse("{\"status\":200,\"body\":\"0123456789abcdef\\n[cut: the first 16 bytes]\"}"));
        api.server.awaitLeft();
        api.server.answers(200, "text/plain", "0123456789abcdef");
        assertThat(Api.result(tool, "{\"id\":\"1\"}"))
                .isEqualTo(Json.parse("{\"status\":200,\"body\":\"0123456789abcdef\"}"));
    }

    @Test
    void aBombIsCutBeforeItFillsTheHeap() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bomb)) {
            byte[] zeros = "0".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 200; i++) {
                out.write(zeros);
            }
        }
        api.server.answers(200, "text/plain", bomb.toByteArray(), "Content-Encoding: gzip");

        assertThat(Api.result(order().tool("maxOutput: 4"), "{\"id\":\"1\"}"))
                .isEqualTo(Json.parse("{\"status\":200,\"body\":\"0000\\n[cut: the first 4 bytes]\"}"));
    }

    @Test
    void aServerThatTakesTooLongIsLeft() throws InterruptedException {
        api.server.neverAnswers();

        assertThat(Api.error(order().tool("timeout: 200ms"), "{\"id\":\"1\"}")).contains("took longer than 0.2 s");
        api.server.awaitLeft();
    }

    @Test
    void aCancelledCallClosesItsConnection() throws InterruptedException {
        api.server.neverAnswers();
        Tool tool = order().tool();
        Script script = ScriptedModel.script();
        script.on("boss").calls("it", Map.of("id", "1")).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script);
                RunStream stream = runtime.bind(Api.agent(tool)).stream("Go")) {
            api.server.await();
            stream.cancel();
            assertThat(stream.result().status()).isEqualTo(RunStatus.ABORTED);
        }
        api.server.awaitLeft();
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws IOException {
        Tool tool;
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            tool = order().at("http://127.0.0.1:" + once.getLocalPort()).tool();
        }

        assertThat(Api.error(tool, "{\"id\":\"1\"}"))
                .isEqualTo("GET /orders/{id} got no answer: the connection was refused. Nothing was sent.");
    }
}
