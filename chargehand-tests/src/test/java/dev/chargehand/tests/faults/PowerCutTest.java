package dev.chargehand.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.jdbc.SqliteOptions.Synchronous;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which facts of a run SQLite syncs with the disk before it acknowledges them, as SQLite itself says. */
@Timeout(60)
class PowerCutTest {

    private static final JsonSchema ANYTHING = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));

    /** What {@code PRAGMA synchronous} says. */
    private static final int NORMAL = 1;

    private static final int FULL = 2;

    @TempDir
    Path folder;

    /** One step after the other calls a tool. */
    private record Worker(List<String> tools) implements Model {

        @Override
        public String name() {
            return "test/worker";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            int step = (int) request.messages().stream()
                    .filter(message -> message.role() == Role.TOOL)
                    .count();
            return step == tools.size()
                    ? ModelResponse.text("done", Usage.NONE)
                    : new ModelResponse(
                            "",
                            "",
                            List.of(new RequestedCall("c" + step, tools.get(step), "{\"prompt\":\"Go\"}")),
                            FinishReason.TOOL_CALLS,
                            Usage.NONE);
        }
    }

    @Test
    void whatAPowerCutMayNotTakeBackIsSyncedAndNothingElse() throws SQLException {
        List<String> written = written(SqliteOptions.DEFAULT);

        assertThat(levels(written, "started")).as("the boss, the clerk").containsExactly(FULL, NORMAL);
        assertThat(levels(written, "call-opened"))
                .as("read, book, pay, the clerk")
                .containsExactly(NORMAL, FULL, FULL, NORMAL);
        assertThat(levels(written, "call-parked")).containsExactly(FULL);
        assertThat(levels(written, "call-decided")).containsExactly(FULL);
        assertThat(levels(written, "answered")).contains(NORMAL);
        assertThat(levels(written, "call-closed")).contains(NORMAL).last().isEqualTo(NORMAL);
        assertThat(levels(written, "step-closed").getLast())
                .as("the end of the root run")
                .isEqualTo(FULL);
        assertThat(levels(written, "step-closed").getFirst()).isEqualTo(NORMAL);
    }

    @ParameterizedTest
    @CsvSource({"NORMAL, 1", "FULL, 2"})
    void theOptionsChooseOneLevelForAll(Synchronous synchronous, int level) throws SQLException {
        List<String> written = written(SqliteOptions.DEFAULT.synchronous(synchronous));

        assertThat(written).hasSizeGreaterThan(15).allMatch(line -> line.endsWith(" " + level));
    }

    private static List<Integer> levels(List<String> written, String type) {
        return written.stream()
                .filter(line -> line.startsWith(type + " "))
                .map(line -> Integer.parseInt(line.substring(type.length() + 1)))
                .toList();
    }

    /** Runs, and returns the type of each fact with the level it was written with. */
    private List<String> written(SqliteOptions options) throws SQLException {
        Path file = folder.resolve("store.db");
        JdbcStore.sqlite(file, options).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE levels (type TEXT, level INTEGER)");
            statement.execute("CREATE TRIGGER level AFTER INSERT ON facts"
                    + " BEGIN INSERT INTO levels SELECT NEW.type, synchronous FROM pragma_synchronous; END");
            run(JdbcStore.sqlite(file, options));
            List<String> written = new ArrayList<>();
            try (ResultSet result = statement.executeQuery("SELECT type, level FROM levels ORDER BY rowid")) {
                while (result.next()) {
                    written.add(result.getString(1) + " " + result.getInt(2));
                }
            }
            return written;
        }
    }

    private static void run(JdbcStore store) {
        Agent clerk = Agent.builder("clerk")
                .description("Says something.")
                .model(new Worker(List.of()))
                .build();
        Agent boss = Agent.builder("boss")
                .model(new Worker(List.of("read", "book", "pay", "agent-clerk")))
                .tools(
                        tool("read").repeatable().build(),
                        tool("book").build(),
                        tool("pay").requiresApproval().build())
                .agents(clerk)
                .build();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .approverCheck((approval, approver) -> true)
                .providers()
                .agents(boss)
                .build()) {
            RunResult waiting = runtime.agent("boss").generate("Go", o -> o.maxSteps(10));
            RunResult ended = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
            assertThat(ended.status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    private static Tool.Builder<Json> tool(String name) {
        return Tool.builder(name, "Works.").input(ANYTHING).handler((in, context) -> "ok");
    }
}
