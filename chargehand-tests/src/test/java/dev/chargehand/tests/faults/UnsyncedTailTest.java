package dev.chargehand.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A power cut at each call of a model or a tool of a run with a nested one: what SQLite had synced with the disk by then is enough to end the
 * run with the same answer, and no effect comes twice.
 */
@Timeout(120)
class UnsyncedTailTest {

    private static final JsonSchema ANYTHING = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));

    private static final List<String> EFFECTS = List.of("book", "pay", "book", "pay", "note");

    @TempDir
    Path folder;

    private final List<String> effects = new ArrayList<>();
    private final List<Cut> cuts = new ArrayList<>();
    private boolean cutting = true;

    /** What the disk has after a power cut, and which effects had happened. */
    private record Cut(Path file, String where, List<String> effects) {}

    /** Knows how much of SQLite's log is synced: all that was written when an append came that had to be. */
    private static final class SyncedStore extends ForwardingStore {

        private final Path log;
        private volatile long synced;

        private SyncedStore(Store store, Path file) {
            super(store);
            this.log = file.resolveSibling(file.getFileName() + "-wal");
        }

        @Override
        public Appended append(List<Append> appends) {
            Appended appended = super.append(appends);
            if (appends.stream().anyMatch(Append::durable)) {
                synced = size(log);
            }
            return appended;
        }

        private static long size(Path log) {
            try {
                return Files.size(log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Calls one tool after the other, and then says what their results were. */
    private final class Worker implements Model {

        private final String name;
        private final List<String> tools;
        private final SyncedStore store;

        private Worker(String name, SyncedStore store, String... tools) {
            this.name = name;
            this.store = store;
            this.tools = List.of(tools);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            List<Message> results = request.messages().stream()
                    .filter(message -> message.role() == Role.TOOL)
                    .toList();
            cut(store, name + " " + results.size());
            return results.size() == tools.size()
                    ? ModelResponse.text(name + " has called " + tools.size(), Usage.NONE)
                    : new ModelResponse(
                            "",
                            "",
                            List.of(new RequestedCall(
                                    "c" + results.size(), tools.get(results.size()), "{\"prompt\":\"Go\"}")),
                            FinishReason.TOOL_CALLS,
                            Usage.NONE);
        }
    }

    private void cut(SyncedStore store, String where) {
        if (!cutting) {
            return;
        }
        try {
            Path file =
                    Files.createDirectory(folder.resolve("cut" + cuts.size())).resolve("store.db");
            Files.copy(folder.resolve("store.db"), file);
            byte[] log = Files.readAllBytes(folder.resolve("store.db-wal"));
            Files.write(file.resolveSibling("store.db-wal"), Arrays.copyOf(log, (int) store.synced));
            cuts.add(new Cut(file, where, List.copyOf(effects)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Tool tool(String name, SyncedStore store) {
        return Tool.builder(name, "Has an effect.")
                .input(ANYTHING)
                .handler((in, context) -> {
                    cut(store, "before " + name);
                    effects.add(name);
                    cut(store, "after " + name);
                    return "ok";
                })
                .build();
    }

    /** The machine has booted anew: no process from before is alive. */
    private static void boot(Path file) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM owners");
        }
    }

    private AgentRuntime runtime(Path file) {
        SyncedStore store = new SyncedStore(JdbcStore.sqlite(file), file);
        Agent clerk = Agent.builder("clerk")
                .description("Books and pays.")
                .model(new Worker("clerk", store, "book", "pay"))
                .tools(tool("book", store), tool("pay", store))
                .build();
        Agent boss = Agent.builder("boss")
                .model(new Worker("boss", store, "agent-clerk", "agent-clerk", "note"))
                .agents(clerk)
                .tools(tool("note", store))
                .build();
        return AgentRuntime.builder().store(store).agents(boss).build();
    }

    /** Nobody knows whether the effect came that was about to: it is not tried again. */
    private static List<String> expected(Cut cut) {
        List<String> expected = new ArrayList<>(EFFECTS);
        if (cut.where.startsWith("before ")) {
            expected.remove(cut.effects.size());
        }
        return expected;
    }

    @Test
    void aRunThatContinuesFromWhatWasSyncedEndsWithoutAnEffectThatComesTwice() throws SQLException {
        try (AgentRuntime runtime = runtime(folder.resolve("store.db"))) {
            RunResult result = runtime.agent("boss").generate("Go", o -> o.thread("t"));
            assertThat(result.text()).isEqualTo("boss has called 3");
        }
        assertThat(effects).isEqualTo(EFFECTS);
        assertThat(cuts).hasSize(20);
        cutting = false;

        for (Cut cut : cuts) {
            effects.clear();
            effects.addAll(cut.effects);
            boot(cut.file);
            try (AgentRuntime runtime = runtime(cut.file)) {
                List<RunResult> ended = runtime.recover().await();

                assertThat(ended).as(cut.where).hasSize(1);
                assertThat(ended.getFirst().status()).as(cut.where).isEqualTo(RunStatus.COMPLETED);
                assertThat(ended.getFirst().text()).as(cut.where).isEqualTo("boss has called 3");
                assertThat(effects).as(cut.where).isEqualTo(expected(cut));
            }
        }
    }
}
