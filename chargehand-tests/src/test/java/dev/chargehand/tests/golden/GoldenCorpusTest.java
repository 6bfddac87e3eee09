package dev.chargehand.tests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every run that a released version has saved is read, and goes on as it would have gone on then. */
class GoldenCorpusTest {

    @TempDir
    Path folder;

    static Stream<Saved> corpus() {
        return Saved.files(Saved.CORPUS).stream().map(Saved::read);
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void aSavedRunGoesOnInMemory(Saved saved) {
        goesOn(saved, InMemoryStore.keepingEndedRuns());
    }

    /**
     * Every sixth run, and of conversations, which take longer, every twelfth; all with {@code -Dchargehand.everyRecording=true}.
     * What differs from a store in memory has tests of its own.
     */
    static Stream<Saved> sample() {
        List<Saved> all = corpus().toList();
        boolean every = Boolean.getBoolean("chargehand.everyRecording");
        return IntStream.range(0, all.size())
                .filter(place -> every || place % (all.get(place).asked().isConversation() ? 12 : 6) == 0)
                .mapToObj(all::get);
    }

    @ParameterizedTest
    @MethodSource("sample")
    void aSavedRunGoesOnInSqlite(Saved saved) {
        goesOn(saved, JdbcStore.sqlite(folder.resolve("runs.db")));
    }

    private static void goesOn(Saved saved, Store store) {
        assertThat(Going.on(saved.recording(), saved.readers(), saved.asked(), store))
                .as(saved.name())
                .isEqualTo(saved.endings());
    }

    @Test
    void theReasonsOfSavedApprovalsAreInTheHistory() {
        Saved saved = corpus().filter(each -> each.name().equals("approved-with-reason"))
                .findFirst()
                .orElseThrow();
        Store store = InMemoryStore.keepingEndedRuns();
        saved.recording().restore(store);
        try (TestRuntime test = TestRuntime.builder(Crew.script())
                .store(store)
                .agents(Crew.agents().toArray(Agent[]::new))
                .build()) {
            assertThat(test.runtime().history(saved.recording().root()))
                    .filteredOn(RunEvent.ToolCallAnswered.class::isInstance)
                    .extracting(event -> ((RunEvent.ToolCallAnswered) event).reason())
                    .containsExactly("Ticket 7.", "Ticket 7.");
        }
    }

    @Test
    void theCorpusHasEveryFactStatusAndStopReason() {
        Set<String> facts = new TreeSet<>();
        Set<RunStatus> statuses = new HashSet<>();
        Set<String> stops = new TreeSet<>();
        corpus().forEach(saved -> {
            saved.recording()
                    .runs()
                    .forEach(run -> run.facts().stream().map(FactEntry::type).forEach(facts::add));
            RunRecord root = saved.recording().runs().getFirst().record();
            statuses.add(root.status());
            stops.add(saved.endings().getLast().stop());
        });
        assertThat(statuses).containsExactlyInAnyOrder(RunStatus.values());
        assertThat(facts)
                .containsExactly(
                        "answered",
                        "begun",
                        "call-closed",
                        "call-decided",
                        "call-opened",
                        "call-parked",
                        "call-retried",
                        "planned",
                        "processed",
                        "resumed",
                        "round-closed",
                        "said",
                        "started",
                        "step-closed",
                        "stopped",
                        "suspended");
        assertThat(stops)
                .containsExactly(
                        "answer-incomplete",
                        "bailed",
                        "budget-exhausted",
                        "cancelled",
                        "content-filtered",
                        "failed",
                        "finished",
                        "limit-reached",
                        "max-steps-reached",
                        "output-truncated",
                        "stop-condition-met",
                        "stopped-by-hook",
                        "task-complete",
                        "task-incomplete",
                        "tripwire");
    }
}
