package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Conversations whose words are deleted, and where a store still has them. */
abstract class DeletionFixture extends MemoryFixture {

    static final String SECRET = "quokka";

    static final ThreadOwner ANN = ThreadOwner.of("ann");

    @TempDir
    Path folder;

    /** A supervisor with every kind of memory, whose specialist remembers its delegations. */
    AgentRuntime crew(Store store, String word, int runs) {
        List<Turn> turns = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            turns.add(Turn.calls(
                    "updateWorkingMemory",
                    Map.of("edits", List.of(Map.of("find", "", "write", "- likes a " + word + " of run " + run)))));
            turns.add(Turn.calls("look", Map.of("for", word)));
            turns.add(Turn.delegates("writer", "Write about a " + word + "."));
            turns.add(Turn.says("A " + word + " it is."));
        }
        Tool look = Tool.builder("look", "Looks.")
                .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
                .handler((in, context) -> word + " " + "x".repeat(20_000))
                .build();
        Agent writer = Agent.builder("writer")
                .description("Writes.")
                .model(ScriptedModel.script()
                        .on("writer")
                        .says("Text about a " + word)
                        .forever()
                        .modelFor("writer"))
                .delegationMemory(DelegationMemory.PER_PARENT_THREAD)
                .build();
        UnaryOperator<AgentBuilder> supervisor = agent -> agent.agents(writer).tools(look);
        return runtime(store, this::everything, supervisor, settings -> settings, turns.toArray(new Turn[0]));
    }

    Memory.Builder everything(Memory.Builder memory) {
        return memory.lastMessages(2)
                .semanticRecall(recall -> recall.by(embeddings).threshold(0.2))
                .workingMemory(WorkingMemory.template("# Notes").scope(Scope.RESOURCE));
    }

    /** Store an observation of all messages of a thread, and a reflection. */
    static void observe(Store store, ThreadOwner owner, String thread, String text) {
        MemoryStore memory = store.memory().orElseThrow();
        List<String> ids = store.readThreadFrom(thread, owner, 0, 1_000).stream()
                .map(ThreadEntry::messageId)
                .toList();
        NewObservation observation = new NewObservation(0, ids.size(), ids, text, 1, Instant.EPOCH);
        assertThat(memory.observe(owner, thread, observation)).hasValue(1);
        assertThat(memory.reflect(owner, thread, new NewReflection(1, text, 1, Instant.EPOCH)))
                .hasValue(2);
    }

    List<String> filesWith(String word) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(word)) {
                    found.add(file.getFileName().toString());
                }
            }
        }
        return found;
    }

    static List<String> tablesWith(String url, String word) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, PostgresServer.USER, "");
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet names =
                    statement.executeQuery("SELECT tablename FROM pg_tables WHERE schemaname = 'chargehand'")) {
                while (names.next()) {
                    tables.add(names.getString(1));
                }
            }
            for (String table : tables) {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM chargehand." + table
                        + " t WHERE position('" + word + "' IN t::text) > 0")) {
                    rows.next();
                    if (rows.getLong(1) > 0) {
                        found.add(table);
                    }
                }
            }
        }
        return found;
    }
}
