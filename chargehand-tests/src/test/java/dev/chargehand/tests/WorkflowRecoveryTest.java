package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tests.Ordering.Order;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workflows that another process continues, executes or watches than the one that started them. */
class WorkflowRecoveryTest {

    private static final String RECEIPT = "{\"mails\":[\"mailed ann\",\"mailed bob\",\"mailed cid\"],\"cents\":800}";

    @TempDir
    private Path folder;

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    private static AgentRuntime runtime(Ordering ordering, Store store, Wakeups wakeups) {
        return AgentRuntime.builder()
                .workflows(ordering.workflow)
                .store(store)
                .wakeups(wakeups)
                .build();
    }

    /** Returns a run whose process has died in its third round. */
    private RunId left() {
        Ordering ordering = new Ordering();
        try (AgentRuntime dying = runtime(ordering, Crashing.goneBefore(7, store), Wakeups.off())) {
            assertThatThrownBy(() -> dying.run(ordering.workflow, new Order("cup", 2), o -> {}))
                    .isInstanceOf(RunFailedException.class);
        }
        return store.list(RunFilter.ROOTS).getFirst().runId();
    }

    @Test
    void recoverContinuesARunAtTheMomentAtWhichItsSleepIsOver() {
        Workflow<String, String> sleeping = Workflow.from("sleeping", String.class)
                .sleep("cool-down", Duration.ofHours(2))
                .map("after", String.class, (in, context) -> in + " after")
                .build(String.class);
        ManualClock clock = new ManualClock();
        Path file = folder.resolve("slept.db");
        RunId run;
        try (AgentRuntime gone = runtime(sleeping, clock, JdbcStore.sqlite(file))) {
            run = gone.submit(sleeping, "tea", o -> {});
            assertThat(gone.recover().await()).extracting(RunResult::status).containsExactly(RunStatus.SUSPENDED);
        }
        clock.advance(Duration.ofHours(2));
        try (AgentRuntime runtime = runtime(sleeping, clock, JdbcStore.sqlite(file))) {
            assertThat(runtime.recover().await()).singleElement().satisfies(result -> {
                assertThat(result.runId()).isEqualTo(run);
                assertThat(result.text()).isEqualTo("tea after");
            });
        }
    }

    private static AgentRuntime runtime(Workflow<?, ?> workflow, ManualClock clock, Store store) {
        return AgentRuntime.builder()
                .workflows(workflow)
                .timeSource(clock)
                .store(store)
                .wakeups(Wakeups.off())
                .build();
    }

    @Test
    void recoverContinuesARunOfADeadProcess() {
        RunId run = left();
        try (AgentRuntime runtime = runtime(new Ordering(), store, Wakeups.off())) {
            Recovery recovery = runtime.recover();
            assertThat(recovery.runIds()).containsExactly(run);
            assertThat(recovery.await()).singleElement().satisfies(result -> assertThat(result.text())
                    .isEqualTo(RECEIPT));
        }
    }

    @Test
    void aRunOfADeadProcessContinuesWhenItsWorkflowIsAdded() {
        RunId run = left();
        Ordering ordering = new Ordering();
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).wakeups(Wakeups.off()).build()) {
            TenantRuntime tenant = runtime.forTenant("other");
            runtime.addWorkflow(ordering.workflow);
            assertThat(runtime.recover().await()).singleElement().satisfies(result -> assertThat(result.runId())
                    .isEqualTo(run));
            assertThat(tenant.workflows()).containsExactly(ordering.workflow);
            assertThatThrownBy(() -> runtime.addWorkflow(new Ordering().workflow))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("given twice");
            assertThat(runtime.workflows()).containsExactly(ordering.workflow);
        }
    }

    @Test
    @Timeout(60)
    void aRunThatWasLeftAloneIsWokenWhenItsWorkflowIsAdded() throws InterruptedException {
        Ordering ordering = new Ordering();
        RunId run;
        try (AgentRuntime submits = runtime(ordering, JdbcStore.sqlite(folder.resolve("runs.db")), Wakeups.off())) {
            run = submits.submit(ordering.workflow, new Order("cup", 2), o -> {});
        }
        CountDownLatch looks = new CountDownLatch(2); // the first one is over when the second one begins
        Store looked = new ForwardingStore(JdbcStore.sqlite(folder.resolve("runs.db"))) {
            @Override
            public DueRuns due(DueRuns.Query query) {
                looks.countDown();
                return super.due(query);
            }
        };
        try (AgentRuntime executes =
                AgentRuntime.builder().store(looked).wakeups(Wakeups.all()).build()) {
            looks.await();
            executes.addWorkflow(ordering.workflow);
            assertThat(executes.handle(run).result().text()).isEqualTo(RECEIPT);
        }
    }

    @Test
    void recoverListsARunWhoseWorkflowIsNotKnown() {
        RunId run = left();
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).wakeups(Wakeups.off()).build()) {
            assertThat(runtime.recover().withoutDefinition()).containsExactly(run);
        }
    }

    @Test
    void advanceExecutesARunOnTheCallingThread() {
        Ordering ordering = new Ordering();
        try (AgentRuntime runtime = runtime(ordering, store, Wakeups.off())) {
            RunId run = runtime.submit(ordering.workflow, new Order("cup", 2), o -> {});
            assertThat(runtime.advance(run, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(runtime.handle(run).result().text()).isEqualTo(RECEIPT);
        }
    }

    @Test
    void aSubmittedRunIsStartedAndWatchedByOtherProcesses() throws Exception {
        Path file = folder.resolve("runs.db");
        Ordering ordering = new Ordering();
        try (AgentRuntime submits = runtime(ordering, JdbcStore.sqlite(file), Wakeups.off());
                AgentRuntime watches =
                        AgentRuntime.builder().store(JdbcStore.sqlite(file)).build()) {
            RunId run = submits.submit(ordering.workflow, new Order("cup", 2), o -> {});
            List<String> seen = new ArrayList<>();
            try (RunWatch events = watches.watch(run, null);
                    AgentRuntime executes = runtime(ordering, JdbcStore.sqlite(file), Wakeups.all())) {
                for (RunEvent event : events) {
                    seen.add(event.type());
                }
                assertThat(executes.handle(run).result().text()).isEqualTo(RECEIPT);
            }
            assertThat(seen)
                    .startsWith("run-start", "workflow-start", "workflow-step-start")
                    .endsWith("workflow-finish", "run-finish")
                    .contains("workflow-step-skipped");
        }
    }

    @Test
    @Timeout(60)
    void aRunThatIsCancelledWhenAnAttemptHasFailedEnds() {
        AtomicReference<AgentRuntime> cancelling = new AtomicReference<>();
        AtomicInteger attempts = new AtomicInteger();
        Step<String, String> fails = Step.of("fails", String.class, String.class, (in, context) -> {
                    attempts.incrementAndGet();
                    throw new IllegalStateException("no");
                })
                .retries(9, Backoff.fixed(Duration.ofNanos(1)));
        Workflow<String, String> workflow =
                Workflow.from("failing", String.class).then(fails).build(String.class);
        Store cancels = new ForwardingStore(store) {
            @Override
            public Appended append(List<Append> appends) {
                Appended appended = super.append(appends);
                boolean failed = appends.stream()
                        .flatMap(append -> append.facts().stream())
                        .anyMatch(fact -> fact.type().equals("call-retried"));
                if (failed) {
                    cancelling.get().cancel(appends.getFirst().runId());
                }
                return appended;
            }
        };
        try (AgentRuntime runtime = AgentRuntime.builder()
                .workflows(workflow)
                .store(cancels)
                .wakeups(Wakeups.off())
                .build()) {
            cancelling.set(runtime);
            assertThat(runtime.run(workflow, "in", o -> {}).stopReason()).isInstanceOf(StopReason.Cancelled.class);
            assertThat(attempts).hasValue(1);
        }
    }
}
