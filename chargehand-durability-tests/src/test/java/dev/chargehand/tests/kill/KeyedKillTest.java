package dev.chargehand.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.provider.LoopbackProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream with a key, whose process is killed with SIGKILL, is requested again in another process. */
class KeyedKillTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"before-append-1", "after-append-1", "after-effect", "before-append-11", "after-append-11"})
    void theRepeatedStreamIsThatOfTheOneRun(String moment) throws IOException {
        Path database = folder.resolve("runs.db");
        Path ledger = folder.resolve("ledger");
        Files.createFile(ledger);
        try (LoopbackProvider provider = LoopbackProvider.start()) {
            provider.fallback(Crew::play);
            List<String> told = KilledProcess.runAndKill(database, ledger, provider.baseUrl(), moment);
            try (AgentRuntime runtime = AgentRuntime.builder()
                    .store(JdbcStore.sqlite(database))
                    .providers(Crew.models(provider.baseUrl()))
                    .agents(Crew.supervisor(ledger, new Moment("none")))
                    .build()) {
                List<RunRecord> stored = runtime.runs(RunFilter.ROOTS);
                assertThat(stored)
                        .as("the key is stored with the first fact")
                        .hasSize(moment.endsWith("e-append-1") ? 0 : 1);
                try (RunStream again = runtime.agent("supervisor").stream(
                        "Go", o -> o.thread("t").resource("u").idempotencyKey("key"))) {
                    runtime.recover().await();
                    List<RunEvent> events = new ArrayList<>();
                    again.forEach(events::add);

                    assertThat(stored).allMatch(run -> run.runId().equals(again.runId()));
                    assertThat(events.getLast()).isInstanceOf(RunEvent.RunFinish.class);
                    assertThat(events.stream().flatMap(event -> event.origin().id().stream()))
                            .isSorted()
                            .doesNotHaveDuplicates();
                    assertThat(events.stream().map(RunEvent::runId)).containsAll(runsOf(told));
                    assertThat(again.result().status()).isEqualTo(RunStatus.COMPLETED);
                    assertThat(again.result().text()).isEqualTo(Crew.ANSWER);
                }
                assertThat(runtime.runs(RunFilter.ROOTS)).hasSize(1);
                assertThat(Files.readAllLines(ledger).stream().filter(line -> line.startsWith("book")))
                        .hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    private static List<RunId> runsOf(List<String> told) {
        return told.stream()
                .map(line -> Json.parse(line).at("/runId").flatMap(Json::string).orElseThrow())
                .map(RunId::new)
                .distinct()
                .toList();
    }
}
