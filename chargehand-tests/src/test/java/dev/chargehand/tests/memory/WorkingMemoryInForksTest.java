package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fork goes on with the working memory that its thread had when the step was over. */
class WorkingMemoryInForksTest extends MemoryFixture {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    @TempDir
    Path folder;

    private static void ofThread(Memory.Builder memory) {
        memory.workingMemory(WorkingMemory.template("Notes:").scope(Scope.THREAD));
    }

    private static Turn add(String words) {
        return Turn.calls(WorkingMemory.TOOL, Map.of("edits", List.of(Map.of("find", "", "write", words))));
    }

    private AgentRuntime playing(Store store, Turn... turns) {
        Turn[] all = new Turn[turns.length + 1];
        System.arraycopy(turns, 0, all, 0, turns.length);
        all[turns.length] = answers()[0];
        return runtime(store, WorkingMemoryInForksTest::ofThread, agent -> agent, settings -> settings, all);
    }

    private static String notes(AgentRuntime runtime, RunResult run) {
        return notes(runtime, run.threadId().orElseThrow());
    }

    private static String notes(AgentRuntime runtime, String thread) {
        return runtime.memory()
                .workingMemory(ScopeRef.thread(ANN, thread))
                .map(WorkingMemoryRevision::text)
                .map(text -> text.replaceAll("\\s+", " "))
                .orElse("none");
    }

    private static RunResult fork(AgentRuntime runtime, RunId run, int step) {
        return runtime.fork(run, step, o -> {}).result();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itHasTheNotesOfTheStepAndGoesOnWithThem(boolean file) {
        Store store = file ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime =
                playing(store, add(" a."), Turn.says("Hi."), add(" b."), add(" c."), Turn.says("Hi."), add(" fork."))) {
            RunResult first = say(runtime, "ann", "t", "One.");
            RunResult run = say(runtime, "ann", "t", "Two.");
            assertThat(notes(runtime, "t")).isEqualTo("Notes: a. b. c.");

            RunResult fork = fork(runtime, run.runId(), 1);
            assertThat(notes(runtime, fork)).isEqualTo("Notes: a. b. fork.");
            assertThat(recalled().replaceAll("\\s+", " ")).contains("Notes: a.").doesNotContain("b.");
            assertThat(notes(runtime, fork(runtime, run.runId(), 0))).isEqualTo("Notes: a.");
            assertThat(recalled().replaceAll("\\s+", " ")).contains("Notes: a.").doesNotContain("b.");
            assertThat(notes(runtime, fork(runtime, run.runId(), 2))).isEqualTo("Notes: a. b. c.");
            assertThat(notes(runtime, fork(runtime, first.runId(), 1))).isEqualTo("Notes: a.");
            assertThat(notes(runtime, fork(runtime, first.runId(), 0))).isEqualTo("none");

            RunResult forkOfTheFork = fork(runtime, fork.runId(), 2);
            assertThat(notes(runtime, forkOfTheFork)).isEqualTo("Notes: a. b. fork.");
            RunResult more = runtime.agent("lead")
                    .generate("More.", o -> o.thread(fork.threadId().orElseThrow())
                            .resource("ann"));
            assertThat(more.text()).isEqualTo("Noted.");
            assertThat(recalled().replaceAll("\\s+", " ")).contains("Notes: a. b. fork.");
            assertThat(notes(runtime, "t")).isEqualTo("Notes: a. b. c.");
            assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
        }
    }

    @Test
    void itDoesNotNeedTheThreadAnyMore() {
        Path file = folder.resolve("runs.db");
        RunId fork;
        try (AgentRuntime runtime =
                playing(JdbcStore.sqlite(file), add(" a."), Turn.says("Hi."), add(" b."), Turn.says("Hi."))) {
            RunResult first = say(runtime, "ann", "t", "One.");
            assertThat(first.text()).isEqualTo("Hi.");
            RunResult run = say(runtime, "ann", "t", "Two.");
            fork = fork(runtime, run.runId(), 1).runId();
        }
        try (AgentRuntime runtime = playing(JdbcStore.sqlite(file))) {
            assertThat(runtime.threads().delete(ANN, "t")).isTrue();
            assertThat(fork(runtime, fork, 1).text()).isEqualTo("Noted.");

            assertThat(recalled().replaceAll("\\s+", " ")).contains("Notes: a.");
            assertThat(runtime.history(fork)).noneMatch(RunEvent.MemoryProblem.class::isInstance);
            assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
        }
    }

    @Test
    void theNotesOfAResourceAreNotCopied() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                memory -> memory.workingMemory(WorkingMemory.template("Notes:").scope(Scope.RESOURCE)),
                agent -> agent,
                settings -> settings,
                add(" a."),
                Turn.says("Hi."),
                answers()[0])) {
            RunResult run = say(runtime, "ann", "t", "One.");
            assertThat(runtime.memory()
                            .editWorkingMemory(ScopeRef.thread(ANN, "t"), text -> "Other.", "k")
                            .revision())
                    .isEqualTo(1);

            assertThat(notes(runtime, fork(runtime, run.runId(), 1))).isEqualTo("none");
        }
    }
}
