package dev.chargehand.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.thread.ThreadOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills a process with SIGKILL in the middle of a delegated run and goes on in this one.
 *
 * <p>A run makes eleven appends: before and after each is a moment, and so are those around an effect. The build takes
 * a sample; {@code -Dchargehand.kill=all} takes all.
 */
class KillTest {

    private static final int APPENDS = 11;

    @TempDir
    Path folder;

    static Stream<String> moments() {
        List<String> all = new ArrayList<>(List.of("before-effect", "after-effect", "after-repeatable-effect"));
        IntStream.rangeClosed(1, APPENDS).forEach(i -> all.addAll(List.of("before-append-" + i, "after-append-" + i)));
        return System.getProperty("chargehand.kill", "").equals("all")
                ? all.stream()
                : IntStream.range(0, all.size())
                        .filter(i -> i < 3 || i % 6 == 0)
                        .mapToObj(all::get);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void aKilledRunGoesOnToTheAnswerOfTheUndisturbedOne(String moment) throws IOException {
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
                everythingToldIsStored(told, runtime.store());
                List<RunRecord> runs = runtime.runs(RunFilter.ROOTS);
                if (moment.equals("before-append-1")) {
                    assertThat(runs).as("nothing was acknowledged").isEmpty();
                    return;
                }
                runtime.recover().await();
                RunResult result =
                        runtime.resume(runs.getFirst().runId(), o -> {}).result();
                assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(result.text()).isEqualTo(Crew.ANSWER);
                nothingIsDoneTwice(ledger, runtime.store());
                theThreadIsWhole(runtime.store());
                assertThat(provider.violations()).isEmpty();
            }
        }
    }

    private static void everythingToldIsStored(List<String> told, Store store) {
        String stored = String.join("\n", allFacts(store).map(FactEntry::text).toList());
        for (String line : told) {
            Json event = Json.parse(line);
            String type = event.at("/type").flatMap(Json::string).orElseThrow();
            event.at("/callId").flatMap(Json::string).ifPresent(id -> assertThat(stored)
                    .contains(id));
            if (type.equals("run-start")
                    && event.at("/path").flatMap(Json::string).orElseThrow().equals("supervisor")) {
                assertThat(thread(store)).anyMatch(entry -> entry.text().contains("Go"));
            }
            if (type.equals("tool-result")) {
                String callId = event.at("/callId").flatMap(Json::string).orElseThrow();
                assertThat(allFacts(store).filter(fact -> fact.type().equals("call-closed")))
                        .anyMatch(fact -> fact.text().contains(callId));
            }
        }
    }

    /** A call that is not repeatable has run at most once; one that is has run under one key. */
    private static void nothingIsDoneTwice(Path ledger, Store store) throws IOException {
        List<String> lines = Files.readAllLines(ledger);
        assertThat(lines.stream().filter(line -> line.startsWith("book"))).hasSizeLessThanOrEqualTo(1);
        assertThat(lines.stream().filter(line -> line.startsWith("note")).distinct())
                .hasSize(1);
        assertThat(allFacts(store)
                        .filter(fact -> fact.type().equals("call-closed"))
                        .map(fact -> Json.parse(fact.text()).at("/callId").orElseThrow()))
                .doesNotHaveDuplicates();
    }

    private static void theThreadIsWhole(Store store) {
        assertThat(thread(store))
                .extracting(ThreadEntry::messageId)
                .doesNotHaveDuplicates()
                .hasSize(4);
        assertThat(thread(store).getLast().text()).contains(Crew.ANSWER);
    }

    private static List<ThreadEntry> thread(Store store) {
        return store.readThread("t", new ThreadOwner("u", null), Long.MAX_VALUE, 100);
    }

    private static Stream<FactEntry> allFacts(Store store) {
        return store.list(RunFilter.ALL.limit(1000)).stream().flatMap(run -> store.read(run.runId(), 0).stream());
    }
}
