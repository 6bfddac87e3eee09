package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.PostgresServer;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadMessage;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deleted words are gone: from the store, from its files, from memory, and from what a resumed run is shown. */
class ForgetTest extends MemoryFixture {

    private static final String SECRET = "quokka";

    private static final String OTHER = "wombat";

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    @TempDir
    Path folder;

    /** A supervisor with every kind of memory, whose specialist remembers its delegations. */
    private AgentRuntime crew(Store store, String word, int runs) {
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

    private Memory.Builder everything(Memory.Builder memory) {
        return memory.lastMessages(2)
                .semanticRecall(recall -> recall.by(embeddings).threshold(0.2))
                .workingMemory(WorkingMemory.template("# Notes").scope(Scope.RESOURCE));
    }

    /** Fill a store with runs of two resources, and many messages of each in between those of the other. */
    private void fill(JdbcStore store) {
        for (String word : List.of(SECRET, OTHER)) {
            String resource = word.equals(SECRET) ? "ann" : "bob";
            AgentRuntime runtime = crew(store, word, 3);
            for (String thread : List.of("one", "one", "two")) {
                say(runtime, resource, resource + " " + thread, "What does the " + word + " eat?");
            }
        }
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        AgentRuntime writer = runtime(store, this::everything);
        for (int i = 0; i < 150; i++) {
            for (String word : List.of(SECRET, OTHER)) {
                String resource = word.equals(SECRET) ? "ann" : "bob";
                String text = (word + " " + "y".repeat(random.nextInt(300)) + " ").repeat(random.nextInt(1, 60));
                ThreadOwner owner = ThreadOwner.of(resource);
                int ignored = writer.threads()
                        .append(owner, resource + " many", List.of(Message.user(text)))
                        .hashCode();
            }
        }
    }

    @Test
    void noFileHasAWordOfAForgottenResource() throws Exception {
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            fill(store);
            AgentRuntime runtime = runtime(store, this::everything);
            assertThat(filesWith(SECRET)).isNotEmpty();
            Forgotten forgotten = runtime.memory().forget("ann");

            assertThat(forgotten.runs()).isEqualTo(3);
            assertThat(forgotten.threads()).isEqualTo(3 + 2); // two of the writer
            assertThat(forgotten.workingMemories()).isEqualTo(1);
            assertThat(filesWith(SECRET)).isEmpty();
            assertThat(filesWith(OTHER)).isNotEmpty();
            assertThat(runtime.memory().forget("ann").isNothing()).isTrue();
            assertThat(runtime.runs(RunFilter.ROOTS)).hasSize(3);
            assertThat(runtime.threads().list("bob", 0, 10)).hasSize(3);
            assertThat(runtime.memory().workingMemory(ScopeRef.resource("bob"))).isPresent();
            assertThat(runtime.memory().workingMemory(ScopeRef.resource("ann"))).isEmpty();
        }
        assertThat(filesWith(SECRET)).isEmpty();
    }

    @Test
    void noTableHasAWordOfAForgottenResource() throws Exception {
        String url = PostgresServer.newDatabase();
        try (JdbcStore store = JdbcStore.postgres(url, PostgresServer.USER, "")) {
            fill(store);
            assertThat(tablesWith(url, SECRET))
                    .contains("facts", "thread_messages", "payloads", "working_memory", "runs");
            Forgotten forgotten = runtime(store, this::everything).memory().forget("ann");

            assertThat(forgotten.runs()).isEqualTo(3);
            assertThat(tablesWith(url, SECRET)).isEmpty();
            assertThat(tablesWith(url, "ann")).isEmpty();
            assertThat(tablesWith(url, OTHER))
                    .contains("facts", "thread_messages", "payloads", "working_memory", "runs");
        }
    }

    @Test
    void ofDeletedMessagesOnlyTheFactsOfTheirRunHaveWords() throws Exception {
        String url = PostgresServer.newDatabase();
        try (JdbcStore store = JdbcStore.postgres(url, PostgresServer.USER, "")) {
            AgentRuntime runtime = runtime(store, memory -> memory.semanticRecall(recall -> recall.by(embeddings)));
            RunResult run = say(runtime, "ann", "t", "What does the " + SECRET + " eat?");
            assertThat(tablesWith(url, SECRET))
                    .containsExactlyInAnyOrder("facts", "runs", "thread_messages", "threads");
            Message large = Message.user((SECRET + " ").repeat(4_000)).withId("large");
            assertThat(runtime.threads().append(ANN, "t", List.of(large)).length())
                    .isEqualTo(3);
            assertThat(tablesWith(url, SECRET)).contains("payloads");
            List<ThreadMessage> said = runtime.threads().lastMessages(ANN, "t", 10);
            List<String> ids =
                    said.stream().map(message -> message.message().id()).toList();

            assertThat(runtime.threads().deleteMessages(ANN, "t", ids)).isEqualTo(3);

            assertThat(tablesWith(url, SECRET)).containsExactly("facts");
            assertThat(runtime.memory().search("lead", ScopeRef.resource("ann"), SECRET, 4))
                    .isEmpty();
            assertThat(runtime.threads().lastMessages(ANN, "t", 10)).isEmpty();
            say(runtime, "ann", "t", "Who am I?");
            assertThat(requests.getLast().messages()).extracting(Message::text).containsExactly("Who am I?");
            assertThat(runtime.threads().delete(ANN, "t", how -> how.withRuns()))
                    .isTrue();
            assertThat(tablesWith(url, SECRET)).isEmpty();
            assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void theRunsOfOneThreadAreDeletedWithIt() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AgentRuntime runtime = crew(store, SECRET, 3);
        for (String thread : List.of("one", "one", "two")) {
            say(runtime, "ann", thread, "Tell me.");
        }

        assertThat(runtime.threads().delete(ANN, "one", how -> how.withRuns())).isTrue();

        assertThat(runtime.runs(RunFilter.ROOTS)).singleElement().satisfies(run -> assertThat(run.threadId())
                .hasValue("two"));
        assertThat(runtime.memory().forget("ann").threads()).isEqualTo(2); // that of the writer is the other one
        assertThat(runtime.threads().delete(ANN, "one", how -> how.withRuns())).isFalse();
    }

    @Test
    void whatAnOpenRunUsesIsDeletedAfterThatIsCancelled() {
        AgentRuntime runtime = looking(memory -> memory.lastMessages(5), true);
        say(runtime, "ann", "t", "Hello.");
        RunResult waiting = say(runtime, "ann", "t", "Look.");
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        List<String> first = List.of(runtime.threads()
                .messagesFrom(ANN, "t", 0, 1)
                .getFirst()
                .message()
                .id());

        assertThatThrownBy(() -> runtime.threads().delete(ANN, "t", how -> how.withRuns()))
                .isInstanceOfSatisfying(ThreadBusyException.class, busy -> assertThat(busy.code())
                        .isEqualTo("resource-busy"));
        assertThatThrownBy(() -> runtime.threads().deleteMessages(ANN, "t", first))
                .isInstanceOf(ThreadBusyException.class);
        assertThatThrownBy(() -> runtime.memory().forget("ann")).isInstanceOf(ThreadBusyException.class);
        assertThat(runtime.runs(RunFilter.ALL)).hasSize(2);

        assertThat(runtime.threads().deleteMessages(ANN, "t", first, how -> how.cancelRuns()))
                .isEqualTo(1);
        assertThat(runtime.handle(waiting.runId()).result().stopReason())
                .isInstanceOfSatisfying(StopReason.Cancelled.class, reason -> assertThat(reason.by())
                        .isEqualTo("deletion"));
        assertThat(runtime.memory().forget("ann").runs()).isEqualTo(2);
    }

    @Test
    void aRunningRunIsCancelledAndWaitedFor() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Turn hanging = Turn.answers(request -> {
            asked.countDown();
            try {
                Thread.sleep(600_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("The model was interrupted.");
        });
        AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(), memory -> memory.lastMessages(5), agent -> agent, r -> r, hanging);
        RunHandle handle =
                runtime.agent("lead").start("Hello.", o -> o.thread("t").resource("ann"));
        asked.await();

        assertThat(runtime.threads().delete(ANN, "t", how -> how.cancelRuns().withRuns()))
                .isTrue();

        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
        assertThat(runtime.threads().find(ANN, "t")).isEmpty();
        assertThat(handle.runId()).isNotNull();
    }

    @Test
    void aMessageThatWasDeletedIsMissingInARunThatIsResumed() {
        try (AgentRuntime runtime = looking(
                memory -> memory.lastMessages(1)
                        .semanticRecall(recall ->
                                recall.by(embeddings).messageRange(0, 0).threshold(0.2)),
                true)) {
            runtime.threads()
                    .append(
                            ANN,
                            "a",
                            List.of(
                                    Message.user("My dog Fido likes apples.").withId("apples"),
                                    Message.user("My dog Fido likes pears.").withId("pears")))
                    .length();
            say(runtime, "ann", "a", "My dog Fido likes plums.");
            RunResult waiting = say(runtime, "ann", "b", "What does my dog Fido like?");
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(runtime.threads().deleteMessages(ANN, "a", List.of("apples")))
                    .isEqualTo(1);
            RunResult result = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();

            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(recalled()).contains("pears", "plums").doesNotContain("apples");
            assertThat(events(RunEvent.MemoryProblem.class))
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.problem()).startsWith("memory-changed"));
            say(runtime, "ann", "c", "What does my dog Fido like?");
            assertThat(recalled()).contains("pears", "plums").doesNotContain("apples");
            assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
        }
    }

    @Test
    void whatCannotBeDeletedIsReported() {
        AgentRuntime runtime = runtime(InMemoryStore.create(), memory -> memory.lastMessages(1));
        assertThatThrownBy(() -> runtime.memory().forget(" "))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> runtime.threads().deleteMessages(ANN, "t", List.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("1 to 1000 messages, not 0");
        assertThat(runtime.threads().deleteMessages(ANN, "missing", List.of("m")))
                .isZero();
        assertThat(runtime.memory().forget("unknown").isNothing()).isTrue();
    }

    private List<String> filesWith(String word) throws IOException {
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

    private static List<String> tablesWith(String url, String word) throws SQLException {
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
