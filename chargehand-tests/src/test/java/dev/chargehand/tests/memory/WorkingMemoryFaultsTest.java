package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.Wakeups;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.tests.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An edit that is stored is never reported as one that was not made, so that no caller makes it twice. */
class WorkingMemoryFaultsTest extends MemoryFixture {

    private static final ScopeRef ANN = ScopeRef.resource("ann");
    private static final String NOTE = "[likes dogs]";

    /** More appends than the run makes. */
    private static final int MANY = 100;

    private static Memory.Builder notes(Memory.Builder memory) {
        return memory.workingMemory(WorkingMemory.template("Notes:"));
    }

    private AgentRuntime runtime(Store store, Turn... turns) {
        return runtime(
                store,
                WorkingMemoryFaultsTest::notes,
                agent -> agent,
                settings -> settings.wakeups(Wakeups.off()).closeGrace(Duration.ZERO),
                turns);
    }

    private Turn[] noting() {
        return new Turn[] {
            Turn.calls(WorkingMemory.TOOL, Map.of("edits", List.of(Map.of("find", "", "write", NOTE)))), answers()[0]
        };
    }

    private void assertReportedAsStored() {
        assertThat(requests.getLast().messages().getLast().toolResults())
                .singleElement()
                .satisfies(result -> {
                    assertThat(result.output()).contains("Stored as revision 1.");
                    assertThat(result.error()).isFalse();
                });
        assertThat(events(RunEvent.WorkingMemoryUpdate.class))
                .extracting(RunEvent.WorkingMemoryUpdate::revision)
                .containsExactly(1L);
    }

    /** Return a store that takes nothing of runs any more after it has stored an edit. */
    private static Store goneAfterAnEdit(Store store) {
        FaultyStore dying = FaultyStore.over(store);
        return withMemory(dying, (call, method) -> {
            Object result = call.call();
            if (method.equals("edit")) {
                int appends = dying.count(FaultyStore.Operation.APPEND);
                for (int nth = 1; nth <= MANY; nth++) {
                    dying.failOn(FaultyStore.Operation.APPEND, appends + nth);
                }
            }
            return result;
        });
    }

    @Test
    void anEditThatADeadProcessMadeIsMadeAlsoIfTheTextHasNoRoomForItAgain() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime dead = runtime(goneAfterAnEdit(store), noting())) {
            assertThatThrownBy(() -> dead.agent("lead")
                            .generate("I like dogs.", o -> o.thread("t").resource("ann")))
                    .isInstanceOf(RunFailedException.class);
        }
        try (AgentRuntime other = runtime(store)) {
            WorkingMemoryRevision full = other.memory()
                    .editWorkingMemory(
                            ANN, text -> text + "x".repeat(WorkingMemory.MOST_BYTES - text.length()), "full");
            assertThat(other.resume(store.list(RunFilter.ROOTS).getFirst().runId(), o -> {})
                            .result()
                            .status())
                    .isEqualTo(RunStatus.COMPLETED);

            assertReportedAsStored();
            assertThat(other.memory().workingMemory(ANN)).contains(full);
            assertThat(full.text()).containsOnlyOnce(NOTE);
        }
    }

    @Test
    void anApplicationsEditIsMadeAlsoIfItDoesNotFitAgain() {
        FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns())
                .failAfter(FaultyStore.Operation.EDIT_WORKING_MEMORY, 1)
                .failAfter(FaultyStore.Operation.EDIT_WORKING_MEMORY, 2);
        String most = "x".repeat(WorkingMemory.MOST_BYTES - 100);
        try (AgentRuntime runtime = runtime(store)) {
            assertThatThrownBy(() -> runtime.memory().editWorkingMemory(ANN, text -> text + most, "key"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("not answered");

            WorkingMemoryRevision again = runtime.memory().editWorkingMemory(ANN, text -> text + most, "key");
            assertThat(again.revision()).isEqualTo(1);
            assertThat(again.text()).isEqualTo(most);
            assertThat(runtime.memory().workingMemory(ANN)).contains(again);
        }
    }
}
