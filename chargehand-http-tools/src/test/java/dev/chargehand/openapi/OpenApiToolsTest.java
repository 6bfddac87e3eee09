package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.document.Mistake;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.run.RunStatus;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.http.LoopbackServer;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools of an OpenAPI document that a program describes, without a file of agents. */
class OpenApiToolsTest {

    private static final String DOCUMENT = """
            openapi: 3.1.0
            servers: [ { url: "https://billing.example.com" } ]
            paths:
              /invoices:
                post: { operationId: createInvoice, summary: Creates an invoice. }
              /invoices/{id}:
                parameters: [ { name: id, in: path, required: true, schema: { type: string } } ]
                get: { operationId: getInvoice, summary: Shows an invoice. }
                delete: { operationId: cancelInvoice, summary: Cancels an invoice. }
            """;

    private final LoopbackServer server = new LoopbackServer();
    private final HttpCalls http = new HttpCalls();
    private final Map<String, String> environment = new HashMap<>();

    @TempDir
    Path folder;

    private Path document;

    @BeforeEach
    void write() throws IOException {
        document = Files.writeString(folder.resolve("billing.yaml"), DOCUMENT);
    }

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    private OpenApiTools.Builder billing() {
        return OpenApiTools.builder("billing").document(document).server(server.url() + "/v2");
    }

    private List<Tool> tools(OpenApiTools.Builder builder) {
        return builder.build().tools(http, environment::get);
    }

    private static ToolOutcome call(Tool tool, Map<String, ?> arguments) {
        Script script = ScriptedModel.script();
        script.on("clerk").calls(tool.name(), arguments).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script)) {
            return runtime.bind(Agent.builder("clerk")
                            .model("test/clerk")
                            .tools(tool)
                            .build())
                    .generate("Go")
                    .toolResults()
                    .getFirst();
        }
    }

    private static void assertRejected(OpenApiTools.Builder builder, String... messages) {
        assertThatThrownBy(builder::build).isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(
                        String.valueOf(e.getMessage()).lines())
                .containsExactlyInAnyOrder(messages));
    }

    @Test
    void aCallReachesTheServerWithItsHeaders() {
        environment.put("BILLING_TOKEN", "t0ken");
        Tool tool = tools(billing()
                        .header("Authorization", "Bearer ${BILLING_TOKEN}")
                        .header("X-Team", "crew")
                        .operations("getInvoice"))
                .getFirst();
        server.answers(200, "application/json", "{\"total\":7}");

        ToolOutcome outcome = call(tool, Map.of("id", "a/b"));

        assertThat(outcome.output()).contains(Json.parse("{\"status\":200,\"body\":{\"total\":7}}"));
        LoopbackServer.Received sent = server.log().getFirst();
        assertThat(sent.method() + " " + sent.target()).isEqualTo("GET /v2/invoices/a%2Fb");
        assertThat(sent.header("Authorization")).containsExactly("Bearer t0ken");
        assertThat(sent.header("X-Team")).containsExactly("crew");
    }

    @Test
    void aVariableOfAHeaderIsReadByEachCall() {
        Tool tool = tools(billing().header("X-Key", "${KEY}").operations("getInvoice"))
                .getFirst();

        assertThat(call(tool, Map.of("id", "1")).error().orElseThrow()).contains("(KEY). Nothing was sent.");
        environment.put("KEY", "one");
        call(tool, Map.of("id", "1"));
        environment.put("KEY", "two");
        call(tool, Map.of("id", "1"));

        assertThat(server.log())
                .extracting(received -> received.header("X-Key").getFirst())
                .containsExactly("one", "two");
    }

    @Test
    void onlyOperationsWithoutEffectsNeedNoApprovalUnlessAnOptionStatesOtherwise() {
        OpenApiTools usual = billing().operations("getInvoice", "cancelInvoice").build();
        OpenApiTools changed = billing()
                .approval(false)
                .repeatable(true)
                .polling(true)
                .addOperation(
                        "getInvoice", operation -> operation.approval(true).polling(false))
                .addOperation("cancelInvoice", operation -> operation.repeatable(false))
                .build();

        assertThat(usual.operations()).extracting(OpenApiOperation::approval).containsExactly(false, true);
        assertThat(usual.operations()).extracting(OpenApiOperation::repeatable).containsExactly(true, false);
        assertThat(usual.operations()).extracting(OpenApiOperation::polling).containsExactly(false, false);
        assertThat(changed.operations()).extracting(OpenApiOperation::approval).containsExactly(true, false);
        assertThat(changed.operations())
                .extracting(OpenApiOperation::repeatable)
                .containsExactly(true, false);
        assertThat(changed.operations()).extracting(OpenApiOperation::polling).containsExactly(false, true);
    }

    @Test
    void anOperationThatHasAnEffectWaitsForApproval() {
        Tool tool = tools(billing().operations("cancelInvoice")).getFirst();
        Script script = ScriptedModel.script();
        script.on("clerk").calls("cancelInvoice", Map.of("id", "1")).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script)) {
            Agent clerk = Agent.builder("clerk").model("test/clerk").tools(tool).build();

            assertThat(runtime.bind(clerk).generate("Go").status()).isEqualTo(RunStatus.SUSPENDED);
        }
        assertThat(server.log()).isEmpty();
    }

    @Test
    void anOperationHasTheNameAndTheDescriptionThatAreSet() {
        OpenApiTools tools = billing()
                .addOperation("POST /invoices")
                .addOperation(
                        "getInvoice",
                        operation -> operation.name("show-invoice").description("Shows one."))
                .build();

        assertThat(tools.operations())
                .extracting(operation -> operation.name() + ": " + operation.description() + " " + operation.method()
                        + " " + operation.path())
                .containsExactly(
                        "createInvoice: Creates an invoice. POST /invoices",
                        "show-invoice: Shows one. GET /invoices/{id}");
    }

    @Test
    void limitsAreThoseThatAreSet() {
        Tool usual = tools(billing().operations("getInvoice")).getFirst();
        Tool tool = tools(billing().timeout(Duration.ofSeconds(5)).maxOutput(4).operations("getInvoice"))
                .getFirst();
        server.answers(200, "text/plain", "0123456789");

        assertThat(usual.timeout()).contains(Duration.ofSeconds(30));
        assertThat(tool.timeout()).contains(Duration.ofSeconds(5));
        assertThat(call(tool, Map.of("id", "1")).output().orElseThrow().text()).contains("[cut: the first 4 bytes]");
    }

    @Test
    void aKeyIsSentWithCallsThatHaveEffects() {
        List<Tool> tools = tools(billing()
                .idempotencyHeader("Idempotency-Key")
                .approval(false)
                .operations("getInvoice", "cancelInvoice"));

        tools.forEach(tool -> call(tool, Map.of("id", "1")));

        assertThat(server.log())
                .extracting(received -> received.header("Idempotency-Key").size())
                .containsExactly(0, 1);
    }

    @Test
    void aDocumentMayBeATextAndItsServerIsUsedWithoutAnother() {
        OpenApiTools tools = OpenApiTools.builder("billing")
                .documentText("\ufeff" + DOCUMENT, "billing.yaml")
                .operations("getInvoice")
                .build();

        assertThat(tools.operations().getFirst().server()).isEqualTo("https://billing.example.com");
        assertThat(tools.headers()).isEmpty();
    }

    @Test
    void laterChoicesReplaceEarlierOnesAndBuiltToolsStayAsTheyAre() {
        OpenApiTools.Builder builder = billing().operations("getInvoice").header("X-Team", "one");
        OpenApiTools built = builder.build();

        builder.header("X-Team", "two").operations("cancelInvoice").addOperation("createInvoice");

        assertThat(built.operations()).extracting(OpenApiOperation::name).containsExactly("getInvoice");
        assertThat(built.headers()).containsExactly(Map.entry("X-Team", "one"));
        assertThat(builder.build().operations())
                .extracting(OpenApiOperation::name)
                .containsExactly("cancelInvoice", "createInvoice");
    }

    @Test
    void everythingThatIsWrongIsReportedAtOnce() {
        assertRejected(
                OpenApiTools.builder("agent-billing")
                        .document(document)
                        .server("billing")
                        .header("Host", "x")
                        .header("Authorization", "Bearer t0ken")
                        .header("X-Empty", "")
                        .idempotencyHeader("x-empty")
                        .timeout(Duration.ZERO)
                        .maxOutput(0)
                        .operations("getInvoces", "GET /invoices/{id}", "GET /invoices/{id}")
                        .addOperation("cancelInvoice", operation -> operation.name("no name")),
                "tool 'agent-billing' has a name that cannot be used. Allowed are 1 to 64 letters, digits, '_' and '-',"
                        + " and not starting with 'agent-'.",
                "'server' of tool 'agent-billing' must be an address such as https://orders.example.com/v2, without a"
                        + " user, a query or a fragment, but is 'billing'.",
                "'Host' in 'headers' of tool 'agent-billing' is no header that can be set. Allowed are names such as"
                        + " X-Team that the connection itself does not use.",
                "'Authorization' in 'headers' of tool 'agent-billing' must have a variable of the environment such as"
                        + " ${MY_TOKEN}, because a secret does not belong in a file or in code.",
                "'X-Empty' in 'headers' of tool 'agent-billing' must be printable ASCII on one line.",
                "'idempotencyHeader' of tool 'agent-billing' must be the name of a header that is not set otherwise,"
                        + " such as Idempotency-Key.",
                "'timeout' of tool 'agent-billing' must be above zero, but is PT0S.",
                "'maxOutput' of tool 'agent-billing' must be a whole number from 1 to 16777216, but is 0.",
                "unknown operation 'getInvoces' of tool 'agent-billing' in " + document + ". There are: createInvoice,"
                        + " getInvoice, cancelInvoice. Did you mean 'getInvoice'?",
                "'GET /invoices/{id}' stands twice in 'operations' of tool 'agent-billing'. Leave one of them out.",
                "operation 'cancelInvoice' has a name that cannot be used. Allowed are 1 to 64 letters, digits, '_' and"
                        + " '-', and not starting with 'agent-'.");
    }

    @Test
    void aMissingPartIsNamed() {
        assertRejected(
                OpenApiTools.builder("billing").operations("getInvoice"),
                "tool 'billing' needs 'document', the OpenAPI document of an HTTP API. Name its file.");
        assertRejected(
                billing(),
                "tool 'billing' needs 'operations', those that agents may call. There are: createInvoice, getInvoice,"
                        + " cancelInvoice.");
        assertRejected(
                OpenApiTools.builder("billing")
                        .document(document)
                        .header("X-Team", "crew")
                        .operations("getInvoice"),
                "tool 'billing' has 'headers' and needs 'server': the document must not decide which server receives"
                        + " them.");
        Path missing = folder.resolve("none.yaml");
        assertRejected(
                OpenApiTools.builder("billing").document(missing).operations("getInvoice"),
                missing + ": there is no such file. Its path is relative to the file that names it.");
    }

    @Test
    void aMistakeInTheDocumentHasItsPlace() {
        assertRejected(
                OpenApiTools.builder("billing")
                        .documentText(DOCUMENT.replace("type: string", "type: strng"), "billing.yaml")
                        .operations("getInvoice"),
                "billing.yaml:7:73: 'strng' is no type of a schema. Allowed: string, integer, number, boolean, object,"
                        + " array. Did you mean 'string'?");
    }

    @Test
    void aNameThatAnotherToolHasIsRejected() {
        assertRejected(
                billing()
                        .reservedNames(Set.of("getInvoice"))
                        .operations("getInvoice")
                        .addOperation("cancelInvoice", operation -> operation.name("createInvoice"))
                        .addOperation("createInvoice"),
                "operation 'getInvoice' becomes the tool 'getInvoice', which exists already. Give it another 'name'.",
                "operation 'createInvoice' becomes the tool 'createInvoice', which exists already. Give it another"
                        + " 'name'.");
    }

    @Test
    void aServerWhoseVariableIsNotSetIsReportedWhenTheToolsAreMade() {
        OpenApiTools tools =
                billing().server("${BILLING_URL}").operations("getInvoice").build();

        assertThatThrownBy(() -> tools.tools(http, environment::get))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("tool 'billing', server: the environment variable BILLING_URL is not set. Set it, or give a"
                        + " default: ${BILLING_URL:-...}.");
        environment.put("BILLING_URL", server.url());
        assertThat(call(tools.tools(http, environment::get).getFirst(), Map.of("id", "1"))
                        .output())
                .isPresent();
    }

    @Test
    void aReaderOfAFileStatesThePlacesOfOptions() {
        Mistakes mistakes = new Mistakes("crew.toml");
        mistakes.add(mistakes.at(9, 1), "is wrong already.");

        OpenApiTools incomplete = OpenApiTools.builder("billing")
                .document(document)
                .at("", mistakes.at(1, 1))
                .at("headers.Host", mistakes.at(2, 3))
                .at("operations.getInvoice.name", mistakes.at(4, 5))
                .at("timeout", mistakes.at(9, 1))
                .server(server.url())
                .header("Host", "x")
                .addOperation("getInvoice", operation -> operation.name("no name"))
                .addOperation("none")
                .timeout(Duration.ofSeconds(-1))
                .build(mistakes);

        assertThat(incomplete.operations()).hasSize(1);
        assertThat(mistakes.found())
                .extracting(Mistake::at)
                .containsExactly(
                        new Position("crew.toml", 1, 1),
                        new Position("crew.toml", 2, 3),
                        new Position("crew.toml", 4, 5),
                        new Position("crew.toml", 9, 1));
    }
}
