package dev.chargehand.examples.tools;

import dev.chargehand.Agent;
import dev.chargehand.command.CommandTool;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;

/** Tools that are operations of an HTTP API, and a tool that runs a program. */
public final class BillingTools {

    public OpenApiTools billing(Path document) {
        return OpenApiTools.builder("billing")
                .document(document)
                .server("${BILLING_URL:-https://billing.example.com/v2}")
                .header("Authorization", "Bearer ${BILLING_TOKEN}")
                .operations("getInvoice", "GET /invoices")
                .addOperation(
                        "cancelInvoice",
                        operation -> operation.name("cancel-invoice").repeatable(true))
                .idempotencyHeader("Idempotency-Key")
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    /** Close {@code http} after the last run. */
    public Agent clerk(OpenApiTools billing, HttpCalls http) {
        return Agent.builder("clerk")
                .description("Answers questions about invoices and cancels them.")
                .model("openai/gpt-5-mini")
                .tools(billing.tools(http))
                .build();
    }

    public Tool countLines(Path folder) {
        return CommandTool.builder("count-lines", "Counts the lines of a file of the project.")
                .command("wc", "-l", "--", "{file}")
                .addArgument("file", "The path of the file.")
                .folder(folder)
                .approval(false)
                .build()
                .tool();
    }
}
