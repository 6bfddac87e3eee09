package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.examples.tools.BillingTools;
import dev.chargehand.openapi.OpenApiOperation;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operations of the billing API are tools of the clerk, and a program is one too. */
class BillingToolsTest {

    @TempDir
    Path folder;

    private Path document() throws IOException {
        return Files.writeString(folder.resolve("billing.yaml"), """
                openapi: 3.1.0
                paths:
                  /invoices:
                    get: { summary: Finds invoices. }
                  /invoices/{id}:
                    parameters: [ { name: id, in: path, required: true, schema: { type: string } } ]
                    get: { operationId: getInvoice, summary: Shows an invoice. }
                    delete: { operationId: cancelInvoice, summary: Cancels an invoice. }
                """);
    }

    @Test
    void theClerkHasTheChosenOperations() throws IOException {
        OpenApiTools billing = new BillingTools().billing(document());

        assertThat(billing.operations())
                .extracting(OpenApiOperation::name)
                .containsExactly("getInvoice", "get_invoices", "cancel-invoice");
        try (HttpCalls http = new HttpCalls();
                TestRuntime test =
                        TestRuntime.with(ScriptedModel.script().on("clerk").says("Which invoice?"))) {
            assertThat(test.bind(new BillingTools().clerk(billing, http))
                            .generate("Cancel it")
                            .text())
                    .isEqualTo("Which invoice?");
        }
    }

    @Test
    void linesAreCounted() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "one\ntwo\n");
        Agent editor = Agent.builder("editor")
                .model("test/editor")
                .tools(new BillingTools().countLines(folder))
                .build();
        Script script = ScriptedModel.script();
        script.on("editor")
                .calls("count-lines", Map.of("file", "notes.txt"))
                .then()
                .says("Two.");
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThat(test.bind(editor)
                            .generate("How many?")
                            .toolResults()
                            .getFirst()
                            .output()
                            .orElseThrow()
                            .text())
                    .contains("2 notes.txt");
        }
    }
}
