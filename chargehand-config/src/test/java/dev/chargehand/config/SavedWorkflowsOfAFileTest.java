package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.replay.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every run of a workflow of an agents' file that a released version has saved goes on, and ends as it would have ended then. */
class SavedWorkflowsOfAFileTest {

    /** What the workflow gives for its input, wherever its process was killed. */
    private static final Json OUTPUT = Json.parse("""
            {"way":"Dear Ann and Dear Ann","both":{"left":"left and left","count":42},"last":{"output":"stamped Ann"}}
            """).canonical();

    @TempDir
    Path folder;

    static List<Path> corpus() throws IOException {
        try (var files = Files.walk(SavedWorkflow.FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void aSavedRunGoesOnInMemory(Path file) {
        goesOn(Recording.load(file), InMemoryStore.keepingEndedRuns());
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void aSavedRunGoesOnInSqlite(Path file) {
        goesOn(Recording.load(file), JdbcStore.sqlite(folder.resolve("runs.db")));
    }

    private static void goesOn(Recording recording, Store store) {
        recording.restore(store);
        Instant latest = recording.runs().stream()
                .map(run -> run.record().updatedAt())
                .max(Comparator.naturalOrder())
                .orElseThrow();
        try (SavedWorkflow saved = new SavedWorkflow(store, "later", latest.plus(Duration.ofMinutes(1)))) {
            RunResult result = saved.toTheEnd(
                    runtime -> runtime.resume(recording.root(), o -> {}).result());
            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(Json.parse(result.text()).canonical()).isEqualTo(OUTPUT);
        }
    }

    @Test
    void theCorpusHasRunsThatAreKilledThatWaitAndThatHaveEnded() throws IOException {
        Set<RunStatus> statuses = new TreeSet<>();
        Set<String> facts = new TreeSet<>();
        for (Path file : corpus()) {
            Recording recording = Recording.load(file);
            RunRecord root = recording.runs().getFirst().record();
            statuses.add(root.status());
            recording
                    .runs()
                    .forEach(run -> run.facts().stream().map(FactEntry::type).forEach(facts::add));
        }
        assertThat(statuses).containsExactly(RunStatus.RUNNING, RunStatus.SUSPENDED, RunStatus.COMPLETED);
        assertThat(facts)
                .containsExactly(
                        "call-closed",
                        "call-decided",
                        "call-opened",
                        "call-parked",
                        "planned",
                        "resumed",
                        "round-closed",
                        "started",
                        "suspended");
    }
}
