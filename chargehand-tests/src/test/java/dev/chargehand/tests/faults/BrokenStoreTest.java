package dev.chargehand.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real databases that another program locks, that are full, or whose connections break in the middle of a run. */
@Timeout(120)
class BrokenStoreTest {

    private static final JsonSchema ANYTHING = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));

    @TempDir
    Path folder;

    private final AtomicInteger effects = new AtomicInteger();

    /** Calls the tool once for each turn of the conversation, then says that it is done. */
    private record Worker() implements Model {

        @Override
        public String name() {
            return "test/worker";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            return request.messages().getLast().role() == Role.TOOL
                    ? ModelResponse.text("done", Usage.NONE)
                    : new ModelResponse(
                            "", "", List.of(new RequestedCall("c", "work", "{}")), FinishReason.TOOL_CALLS, Usage.NONE);
        }
    }

    private interface Work {
        void carryOut() throws Exception;
    }

    private AgentRuntime runtime(Store store, Work work) {
        Tool tool = Tool.builder("work", "Works.")
                .input(ANYTHING)
                .handler((in, context) -> {
                    work.carryOut();
                    return effects.incrementAndGet();
                })
                .build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .agents(Agent.builder("solo").model(new Worker()).tools(tool).build())
                .build();
    }

    @Test
    void aFileThatAnotherProgramLocksBlocksItsConversationOnlyForAsLong() throws SQLException {
        Path file = folder.resolve("locked.db");
        SqliteOptions hasty =
                SqliteOptions.DEFAULT.callLimit(Duration.ofMillis(600)).threadGrace(Duration.ZERO);
        JdbcStore.sqlite(file).close();
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                AgentRuntime runtime = runtime(JdbcStore.sqlite(file, hasty), () -> lockOnce(other));
                AgentRuntime second = runtime(JdbcStore.sqlite(file), () -> {})) {
            RunFailedException failure = failed(runtime);

            assertThat(failure.code()).isEqualTo("store-failed");
            assertThat(failure.retryable()).isTrue();
            RunId failed = failure.result().runId();
            assertThat(runtime.store().find(failed).orElseThrow().status()).isEqualTo(RunStatus.RUNNING);

            execute(other, "COMMIT");

            assertThat(runtime.agent("solo")
                            .generate("Next", o -> o.thread("t").busyThread(BusyThreadPolicy.REJECT))
                            .text())
                    .isEqualTo("done");
            assertThat(runtime.store().find(failed).orElseThrow().owner()).isEmpty();
            assertThat(second.resume(failed, o -> {}).result().text()).isEqualTo("done");
            assertThat(effects).hasValue(2);
        }
    }

    private void lockOnce(Connection other) throws SQLException {
        if (effects.get() == 0) {
            execute(other, "BEGIN IMMEDIATE");
        }
    }

    @Test
    void aFileWithoutRoomStaysAsItIsUntilThereIsRoom() throws SQLException {
        Path file = folder.resolve("full.db");
        JdbcStore.sqlite(file).close();
        execute(
                file,
                "CREATE TRIGGER full BEFORE INSERT ON facts WHEN NEW.seq > 1"
                        + " BEGIN SELECT raise(ABORT, 'full'); END");
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(file), () -> {})) {
            RunId failed = failed(runtime).result().runId();
            assertThat(runtime.store().find(failed).orElseThrow().status()).isEqualTo(RunStatus.RUNNING);

            execute(file, "DROP TRIGGER full");

            assertThat(runtime.recover().await())
                    .singleElement()
                    .matches(result -> result.runId().equals(failed))
                    .matches(result -> result.text().equals("done"));
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // where an open file cannot be deleted
    void aFileThatIsDeletedUnderARunIsNoticed() {
        Path file = folder.resolve("deleted.db");
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(file), () -> Files.delete(file))) {
            RunFailedException failure = failed(runtime);

            assertThat(failure.code()).isEqualTo("store-unusable");
            assertThat(failure).hasMessageContaining("deleted").hasMessageContaining("restore a backup");
            assertThat(failure.retryable()).isFalse();
            assertThat(failure.result().steps()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatBreaksAtACommitLosesAndDoublesNothing(BreakingProxy.Moment moment) throws IOException {
        Database.Postgres database = (Database.Postgres) Database.Kind.POSTGRESQL.in(folder);
        database.open().close();
        try (BreakingProxy proxy = new BreakingProxy(PostgresServer.port(), moment);
                AgentRuntime runtime = runtime(database.openThrough(proxy.port()), () -> {})) {
            RunResult ignored = runtime.agent("solo").generate("Warm");
            for (int nth = 1; ; nth++) {
                String thread = "t" + nth;
                effects.set(0);
                proxy.breakCommit(nth);
                RunResult result = completed(runtime, thread);
                if (proxy.commits() < nth) {
                    assertThat(nth).isGreaterThan(4);
                    return;
                }
                assertThat(result.text()).as("commit %s", nth).isEqualTo("done");
                assertThat(effects).as("commit %s", nth).hasValueLessThanOrEqualTo(1);
                assertThat(runtime.store().list(RunFilter.ROOTS.thread(thread)))
                        .allMatch(run -> run.status() == RunStatus.COMPLETED);
                assertThat(messages(runtime.store(), thread))
                        .as("commit %s", nth)
                        .isEqualTo(4);
            }
        }
    }

    /** A commit that came to nothing fails the run, which goes on; one that is stored is no failure. */
    private static RunResult completed(AgentRuntime runtime, String thread) {
        try {
            return runtime.agent("solo").generate("Go", o -> o.thread(thread));
        } catch (RunFailedException e) {
            assertThat(e.code()).isEqualTo("store-timeout");
            return runtime.resume(e.result().runId(), o -> {}).result();
        } catch (StoreException e) {
            assertThat(runtime.store().findThread(thread)).isEmpty();
            return runtime.agent("solo").generate("Go", o -> o.thread(thread));
        }
    }

    private static int messages(Store store, String thread) {
        List<ThreadEntry> entries = store.readThread(thread, new ThreadOwner(null, null), Long.MAX_VALUE, 100);
        assertThat(entries.stream().map(ThreadEntry::messageId)).doesNotHaveDuplicates();
        return entries.size();
    }

    private static RunFailedException failed(AgentRuntime runtime) {
        return catchThrowableOfType(RunFailedException.class, () -> {
            RunResult ignored = runtime.agent("solo").generate("Go", o -> o.thread("t"));
        });
    }

    private static void execute(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
