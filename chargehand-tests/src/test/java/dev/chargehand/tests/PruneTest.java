package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator of a runtime deletes runs that ended long ago. */
@Timeout(120)
class PruneTest extends ForkFixture {

    private static final Duration DAY = Duration.ofDays(1);

    private final ManualClock clock = new ManualClock();

    @TempDir
    Path folder;

    @Test
    void runsOfAllTenantsThatEndedLongAgoAreDeleted() {
        try (TestRuntime test = test(file())) {
            AgentRuntime runtime = test.runtime();
            TenantRuntime acme = runtime.forTenant("acme");
            RunId old = runtime.agent("lead")
                    .generate("Go", o -> o.thread("t").resource("u"))
                    .runId();
            RunId theirs = acme.agent("lead").generate("Go").runId();
            clock.advance(DAY);
            RunId young = runtime.agent("lead").generate("Go").runId();

            assertThat(runtime.operator().prune(Duration.ofDays(2))).isZero();
            assertThat(runtime.operator().prune(Duration.ofHours(12))).isEqualTo(2);

            assertThat(ids(runtime.operator().runs(RunFilter.ROOTS))).containsExactly(young);
            assertThat(runtime.runs(RunFilter.ALL.tree(old))).isEmpty();
            assertThat(acme.runs(RunFilter.ALL.tree(theirs))).isEmpty();
            assertThat(runtime.store().findThread("t")).isPresent();
            assertThat(runtime.operator().prune(Duration.ZERO)).isZero();
            clock.advance(Duration.ofSeconds(1));
            assertThat(runtime.operator().prune(Duration.ZERO)).isEqualTo(1);
            assertThat(runtime.operator().prune(Duration.ofSeconds(Long.MAX_VALUE)))
                    .isZero();
            assertThatThrownBy(() -> runtime.operator().prune(Duration.ofSeconds(-1)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("not negative");
        }
    }

    @Test
    void manyRunsAreDeletedInSmallSteps() {
        FaultyStore store = FaultyStore.over(file());
        try (TestRuntime test = test(store)) {
            AgentRuntime runtime = test.runtime();
            for (int run = 0; run < 45; run++) {
                RunResult ignored = runtime.agent("researcher").generate("Find");
            }
            clock.advance(DAY);

            assertThat(runtime.operator().prune(Duration.ofHours(1))).isEqualTo(45);
            assertThat(store.count(FaultyStore.Operation.DELETE)).isEqualTo(4 + 3); // and those of memory
        }
    }

    @Test
    void anInterruptEndsItAfterAStep() {
        try (TestRuntime test = test(file())) {
            AgentRuntime runtime = test.runtime();
            for (int run = 0; run < 25; run++) {
                RunResult ignored = runtime.agent("researcher").generate("Find");
            }
            clock.advance(DAY);

            Thread.currentThread().interrupt();
            long deleted = runtime.operator().prune(Duration.ofHours(1));
            assertThat(Thread.interrupted()).isTrue();

            assertThat(deleted).isEqualTo(20);
            assertThat(runtime.operator().prune(Duration.ofHours(1))).isEqualTo(5);
        }
    }

    @Test
    void aForkStaysWholeWithoutItsOriginal() {
        try (TestRuntime test = test(file())) {
            AgentRuntime runtime = test.runtime();
            RunId old = runtime.agent("lead").generate("Go").runId();
            clock.advance(DAY);
            RunResult fork = runtime.fork(old, 2, f -> {}).result();
            List<RunEvent> before = runtime.history(fork.runId());

            assertThat(runtime.operator().prune(Duration.ofHours(1))).isEqualTo(1);

            assertThat(runtime.runs(RunFilter.ROOTS))
                    .extracting(RunRecord::runId)
                    .containsExactly(fork.runId());
            assertThat(runtime.history(fork.runId())).isEqualTo(before);
            RunResult again = runtime.fork(fork.runId(), 2, f -> {}).result();
            assertThat(again.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(again.text()).isEqualTo(fork.text());
        }
    }

    @Test
    void aCallWithTheKeyOfADeletedRunStartsARunAgain() {
        try (TestRuntime test = test(file())) {
            AgentRuntime runtime = test.runtime();
            RunId first = keyed(runtime);
            assertThat(keyed(runtime)).isEqualTo(first);
            clock.advance(Duration.ofHours(2));

            assertThat(runtime.operator().prune(Duration.ofHours(1))).isEqualTo(1);

            RunId second = keyed(runtime);
            assertThat(second).isNotEqualTo(first);
            assertThat(keyed(runtime)).isEqualTo(second);
        }
    }

    @Test
    void aWatchOfADeletedRunEnds() {
        try (TestRuntime test = test(file());
                TestRuntime second = test(file())) {
            AgentRuntime runtime = test.runtime();
            AgentRuntime other = second.runtime();
            RunId run = runtime.agent("lead").generate("Go").runId();
            try (var watch = other.watch(run, null)) {
                Iterator<RunEvent> events = watch.iterator();
                assertThat(events.next().runId()).isEqualTo(run);
                clock.advance(DAY);
                assertThat(runtime.operator().prune(Duration.ofHours(1))).isEqualTo(1);

                List<RunEvent> rest = new ArrayList<>();
                events.forEachRemaining(rest::add);
                assertThat(rest).isNotEmpty();
            }
        }
    }

    private static RunId keyed(AgentRuntime runtime) {
        RunHandle run = runtime.agent("lead").start("Go", o -> o.idempotencyKey("key"));
        assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED);
        return run.runId();
    }

    private static List<RunId> ids(List<RunRecord> runs) {
        return runs.stream().map(RunRecord::runId).toList();
    }

    private Store file() {
        return JdbcStore.sqlite(folder.resolve("store.db"));
    }

    private TestRuntime test(Store store) {
        return builder(script())
                .agents(lead, Crew.RESEARCHER)
                .store(store)
                .time(clock)
                .wakeups(Wakeups.off())
                .build();
    }
}
