package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Ancestor;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Scripts;
import dev.chargehand.tests.Turn;
import dev.chargehand.tests.Turns;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sub-agent sees the working memory of the root run if its definition says so, and cannot change it. */
class RootNotesTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final ScopeRef NOTES = ScopeRef.resource("ann");

    @TempDir
    Path folder;

    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
    private final List<RunEvent> events = new CopyOnWriteArrayList<>();
    private Consumer<Memory.Builder> root = memory -> memory.workingMemory(WorkingMemory.template("Notes:"));
    private Consumer<Memory.Builder> diver = memory -> memory.readsWorkingMemoryOf(Ancestor.ROOT);

    private static Turn notes(String text) {
        return Turn.calls(WorkingMemory.TOOL, Map.of("edits", List.of(Map.of("find", "", "write", text))));
    }

    private Turn seen(String... calls) {
        return Turn.answers(request -> {
            requests.add(request);
            List<ModelResponse.RequestedCall> requested = new ArrayList<>();
            for (String call : calls) {
                requested.add(new ModelResponse.RequestedCall(call, call, "{}"));
            }
            return new ModelResponse(
                    requested.isEmpty() ? "Sound." : "",
                    "",
                    requested,
                    requested.isEmpty() ? FinishReason.STOP : FinishReason.TOOL_CALLS,
                    Usage.NONE);
        });
    }

    private AgentRuntime runtime(Store store, Turns... turns) {
        Script script = Scripts.of(turns);
        Tool look = Tool.builder("look", "Looks.")
                .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
                .requiresApproval()
                .handler((in, context) -> "seen")
                .build();
        Agent diving = Agent.builder("diver")
                .description("Dives.")
                .model(script.modelFor("diver"))
                .memory(diver)
                .tools(look)
                .build();
        Agent mate = Agent.builder("mate")
                .description("Sends divers.")
                .model(script.modelFor("mate"))
                .agents(diving)
                .build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.own())
                .anyoneMayApprove()
                .addListener(events::add)
                .agents(
                        diving,
                        Agent.builder("lead")
                                .model(script.modelFor("lead"))
                                .memory(root)
                                .agents(mate, diving)
                                .build())
                .build();
    }

    private static RunResult go(AgentRuntime runtime) {
        return runtime.agent("lead").generate("Go.", o -> o.thread("monday").resource("ann"));
    }

    private String shown() {
        List<String> texts = new ArrayList<>();
        for (Message message : requests.getLast().messages()) {
            if (message.internal() && message.id().contains(".memory.")) {
                texts.add(message.text());
            }
        }
        return String.join("\n", texts);
    }

    private Turns leadNotesAndDelegates() {
        return Turns.of("lead", notes(" Call her Ann."), Turn.delegates("diver", "Dive."), Turn.says("Done."));
    }

    @ParameterizedTest
    @CsvSource({"RESOURCE, false", "RESOURCE, true", "THREAD, false", "THREAD, true"})
    void itSeesWhatTheRootHasNoted(Scope scope, boolean file) {
        root = memory -> memory.workingMemory(WorkingMemory.template("Notes:").scope(scope));
        Store store = file ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, leadNotesAndDelegates(), Turns.of("diver", seen()))) {
            assertThat(go(runtime).text()).isEqualTo("Done.");

            assertThat(shown())
                    .contains("You cannot change it", "<working-memory-", "of=\"root\"", "Notes:\n Call her Ann.");
            assertThat(requests.getLast().tools())
                    .extracting(tool -> tool.name())
                    .containsExactly("look");
        }
    }

    @Test
    void aSubAgentThatDoesNotReadItSeesNothing() {
        diver = memory -> {};
        try (AgentRuntime runtime =
                runtime(InMemoryStore.keepingEndedRuns(), leadNotesAndDelegates(), Turns.of("diver", seen()))) {
            assertThat(go(runtime).text()).isEqualTo("Done.");

            assertThat(requests.toString()).doesNotContain("Call her Ann");
        }
    }

    @Test
    void theRootIsTheFirstOfThreeAgents() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                Turns.of("lead", notes(" Call her Ann."), Turn.delegates("mate", "Send one."), Turn.says("Done.")),
                Turns.of("mate", Turn.delegates("diver", "Dive."), Turn.says("Sent.")),
                Turns.of("diver", seen()))) {
            assertThat(go(runtime).text()).isEqualTo("Done.");

            assertThat(shown()).contains("Notes:\n Call her Ann.");
        }
    }

    @ParameterizedTest
    @CsvSource({"no memory", "nothing noted", "no thread"})
    void aRootWithoutNotesShowsNone(String kind) {
        if (kind.equals("no memory")) {
            root = memory -> {};
        }
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                Turns.of("lead", Turn.delegates("diver", "Dive."), Turn.says("Done.")),
                Turns.of("diver", seen()))) {
            RunResult result = kind.equals("no thread") ? runtime.agent("lead").generate("Go.") : go(runtime);

            assertThat(result.text()).isEqualTo("Done.");
            assertThat(shown()).isEmpty();
            assertThat(events).noneMatch(RunEvent.MemoryProblem.class::isInstance);
        }
    }

    @Test
    void asARootItselfItReadsNothing() {
        diver = memory -> memory.workingMemory(WorkingMemory.template("Own:")).readsWorkingMemoryOf(Ancestor.ROOT);
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), Turns.of("diver", seen()))) {
            assertThat(runtime.memory()
                            .editWorkingMemory(NOTES, text -> "Own: the keel", "k")
                            .revision())
                    .isEqualTo(1);
            RunResult result = runtime.agent("diver")
                    .generate("Dive.", o -> o.thread("monday").resource("ann"));

            assertThat(result.text()).isEqualTo("Sound.");
            assertThat(shown()).contains("Own:").doesNotContain("You cannot change it");
        }
    }

    @Test
    void itsOwnNotesStayApart() {
        diver = memory -> memory.workingMemory(WorkingMemory.template("Own:")).readsWorkingMemoryOf(Ancestor.ROOT);
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                leadNotesAndDelegates(),
                Turns.of("diver", notes(" the keel"), seen()))) {
            assertThat(go(runtime).text()).isEqualTo("Done.");

            assertThat(shown()).contains("Own:", "Notes:\n Call her Ann.");
            assertThat(shown().indexOf("Own:")).isLessThan(shown().indexOf("Notes:"));
            assertThat(runtime.memory().workingMemory(NOTES).orElseThrow().text())
                    .isEqualTo("Notes:\n Call her Ann.");
            assertThat(runtime.memory()
                            .workingMemory(new ScopeRef(new ThreadOwner("ann", "lead/diver"), null))
                            .orElseThrow()
                            .text())
                    .contains("the keel");
        }
    }

    @Test
    void aResumedRunSeesTheSameRevision() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        RunResult waiting;
        try (AgentRuntime runtime = runtime(store, leadNotesAndDelegates(), Turns.of("diver", seen("look")))) {
            waiting = go(runtime);
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        }
        String before = shown();
        root = memory -> {}; // the definition of the root may have changed as well
        try (AgentRuntime runtime = runtime(store, Turns.of("lead", Turn.says("Done.")), Turns.of("diver", seen()))) {
            assertThat(runtime.memory()
                            .editWorkingMemory(NOTES, text -> text + " Or Anna.", "k")
                            .revision())
                    .isEqualTo(2);
            RunResult result = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();

            assertThat(result.text()).isEqualTo("Done.");
            assertThat(requests).hasSize(2);
            assertThat(shown()).isEqualTo(before).contains("Call her Ann.");
            assertThat(events).noneMatch(RunEvent.MemoryProblem.class::isInstance);
        }
    }

    @Test
    void aRevisionThatIsNotKeptAnyMoreIsReplacedByTheNewest() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(), leadNotesAndDelegates(), Turns.of("diver", seen("look"), seen()))) {
            RunResult waiting = go(runtime);
            for (int edit = 0; edit < WorkingMemoryRevision.KEPT; edit++) {
                String note = "Edit " + edit + ".";
                WorkingMemoryRevision ignored = runtime.memory().editWorkingMemory(NOTES, text -> note, note);
            }
            RunResult result = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();

            assertThat(result.text()).isEqualTo("Done.");
            assertThat(shown()).contains("Edit 19.").doesNotContain("Ann");
            assertThat(events)
                    .filteredOn(RunEvent.MemoryProblem.class::isInstance)
                    .singleElement()
                    .satisfies(problem -> assertThat(((RunEvent.MemoryProblem) problem).problem())
                            .startsWith("memory-changed"));
        }
    }

    @Test
    void aThreadWhoseRunsAreCancelledIsDeletedWithItsNotes() {
        root = memory -> memory.workingMemory(WorkingMemory.template("Notes:").scope(Scope.THREAD));
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                Turns.of(
                        "lead",
                        notes(" Call her Ann."),
                        Turn.delegates("diver", "Dive."),
                        Turn.delegates("diver", "Dive again."),
                        Turn.says("Done.")),
                Turns.of("diver", seen("look"), seen(), seen()))) {
            assertThat(go(runtime).status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(shown()).contains("Call her Ann.");
            assertThatThrownBy(() -> runtime.threads().delete(ANN, "monday"))
                    .isInstanceOfSatisfying(
                            ThreadBusyException.class, e -> assertThat(e.code()).isEqualTo("resource-busy"));
            assertThat(runtime.threads().delete(ANN, "monday", d -> d.cancelRuns()))
                    .isTrue();
            RunResult again = go(runtime);

            assertThat(again.text()).isEqualTo("Done.");
            assertThat(shown()).isEmpty();
        }
    }
}
