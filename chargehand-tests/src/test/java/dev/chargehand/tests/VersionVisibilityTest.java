package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.error.StoreException;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.version.VersionUsage;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of runs, hooks and usage name the versions of agents. */
class VersionVisibilityTest extends VersionFixture {

    @TempDir
    private Path folder;

    private final Agent writer1 = worker("writer", "1");
    private final Agent writer2 = worker("writer", "2");

    private Store open(String kind) {
        return switch (kind) {
            case "sqlite" -> JdbcStore.sqlite(folder.resolve("runs.db"));
            case "postgres" -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
            default -> InMemoryStore.keepingEndedRuns();
        };
    }

    private static Optional<String> version(RunRecord run) {
        return run.summary().flatMap(RunSummary::version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite", "postgres"})
    void listsOfRunsAndUsageHaveTheVersion(String kind) {
        Agent top = supervisor("top", "", supervisor("one", "a", writer1), supervisor("two", "b", writer2));
        try (AgentRuntime runtime =
                building(top, writer1, writer2).store(open(kind)).build()) {
            RunResult result = runtime.agent("top").generate("Go");
            assertThat(runtime.runs(RunFilter.ALL))
                    .extracting(RunRecord::agentId, VersionVisibilityTest::version)
                    .containsExactlyInAnyOrder(
                            tuple("top", Optional.empty()),
                            tuple("one", Optional.of("a")),
                            tuple("two", Optional.of("b")),
                            tuple("writer", Optional.of("1")),
                            tuple("writer", Optional.of("2")));
            List<VersionUsage> usage = runtime.usageByVersion(result.runId());
            assertThat(usage)
                    .extracting(VersionUsage::agentId, VersionUsage::version, VersionUsage::runs)
                    .containsExactly(
                            tuple("one", Optional.of("a"), 1),
                            tuple("top", Optional.empty(), 1),
                            tuple("two", Optional.of("b"), 1),
                            tuple("writer", Optional.of("1"), 1),
                            tuple("writer", Optional.of("2"), 1));
            assertThat(usage.stream().map(VersionUsage::usage).reduce(Usage.NONE, Usage::plus))
                    .isEqualTo(result.totalUsage());
            assertThat(usage.stream()
                            .filter(each -> each.agentId().equals("writer"))
                            .map(VersionUsage::usage)
                            .reduce(Usage.NONE, Usage::plus))
                    .isEqualTo(result.usageByAgent().get("writer"));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> runtime.usageByVersion(new RunId("run_missing")));
        }
    }

    @Test
    void aWaitingRunShowsItsVersionAndWhatWasUsedSoFar() {
        Agent deleter2 = deleter("deleter", "2");
        Agent boss = supervisor("boss", "7", deleter("deleter", "1"));
        try (AgentRuntime runtime = runtime(boss, deleter("deleter", "1"), deleter2)) {
            RunId run = runtime.agent("boss")
                    .generate("Go", o -> o.version("deleter", id("2")))
                    .runId();
            assertThat(runtime.runs(RunFilter.ALL))
                    .extracting(RunRecord::agentId, VersionVisibilityTest::version)
                    .containsExactlyInAnyOrder(tuple("boss", Optional.of("7")), tuple("deleter", Optional.of("2")));
            assertThat(runtime.usageByVersion(run))
                    .extracting(
                            VersionUsage::agentId,
                            VersionUsage::version,
                            each -> each.usage().totalTokens() > 0)
                    .containsExactly(tuple("boss", Optional.of("7"), true), tuple("deleter", Optional.of("2"), true));
        }
    }

    @Test
    void aWorkflowsRunHasTheVersionOfTheWorkflow() {
        Workflow<String, String> flow = Workflow.from("flow", String.class)
                .version("9")
                .then(Step.of("a", String.class, String.class, (in, context) -> in))
                .build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .workflows(flow)
                .build()) {
            var result = runtime.run(flow, "x", o -> {});
            assertThat(version(store.find(result.runId()).orElseThrow())).contains("9");
            assertThat(runtime.usageByVersion(result.runId()))
                    .containsExactly(new VersionUsage("flow", Optional.of("9"), 1, Usage.NONE, BigDecimal.ZERO));
        }
    }

    @Test
    void hooksAreGivenTheVersionOfTheirRun() {
        List<Optional<String>> heard = new CopyOnWriteArrayList<>();
        Agent boss = supervisor(
                builder("boss", "7")
                        .agents(writer1)
                        .defaultOptions(o -> o.observeDelegationStart(
                                start -> heard.add(start.run().version()))),
                "boss",
                "7");
        try (AgentRuntime runtime = runtime(boss, writer1, writer2)) {
            RunResult ignored = runtime.agent("boss").generate("Go");
            assertThat(heard).containsExactly(Optional.of("7"));
        }
    }
}
