package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.tests.SteppedTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prune deletes what memory has not used for 30 days. */
class UnusedMemoryTest extends MemoryFixture {

    private static final ScopeRef ANN = ScopeRef.resource("ann");

    private final SteppedTime clock = new SteppedTime();

    @TempDir
    Path folder;

    private void memory(Memory.Builder memory) {
        memory.semanticRecall(
                        recall -> recall.by(embeddings).scope(Scope.RESOURCE).threshold(0.2))
                .workingMemory(WorkingMemory.template("Notes:"));
    }

    private AgentRuntime runtime(Store store) {
        return runtime(store, this::memory, agent -> agent, settings -> settings.timeSource(clock));
    }

    private static List<String> found(AgentRuntime runtime) {
        return runtime.memory().search("lead", ANN, "My dog Fido", 4).stream()
                .map(FoundMessage::threadId)
                .distinct()
                .toList();
    }

    /** The store notes uses by the time of its machine. */
    private void pass(Duration sinceNow) {
        clock.step(Duration.between(clock.now(), Instant.now().plus(sinceNow)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void vectorsOfAModelThatIsUsedAgainAreMadeAgain(boolean file) {
        Store store = file ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            say(runtime, "ann", "a", "My dog Fido likes apples.");
            pass(Duration.ofDays(29));
            assertThat(runtime.operator().prune(Duration.ofDays(1_000))).isZero();
            assertThat(found(runtime)).containsExactly("a");

            pass(Duration.ofDays(31));
            assertThat(runtime.operator().prune(Duration.ofDays(1_000))).isZero();
            assertThat(found(runtime)).isEmpty();

            say(runtime, "ann", "a", "What else?");
            assertThat(found(runtime)).containsExactly("a");
        }
    }

    @Test
    void aKeyOfTheApplicationCountsForThirtyDays() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns())) {
            pass(Duration.ZERO);
            int edits = WorkingMemoryRevision.KEPT + 1;
            for (int i = 1; i <= edits; i++) {
                assertThat(edit(runtime, "key " + i)).isEqualTo(i);
            }
            pass(Duration.ofDays(29));
            assertThat(runtime.operator().prune(Duration.ofDays(1_000))).isZero();
            assertThat(edit(runtime, "key 1")).isEqualTo(1);

            pass(Duration.ofDays(31));
            assertThat(runtime.operator().prune(Duration.ofDays(1_000))).isZero();
            assertThat(edit(runtime, "key 1")).isEqualTo(edits + 1);
            assertThat(edit(runtime, "key 2")).as("its text is kept").isEqualTo(2);
        }
    }

    private static long edit(AgentRuntime runtime, String key) {
        return runtime.memory().editWorkingMemory(ANN, text -> text + ".", key).revision();
    }
}
