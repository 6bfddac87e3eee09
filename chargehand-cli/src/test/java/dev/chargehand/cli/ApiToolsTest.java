package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.http.LoopbackServer;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands on a file whose tools are operations of an HTTP API. */
class ApiToolsTest extends WithProvider {

    private static final String TOKEN = "t0ken-never-to-be-seen";

    private static final String KEY = "k3y/never&to=be+seen";

    /** The key as an address has it. */
    private static final String SENT_KEY = "k3y%2Fnever%26to%3Dbe%2Bseen";

    @AutoClose
    private final LoopbackServer server = new LoopbackServer();

    private final Map<String, String> environment = new HashMap<>(Map.of("ORDERS_TOKEN", TOKEN, "ORDERS_KEY", KEY));

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: test/small
                store: runs.db
                providers: { test: { baseUrl: "%s" } }
                tools:
                  orders:
                    openapi: orders.yaml
                    server: %s/v2
                    headers: { Authorization: "Bearer ${ORDERS_TOKEN}", X-Team: crew }
                    query: { key: "${ORDERS_KEY}" }
                    operations: [ getOrder, cancelOrder, "POST /orders" ]
                agents:
                  clerk: { instructions: Answer., tools: [ orders ] }
                  reader: { instructions: Answer., tools: [ getOrder: { approval: true } ] }
                default: clerk
                """.formatted(provider.baseUrl(), server.url()));
        Files.writeString(folder.resolve("orders.yaml"), """
                openapi: 3.1.0
                paths:
                  /orders: { post: { summary: Places an order. } }
                  /orders/{id}:
                    parameters: [ { name: id, in: path, required: true, schema: { type: string } } ]
                    get: { operationId: getOrder, summary: Shows an order. }
                    delete: { operationId: cancelOrder, summary: Cancels an order. }
                """);
    }

    private Ran run(String... arguments) {
        return Ran.in(folder, environment, arguments);
    }

    @Test
    void checkShowsTheToolsAndWhetherTheirKeysAreThere() {
        Ran ran = run("check");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        String at = server.url() + "/v2/orders";
        assertThat(ran.out().lines())
                .contains(
                        "chargehand.yaml: nothing is wrong; 2 agents, 3 tools of its own",
                        "  tool       getOrder: GET " + at + "/{id}",
                        "  tool       cancelOrder: DELETE " + at
                                + "/{id}; needs approval; not made again after a crash",
                        "  tool       post_orders: POST " + at + "; needs approval; not made again after a crash",
                        "  header     Authorization of orders; Bearer ${ORDERS_TOKEN} is set",
                        "  header     X-Team of orders; crew",
                        "  query      key of orders; ${ORDERS_KEY} is set");
        environment.clear();
        assertThat(run("check").out()).contains("Authorization of orders; Bearer ${ORDERS_TOKEN} is not set");
        assertThat(ran.out() + ran.err()).doesNotContain(TOKEN, KEY);
    }

    @Test
    void agentsShowWhichOfThemNeedApproval() {
        assertThat(run("agents").out())
                .contains("getOrder, cancelOrder (needs approval), post_orders (needs")
                .contains("getOrder (needs approval)");
    }

    @Test
    void aServerThatCannotBeIsAMistakeOfItsLine() throws IOException {
        Path file = folder.resolve("chargehand.yaml");
        Files.writeString(file, Files.readString(file).replace(server.url(), "${ORDERS_URL}"));

        assertThat(run("check").err())
                .contains("chargehand.yaml:7:13: the environment variable ORDERS_URL is not set.");
        environment.put("ORDERS_URL", "file:///etc");
        assertThat(run("check").err()).contains("chargehand.yaml:7:13: 'server' must be an address such as");
    }

    @Test
    void theSecretsOfHeadersAreShownNowhereWhateverTheServerSays() throws IOException {
        provider.enqueue(
                Reply.toolCalls(
                        Reply.call("c1", "getOrder", "{\"id\":\"1\"}"), Reply.call("c2", "getOrder", "{\"id\":\"2\"}")),
                Reply.text("Done"));
        server.then((socket, out) -> echo(out, 200)).then((socket, out) -> echo(out, 401));

        Ran ran = run("run", "Hi", "--events");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(server.log()).allSatisfy(request -> {
            assertThat(request.header("Authorization")).containsExactly("Bearer " + TOKEN);
            assertThat(request.target()).endsWith("?key=" + SENT_KEY);
        });
        assertThat(ran.out()).contains("[redacted]", "from ORDERS_TOKEN", "from ORDERS_KEY");
        String runId = ran.out().lines().findFirst().orElseThrow().replaceAll(".*\"runId\":\"([^\"]+)\".*", "$1");
        Ran shown = run("show", runId);
        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(List.of(ran.out(), ran.err(), shown.out(), shown.err()))
                .noneMatch(text -> text.contains(TOKEN) || text.contains(KEY) || text.contains(SENT_KEY));
        assertThat(provider.log())
                .allSatisfy(exchange -> assertThat(exchange.request().body()).doesNotContain(TOKEN, KEY, SENT_KEY));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(TOKEN, KEY, SENT_KEY);
            }
        }
    }

    private static boolean echo(java.io.OutputStream out, int status) throws IOException {
        byte[] body = ("{\"you\":\"Bearer " + TOKEN + "\",\"at\":\"?key=" + KEY + "\",\"url\":\"/?key=" + SENT_KEY
                        + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        out.write(("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: " + body.length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        return true;
    }

    @Test
    void aCallWithEffectsWaitsForAnAnswerAndIsThenMade() {
        provider.enqueue(Reply.toolCalls(Reply.call("c1", "cancelOrder", "{\"id\":\"7\"}")), Reply.text("Cancelled"));

        Ran ran = run("run", "Hi");

        assertThat(server.log()).isEmpty();
        assertThat(ran.err()).contains("cancelOrder");
        String runId = ran.err().replaceAll("(?s).*(run_\\w+).*", "$1");
        Ran approved = run("approve", runId);
        assertThat(approved.out() + approved.err()).contains("Cancelled");
        assertThat(server.log())
                .singleElement()
                .matches(request ->
                        request.method().equals("DELETE") && request.target().equals("/v2/orders/7?key=" + SENT_KEY));
    }
}
