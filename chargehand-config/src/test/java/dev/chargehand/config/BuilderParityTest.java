package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.command.ArgumentType;
import dev.chargehand.command.CommandTool;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file and a builder that have the same options make the same tools. */
class BuilderParityTest {

    @TempDir
    Path folder;

    @BeforeEach
    void document() throws IOException {
        Files.writeString(folder.resolve("orders.yaml"), """
                openapi: 3.1.0
                servers: [ { url: "https://orders.example.com" } ]
                paths:
                  /orders:
                    get: { operationId: searchOrders, summary: Finds orders. }
                    post: { operationId: createOrder, summary: Places an order. }
                """);
    }

    private AgentsFile file(String tools) throws IOException {
        Path file = Files.writeString(
                folder.resolve("crew.yaml"),
                "tools:\n" + tools.indent(2) + "agents: { boss: { instructions: Answer. } }\n");
        return AgentsFileReader.read(file, "crew.yaml", Set.of());
    }

    private static String shown(Tool tool) {
        return tool.name() + " | " + tool.description() + " | "
                + tool.input().json().canonical().text() + " | "
                + tool.timeout() + " | " + tool.approval().isPresent() + " | " + tool.repeatable() + " | "
                + tool.polling();
    }

    private void assertSame(String yaml, OpenApiTools.Builder builder) throws IOException {
        OpenApiTools read = file(yaml).apis().get("orders");
        OpenApiTools built = builder.document(folder.resolve("orders.yaml")).build();
        try (HttpCalls http = new HttpCalls()) {
            List<Tool> tools = read.tools(http, name -> null);
            assertThat(tools).isNotEmpty();
            assertThat(tools.stream().map(BuilderParityTest::shown))
                    .containsExactlyElementsOf(built.tools(http, name -> null).stream()
                            .map(BuilderParityTest::shown)
                            .toList());
        }
        assertThat(read.headers()).isEqualTo(built.headers());
        assertThat(read.query()).isEqualTo(built.query());
        assertThat(read.operations().getFirst().server())
                .isEqualTo(built.operations().getFirst().server());
    }

    @Test
    void operationsWithoutOptionsHaveTheSameDefaults() throws IOException {
        assertSame(
                "orders: { openapi: orders.yaml, operations: [ searchOrders, createOrder ] }",
                OpenApiTools.builder("orders").operations("searchOrders", "createOrder"));
    }

    @Test
    void operationsHaveTheSameOptions() throws IOException {
        assertSame(
                """
                orders:
                  openapi: orders.yaml
                  server: "${ORDERS_URL:-https://other.example.com}"
                  headers: { X-Team: crew }
                  query: { key: "${ORDERS_KEY}" }
                  idempotencyHeader: Idempotency-Key
                  approval: true
                  repeatable: false
                  polling: true
                  timeout: 5s
                  maxOutput: 100
                  operations:
                    - searchOrders: { name: find, description: Finds., approval: false, repeatable: true, polling: false }
                    - GET /orders
                """,
                OpenApiTools.builder("orders")
                        .server("${ORDERS_URL:-https://other.example.com}")
                        .header("X-Team", "crew")
                        .query("key", "${ORDERS_KEY}")
                        .idempotencyHeader("Idempotency-Key")
                        .approval(true)
                        .repeatable(false)
                        .polling(true)
                        .timeout(Duration.ofSeconds(5))
                        .maxOutput(100)
                        .addOperation("searchOrders", operation -> operation
                                .name("find")
                                .description("Finds.")
                                .approval(false)
                                .repeatable(true)
                                .polling(false))
                        .addOperation("GET /orders"));
    }

    private void assertSame(String yaml, CommandTool.Builder builder) throws IOException {
        CommandTool read = file(yaml).commands().get("it");
        CommandTool built = builder.build();

        assertThat(shown(read.tool())).isEqualTo(shown(built.tool()));
        assertThat(read.folder()).isEqualTo(built.folder());
        assertThat(read.approval()).isEqualTo(built.approval());
    }

    @Test
    void aProgramWithoutOptionsHasTheSameDefaults() throws IOException {
        assertSame(
                "it: { description: Does it., command: [ls] }",
                CommandTool.builder("it", "Does it.").command("ls").folder(folder));
    }

    @Test
    void aProgramHasTheSameOptions() throws IOException {
        Files.createDirectory(folder.resolve("sub"));
        assertSame(
                """
                it:
                  description: Does it.
                  command: [ls, "{n}", "{mode}"]
                  arguments:
                    n: { description: A number., type: integer, default: 3 }
                    mode: { description: A mode., values: [a, b] }
                  approval: false
                  repeatable: true
                  polling: true
                  timeout: 5s
                  maxOutput: 100
                  folder: sub
                  environment: [LC_TIME]
                """,
                CommandTool.builder("it", "Does it.")
                        .command("ls", "{n}", "{mode}")
                        .addArgument("n", "A number.", n -> n.type(ArgumentType.INTEGER)
                                .defaultValue("3"))
                        .addArgument("mode", "A mode.", mode -> mode.values("a", "b"))
                        .approval(false)
                        .repeatable(true)
                        .polling(true)
                        .timeout(Duration.ofSeconds(5))
                        .maxOutput(100)
                        .folder(folder.resolve("sub"))
                        .environment("LC_TIME"));
    }
}
