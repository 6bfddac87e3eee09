package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkingMemoryTest extends MemoryFixture {

    private static final String TOOL = "updateWorkingMemory";
    private static final ScopeRef ANN = ScopeRef.resource("ann");

    private static Memory.Builder template(Memory.Builder memory) {
        return memory.workingMemory(WorkingMemory.template("- Name:\n- Place:\n"));
    }

    /** What a working memory of a schema holds. */
    record Profile(String name, List<String> interests) {}

    @TempDir
    Path folder;

    private AgentRuntime runtime(Store store, Consumer<Memory.Builder> memory, Turn... turns) {
        Turn[] all = new Turn[turns.length + 1];
        System.arraycopy(turns, 0, all, 0, turns.length);
        all[turns.length] = answers()[0];
        return runtime(store, memory, agent -> agent, runtime -> runtime, all);
    }

    private static Turn edits(String find, String write) {
        return Turn.calls(TOOL, Map.of("edits", List.of(Map.of("find", find, "write", write))));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTheModelNotesIsShownInTheNextConversation(boolean file) {
        Store store = file ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, WorkingMemoryTest::template, edits("- Name:", "- Name: Ann"))) {
            say(runtime, "ann", "monday", "I am Ann.");
            say(runtime, "ann", "tuesday", "Who am I?");

            assertThat(recalled()).contains("Your working memory", "- Name: Ann\n- Place:");
            assertThat(requests.getLast().messages().get(0).internal()
                            || requests.getLast().messages().get(1).internal())
                    .isTrue();
            assertThat(events(RunEvent.ToolResult.class).getFirst().output().text())
                    .contains("Stored as revision 1.");
            assertThat(runtime.memory().workingMemory(ANN))
                    .get()
                    .extracting(WorkingMemoryRevision::text)
                    .isEqualTo("- Name: Ann\n- Place:\n");
            assertThat(runtime.memory().workingMemory(ScopeRef.resource("bob"))).isEmpty();
        }
    }

    @Test
    void aRunSeesTheTextOfItsStart() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(), WorkingMemoryTest::template, edits("- Name:", "- Name: Ann"))) {
            say(runtime, "ann", "monday", "I am Ann.");

            assertThat(recalled()).contains("- Name:\n- Place:").doesNotContain("Ann");
            assertThat(requests.getLast().messages().getLast().toolResults())
                    .singleElement()
                    .satisfies(result -> assertThat(result.output()).contains("revision 1"));
        }
    }

    @Test
    void aWholeTextReplacesTheOneBefore() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                memory -> memory.workingMemory(
                        WorkingMemory.template("- Name:\n- Place:\n").wholeText()),
                Turn.calls(TOOL, Map.of("text", "- Name: Ann")),
                edits("- Name: Ann", "- Name: Bob"),
                Turn.calls(TOOL, Map.of("text", "x".repeat(17_000))))) {
            say(runtime, "ann", "monday", "I am Ann.");

            assertThat(requests.getFirst().tools())
                    .filteredOn(tool -> tool.name().equals(TOOL))
                    .singleElement()
                    .satisfies(tool -> assertThat(tool.description()).contains("write its whole text again"));
            assertThat(runtime.memory().workingMemory(ANN)).get().satisfies(newest -> {
                assertThat(newest.text()).isEqualTo("- Name: Ann");
                assertThat(newest.revision()).isEqualTo(1);
            });
        }
    }

    @Test
    void aWholeTextIsNotForASchema() {
        assertThatThrownBy(() -> WorkingMemory.schema(Profile.class).wholeText())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("for a working memory with a template");
    }

    @Test
    void anEditThatDoesNotFitChangesNothing() {
        try (AgentRuntime runtime =
                runtime(InMemoryStore.keepingEndedRuns(), WorkingMemoryTest::template, edits("- Age:", "- Age: 7"))) {
            say(runtime, "ann", "monday", "I am 7.");

            assertThat(requests.getLast().messages().getLast().toolResults())
                    .singleElement()
                    .satisfies(result -> assertThat(result.error()).isTrue());
            assertThat(runtime.memory().workingMemory(ANN)).isEmpty();
        }
    }

    @Test
    void aTextThatIsTooLongIsAnError() {
        try (AgentRuntime runtime =
                runtime(InMemoryStore.keepingEndedRuns(), WorkingMemoryTest::template, edits("", "x".repeat(17_000)))) {
            say(runtime, "ann", "monday", "Note this.");

            assertThat(requests.getLast().messages().getLast().toolResults())
                    .singleElement()
                    .satisfies(result -> assertThat(result.output()).contains("16384"));
            assertThat(runtime.memory().workingMemory(ANN)).isEmpty();
            assertThatThrownBy(() -> runtime.memory().editWorkingMemory(ANN, text -> "x".repeat(17_000), "k"))
                    .isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void aSchemaHoldsForTheWholeObject() {
        Consumer<Memory.Builder> schema = memory -> memory.workingMemory(WorkingMemory.schema(Profile.class));
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                schema,
                Turn.calls(TOOL, Map.of("changes", Map.of("name", "Ann", "interests", List.of("ships")))),
                Turn.calls(TOOL, Map.of("changes", Map.of("interests", "no list"))),
                Turn.calls(TOOL, Map.of("changes", Map.of("interests", List.of("dogs")))))) {
            say(runtime, "ann", "monday", "I am Ann and like ships. No, dogs.");

            List<Message> messages = requests.getLast().messages();
            assertThat(messages.stream().flatMap(message -> message.toolResults().stream()))
                    .extracting(result -> result.error())
                    .containsExactly(false, true, false);
            assertThat(runtime.memory().workingMemory(ANN))
                    .get()
                    .extracting(text -> Json.parse(text.text()).canonical())
                    .isEqualTo(Json.parse("{\"interests\":[\"dogs\"],\"name\":\"Ann\"}")
                            .canonical());
        }
    }

    /** Otherwise an agent that has got a schema could never write again for those whose text is older. */
    @ParameterizedTest
    @ValueSource(strings = {"- Name: Ann", "", "[1]", "{\"name\": "})
    void aTextFromBeforeTheSchemaIsReplacedByAnObject(String before) {
        Consumer<Memory.Builder> schema = memory -> memory.workingMemory(WorkingMemory.schema(Profile.class));
        try (Store store = JdbcStore.sqlite(folder.resolve("store.db"));
                AgentRuntime runtime = runtime(
                        store,
                        schema,
                        Turn.calls(TOOL, Map.of("changes", Map.of("name", "Ann", "interests", List.of("ships")))))) {
            WorkingMemoryRevision earlier = runtime.memory().editWorkingMemory(ANN, text -> before, "k");
            say(runtime, "ann", "monday", "I am Ann and like ships.");

            assertThat(requests.getFirst().messages().stream().flatMap(message -> message.toolResults().stream()))
                    .extracting(result -> result.error())
                    .containsExactly(false);
            assertThat(runtime.memory().workingMemory(ANN))
                    .get()
                    .extracting(text -> Json.parse(text.text()).as(Profile.class))
                    .isEqualTo(new Profile("Ann", List.of("ships")));
            assertThat(runtime.memory().undo(ANN, earlier.revision()).text()).isEqualTo(before);
        }
    }

    @Test
    void aTemplateHasTheBoundOfTheText() {
        assertThat(WorkingMemory.template("x".repeat(16_384)).markdown()).isPresent();
        assertThatThrownBy(() -> WorkingMemory.template("\u00e9".repeat(8_193)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("16386");
    }

    @Test
    void aThreadHasATextOfItsOwn() {
        Consumer<Memory.Builder> ofThread = memory ->
                memory.workingMemory(WorkingMemory.template("- Topic:").scope(Scope.THREAD));
        try (AgentRuntime runtime =
                runtime(InMemoryStore.keepingEndedRuns(), ofThread, edits("- Topic:", "- Topic: ships"))) {
            runtime.agent("lead").generate("Ships!", o -> o.thread("one"));
            runtime.agent("lead").generate("Hello", o -> o.thread("two"));
            assertThat(recalled()).contains("- Topic:\n").doesNotContain("ships");
            runtime.agent("lead").generate("Hello", o -> o.thread("one"));
            assertThat(recalled()).contains("- Topic: ships");
            assertThat(runtime.memory().workingMemory(ScopeRef.thread(ThreadOwner.of(null), "one")))
                    .isPresent();
            assertThat(runtime.threads().delete(ThreadOwner.of(null), "one")).isTrue();
            assertThat(runtime.memory().workingMemory(ScopeRef.thread(ThreadOwner.of(null), "one")))
                    .isEmpty();
        }
    }

    @Test
    void theApplicationEditsAndTakesBack() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), WorkingMemoryTest::template)) {
            assertThat(runtime.memory()
                            .editWorkingMemory(ANN, text -> text + "one", "first")
                            .revision())
                    .isEqualTo(1);
            assertThat(runtime.memory()
                            .editWorkingMemory(ANN, text -> text + ", two", "second")
                            .text())
                    .isEqualTo("one, two");
            assertThat(runtime.memory()
                            .editWorkingMemory(ANN, text -> text + ", two", "second")
                            .revision())
                    .isEqualTo(2);
            assertThat(runtime.memory().undo(ANN, 1).text()).isEqualTo("one");
            assertThat(runtime.memory().workingMemory(ANN).orElseThrow().revision())
                    .isEqualTo(3);
            assertThatThrownBy(() -> runtime.memory().undo(ANN, 9)).isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void aRunThatOnlyReadsSeesTheTextAndHasNoTool() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), WorkingMemoryTest::template)) {
            runtime.memory().editWorkingMemory(ANN, text -> "- Name: Ann", "key");
            runtime.agent("lead")
                    .generate("Who am I?", o -> o.thread("t").resource("ann").memory(memory -> memory.readOnly()));

            assertThat(recalled()).contains("- Name: Ann").doesNotContain(TOOL);
            assertThat(requests.getLast().tools()).isEmpty();
        }
    }

    @Test
    void theToolIsOfferedOnAThreadOnly() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), WorkingMemoryTest::template)) {
            say(runtime, "ann", "t", "Hello");
            assertThat(requests.getLast().tools())
                    .extracting(tool -> tool.name())
                    .containsExactly(TOOL);
            runtime.agent("lead").generate("Hello");
            assertThat(requests.getLast().tools()).isEmpty();
        }
    }

    @Test
    void eightConversationsAtOnceLoseNoNote() throws InterruptedException {
        int writers = 8;
        int edits = 5;
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(folder.resolve("runs.db")), WorkingMemoryTest::template)) {
            List<Thread> threads = IntStream.range(0, writers)
                    .mapToObj(writer -> Thread.ofVirtual().start(() -> {
                        for (int edit = 0; edit < edits; edit++) {
                            String note = "[" + writer + "." + edit + "]";
                            boolean stored = false;
                            while (!stored) {
                                try {
                                    runtime.memory().editWorkingMemory(ANN, text -> text + note, note);
                                    stored = true;
                                } catch (MemoryException e) {
                                    assertThat(e.retryable()).isTrue();
                                }
                            }
                        }
                    }))
                    .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            WorkingMemoryRevision newest = runtime.memory().workingMemory(ANN).orElseThrow();
            assertThat(newest.revision()).isEqualTo((long) writers * edits);
            for (int writer = 0; writer < writers; writer++) {
                for (int edit = 0; edit < edits; edit++) {
                    assertThat(newest.text()).containsOnlyOnce("[" + writer + "." + edit + "]");
                }
            }
        }
    }
}
