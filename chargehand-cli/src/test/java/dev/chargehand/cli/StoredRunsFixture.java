package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Agents in a folder whose runs are kept in a store. */
abstract class StoredRunsFixture {

    static final String STORE = ".chargehand/chargehand.db";

    static final String QUESTION = "Why does a boat float?";

    @TempDir
    Path folder;

    @BeforeEach
    void agentsAndDocuments() throws IOException {
        file("chargehand.yaml", """
                model: offline
                default: boss
                agents:
                  boss: { instructions: Delegate., agents: [finder] }
                  finder:
                    description: Finds passages.
                    tools:
                      - search-files: { approval: true }
                  plain: { instructions: Say. }
                  strict: { agents: [reader], requireToolApproval: true }
                  reader: { description: Reads., tools: [search-files] }
                """);
        file("docs/boats.md", "# Boats\n\nA boat floats because it is lighter than the water it displaces.\n");
    }

    Ran run(String... arguments) {
        return Ran.in(folder, arguments);
    }

    /** Starts a run that waits and returns its id. */
    String waiting() {
        assertThat(run("run", QUESTION).exitCode()).isEqualTo(4);
        return newest().runId().value();
    }

    RunRecord newest() {
        try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
            return store.list(RunFilter.ROOTS).getFirst();
        }
    }

    static void refused(Ran ran, String... says) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines().toList().getLast())
                .startsWith("chargehand: ")
                .contains(says);
        assertThat(ran.err()).doesNotContain("Exception", "\tat ");
    }

    // Runs of Java programs in the same store.

    static final Tool PAY = Tool.builder("pay", "Pays.")
            .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
            .requiresApproval()
            .handler((in, context) -> "paid")
            .build();

    static final Tool ASK = Tool.builder("ask", "Asks.")
            .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
            .handler((in, context) -> context.providedData(String.class)
                    .map(name -> (Object) ("Hello " + name))
                    .orElseGet(() -> context.suspend("Who?")))
            .build();

    /** Runs an agent of a program on a store here, by a clock that stands on the first day of the year. */
    RunId program(boolean clockStands, Script script, Consumer<RunOptions.Builder> options) {
        Agent plain = Agent.builder("plain").model("none/none").tools(PAY, ASK).build();
        TestRuntime.Builder builder = TestRuntime.builder(script)
                .store(JdbcStore.sqlite(folder.resolve("java.db")))
                .ids(IdSource.secure())
                .agents(plain);
        try (TestRuntime test = clockStands ? builder.manualClock().build() : builder.build()) {
            return test.agent("plain").generate("Go", options).runId();
        }
    }

    void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
