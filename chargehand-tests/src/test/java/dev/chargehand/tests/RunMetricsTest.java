package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.metric.RunMetrics;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The operator counts the runs of all tenants, a tenant those of its own. */
@Timeout(120)
class RunMetricsTest {

    private final Errands errands = new Errands();

    @TempDir
    Path folder;

    private AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .agents(errands.lead())
                .build();
    }

    @Test
    void runsAreCountedByAgentAndStatusWithWhatTheyUsed() {
        for (Store store : List.of(JdbcStore.sqlite(folder.resolve("store.db")), InMemoryStore.keepingEndedRuns())) {
            try (AgentRuntime runtime = runtime(store)) {
                TenantRuntime acme = runtime.forTenant("acme");
                Usage used = runtime.agent("lead").generate(Errands.DELEGATE).totalUsage();
                used = used.plus(acme.agent("lead").generate("Hello").totalUsage());
                Usage waiting = acme.agent("lead").generate(Errands.DELETE).totalUsage();

                RunMetrics all = runtime.operator().metrics(Duration.ofHours(1));
                assertThat(all.complete()).isTrue();
                assertThat(all.pending()).isZero();
                assertThat(all.all().runs())
                        .as("root runs, and not the writer's")
                        .isEqualTo(3);
                assertThat(all.all().byStatus()).isEqualTo(Map.of(RunStatus.COMPLETED, 2, RunStatus.SUSPENDED, 1));
                assertThat(all.all().usage()).isEqualTo(used.plus(waiting));
                assertThat(all.all().durations())
                        .hasValueSatisfying(times -> assertThat(times.p50()).isLessThanOrEqualTo(times.p95()));
                assertThat(all.byAgent()).isEqualTo(Map.of("lead", all.all()));

                RunMetrics theirs = RunMetrics.of(acme::runs, RunFilter.ROOTS, all.since());
                assertThat(theirs.all().byStatus()).isEqualTo(Map.of(RunStatus.COMPLETED, 1, RunStatus.SUSPENDED, 1));
            }
        }
    }

    @Test
    void runsThatStartedBeforeAreNotCountedAndPendingOnesAre() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns())) {
            runtime.agent("lead").generate("Hello");
            Instant later = Instant.now().plusSeconds(60);
            RunMetrics metrics = RunMetrics.of(runtime::runs, RunFilter.ROOTS, later);
            assertThat(metrics.all().runs()).isZero();
            assertThat(metrics.all().durations()).isEmpty();
            assertThat(metrics.byAgent()).isEmpty();

            runtime.submit(runtime.agent("lead"), List.of(Message.user("Later")), o -> {});
            assertThat(RunMetrics.of(runtime::runs, RunFilter.ROOTS, later).pending())
                    .isEqualTo(1);
            assertThat(runtime.operator().metrics(Duration.ofHours(1)).all().byStatus())
                    .isEqualTo(Map.of(RunStatus.COMPLETED, 1, RunStatus.PENDING, 1));
        }
    }

    /** The records are those of one run, again and again. */
    @ParameterizedTest
    @CsvSource({"9999, 9999, true", "10000, 10000, true", "10001, 10000, false"})
    void atMostTenThousandRunsAreCounted(int started, int counted, boolean complete) {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns())) {
            runtime.agent("lead").generate("Hello");
            RunRecord run = runtime.runs(RunFilter.ROOTS).getFirst();
            AtomicInteger left = new AtomicInteger(started);
            RunMetrics metrics = RunMetrics.of(
                    filter -> {
                        int page = filter.statuses().isEmpty() ? Math.min(filter.limit(), left.get()) : 0;
                        left.addAndGet(-page);
                        return Collections.nCopies(page, run);
                    },
                    RunFilter.ROOTS,
                    Instant.EPOCH);
            assertThat(metrics.all().runs()).isEqualTo(counted);
            assertThat(metrics.complete()).isEqualTo(complete);
        }
    }

    @Test
    void theWindowIsPositiveAndMayBeLongerThanAllTime() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns())) {
            runtime.agent("lead").generate("Hello");
            assertThat(runtime.operator()
                            .metrics(Duration.ofSeconds(Long.MAX_VALUE))
                            .all()
                            .runs())
                    .isEqualTo(1);
            for (Duration wrong : List.of(Duration.ZERO, Duration.ofHours(-1))) {
                assertThatThrownBy(() -> runtime.operator().metrics(wrong))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("positive");
            }
        }
    }
}
