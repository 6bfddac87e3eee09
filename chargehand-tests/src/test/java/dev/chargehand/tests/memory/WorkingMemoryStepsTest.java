package dev.chargehand.tests.memory;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerContext;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.tests.Turn;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a step that edits the working memory reports, and when scorers look at its text. */
class WorkingMemoryStepsTest extends MemoryFixture {

    private static final ScopeRef ANN = ScopeRef.resource("ann");

    @TempDir
    Path folder;

    private static Consumer<Memory.Builder> notes(Scope scope) {
        return memory -> memory.workingMemory(WorkingMemory.template("Notes:").scope(scope));
    }

    private static Turn edit(String find, String write) {
        return Turn.calls(WorkingMemory.TOOL, Map.of("edits", List.of(Map.of("find", find, "write", write))));
    }

    private AgentRuntime playing(Store store, Scope scope, Turn... turns) {
        Turn[] all = new Turn[turns.length + 1];
        System.arraycopy(turns, 0, all, 0, turns.length);
        all[turns.length] = answers()[0];
        return runtime(store, notes(scope), agent -> agent, settings -> settings, all);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEditIsReportedWithItsRevision(boolean file) {
        Store store = file ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime =
                playing(store, Scope.RESOURCE, edit("", " Ann."), Turn.says("Hi."), edit("", " Oslo."))) {
            say(runtime, "ann", "monday", "I am Ann.");
            RunResult second = say(runtime, "ann", "tuesday", "I live in Oslo.");

            assertThat(events(RunEvent.WorkingMemoryUpdate.class))
                    .extracting(RunEvent.WorkingMemoryUpdate::revision, RunEvent.WorkingMemoryUpdate::scope)
                    .containsExactly(tuple(1L, Scope.RESOURCE), tuple(2L, Scope.RESOURCE));
            RunEvent.WorkingMemoryUpdate event =
                    events(RunEvent.WorkingMemoryUpdate.class).getLast();
            assertThat(event.origin().id()).isPresent();
            assertThat(event.callId())
                    .isEqualTo(events(RunEvent.ToolResult.class).getLast().callId());
            assertThat(event.toJson().text())
                    .contains("\"type\":\"working-memory-update\"", "\"revision\":2", "\"scope\":\"resource\"");
            assertThat(runtime.history(second.runId()))
                    .filteredOn(RunEvent.WorkingMemoryUpdate.class::isInstance)
                    .singleElement()
                    .satisfies(told -> assertThat(told.origin().id())
                            .isEqualTo(event.origin().id()));
            assertThatEvents(events).arePaired();
        }
    }

    @Test
    void theScopeIsThatOfTheText() {
        try (AgentRuntime runtime = playing(InMemoryStore.keepingEndedRuns(), Scope.THREAD, edit("", " Ann."))) {
            say(runtime, "ann", "monday", "I am Ann.");

            assertThat(events(RunEvent.WorkingMemoryUpdate.class))
                    .extracting(RunEvent.WorkingMemoryUpdate::scope)
                    .containsExactly(Scope.THREAD);
        }
    }

    @Test
    void anEditThatFailedIsNotReported() {
        try (AgentRuntime runtime =
                playing(InMemoryStore.keepingEndedRuns(), Scope.RESOURCE, edit("missing", "more"))) {
            say(runtime, "ann", "monday", "I am Ann.");

            assertThat(events(RunEvent.ToolError.class)).hasSize(1);
            assertThat(events(RunEvent.WorkingMemoryUpdate.class)).isEmpty();
        }
    }

    @Test
    void editsOfOneStepMakeARevisionEach() {
        Turn four = edit("", " a.").and(edit("", " b.")).and(edit("", " c.")).and(edit("", " d."));
        try (AgentRuntime runtime = playing(InMemoryStore.keepingEndedRuns(), Scope.RESOURCE, four)) {
            say(runtime, "ann", "monday", "Note all of it.");

            assertThat(events(RunEvent.WorkingMemoryUpdate.class))
                    .extracting(RunEvent.WorkingMemoryUpdate::revision)
                    .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
            assertThat(runtime.memory().workingMemory(ANN).orElseThrow().text()).contains(" a.", " b.", " c.", " d.");
            assertThatEvents(events).arePaired();
        }
    }

    /** Another agent's tool may have the name: it has no working memory. */
    @Test
    void aToolOfTheSameNameReportsNothing() {
        Tool other = Tool.builder(WorkingMemory.TOOL, "Something else.")
                .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
                .handler((in, context) -> Map.of("revision", 7, "scope", "resource"))
                .build();
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                memory -> memory.semanticRecall(recall -> recall.by(embeddings)),
                agent -> agent.tools(other),
                settings -> settings,
                Turn.calls(WorkingMemory.TOOL, Map.of()),
                answers()[0])) {
            say(runtime, "ann", "monday", "Hello");

            assertThat(events(RunEvent.ToolResult.class)).hasSize(1);
            assertThat(events(RunEvent.WorkingMemoryUpdate.class)).isEmpty();
        }
    }

    private static RunResult scored(AgentRuntime runtime, Function<ScorerContext, Score> scorer) {
        return runtime.agent("lead").generate("I am Ann.", o -> o.thread("monday")
                .resource("ann")
                .completion(Completion.all(Scorer.of("greets", scorer::apply))));
    }

    private static Score greets(ScorerContext context) {
        return context.text().startsWith("Hello") ? Score.pass() : Score.fail("No greeting.");
    }

    @Test
    void scorersSeeATextBesideEditsAsAnAnswer() {
        Turn step = Turn.says("Hello Ann.").and(edit("", " Ann."));
        try (AgentRuntime runtime = playing(InMemoryStore.keepingEndedRuns(), Scope.RESOURCE, step)) {
            RunResult result = scored(runtime, WorkingMemoryStepsTest::greets);

            assertThat(result.stopReason().code()).isEqualTo("task-complete");
            assertThat(result.text()).isEqualTo("Hello Ann.");
            assertThat(requests).isEmpty();
            assertThat(runtime.memory().workingMemory(ANN).orElseThrow().text()).contains("Ann");
        }
    }

    @Test
    void aTextThatScorersRejectIsFollowedByAnother() {
        Turn step = Turn.says("Well.").and(edit("", " Ann."));
        try (AgentRuntime runtime =
                playing(InMemoryStore.keepingEndedRuns(), Scope.RESOURCE, step, Turn.says("Hello Ann."))) {
            RunResult result = scored(runtime, WorkingMemoryStepsTest::greets);

            assertThat(result.stopReason().code()).isEqualTo("task-complete");
            assertThat(result.text()).isEqualTo("Hello Ann.");
            assertThat(events(RunEvent.ScoringComplete.class)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"without text", "failed edit"})
    void otherStepsWithEditsAreWork(String kind) {
        Turn step = kind.equals("without text")
                ? edit("", " Ann.")
                : Turn.says("Hello Ann.").and(edit("missing", " Ann."));
        try (AgentRuntime runtime =
                playing(InMemoryStore.keepingEndedRuns(), Scope.RESOURCE, step, Turn.says("Hello again."))) {
            RunResult result = scored(runtime, WorkingMemoryStepsTest::greets);

            assertThat(result.text()).isEqualTo("Hello again.");
            assertThat(events(RunEvent.ScoringComplete.class)).hasSize(1);
        }
    }

    @Test
    void withoutScorersTheModelAnswersAfterItsEdits() {
        Turn step = Turn.says("Hello Ann.").and(edit("", " Ann."));
        try (AgentRuntime runtime = playing(InMemoryStore.keepingEndedRuns(), Scope.RESOURCE, step)) {
            assertThat(say(runtime, "ann", "monday", "I am Ann.").text()).isEqualTo("Noted.");
        }
    }
}
