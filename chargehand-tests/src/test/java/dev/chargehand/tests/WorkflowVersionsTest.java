package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.error.WorkflowChangedException;
import dev.chargehand.error.WorkflowUnknownException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Several versions of one workflow, and runs whose version is missing or has changed. */
class WorkflowVersionsTest {

    private final Store store = open();

    /** Opens the store of a test, which runtimes do not close. */
    Store open() {
        return InMemoryStore.keepingEndedRuns();
    }

    private static Workflow<String, String> flow(String version, String... steps) {
        WorkflowBuilder<String, String> builder =
                Workflow.from("flow", String.class).version(version);
        for (String id : steps) {
            builder = builder.then(Step.of(id, String.class, String.class, (in, context) -> in + " " + id + version)
                    .repeatable());
        }
        return builder.build(String.class);
    }

    private static AgentRuntime runtime(Store store, Wakeups wakeups, Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .workflows(workflows)
                .build();
    }

    /** Returns a run whose process has died before the end of its second step was stored. */
    private RunId left(Workflow<String, String> workflow) {
        try (AgentRuntime dying = runtime(Crashing.goneBefore(4, store), Wakeups.off(), workflow)) {
            assertThatThrownBy(() -> dying.run(workflow, "x", options -> {})).isInstanceOf(RunFailedException.class);
        }
        return store.list(RunFilter.ROOTS).getFirst().runId();
    }

    @Test
    void runsOfTwoVersionsContinueEachInItsOwn() {
        RunId one = left(flow("1", "a", "b"));
        RunId two = left(flow("2", "a", "c"));
        try (AgentRuntime runtime = runtime(store, Wakeups.off(), flow("2", "a", "c"), flow("1", "a", "b"))) {
            Recovery recovery = runtime.recover();
            assertThat(recovery.runIds()).containsExactlyInAnyOrder(one, two);
            assertThat(recovery.await()).extracting(RunResult::text).containsExactlyInAnyOrder("x a1 b1", "x a2 c2");
        }
    }

    @Test
    void aRunWhoseVersionIsMissingIsLeftAsItIs() {
        RunId run = left(flow("1", "a", "b"));
        assertLeftAlone(run, flow("2", "a", "b"), WorkflowUnknownException.class, "version '1' of workflow 'flow'");
        try (AgentRuntime without = runtime(store, Wakeups.off(), flow("2", "a", "b"))) {
            Recovery recovery = without.recover();
            assertThat(recovery.withoutDefinition()).containsExactly(run);
            assertThat(recovery.changed()).isEmpty();
            assertThat(recovery.withoutAgent()).isEmpty();
            assertThat(recovery.withoutVersion()).isEmpty();
            assertThat(without.cancel(run)).isTrue();
        }
        assertThat(store.find(run).orElseThrow().status()).isEqualTo(RunStatus.ABORTED);
    }

    @Test
    void aRunWhoseWorkflowHasChangedIsListedApart() {
        RunId run = left(flow("1", "a", "b"));
        assertLeftAlone(
                run, flow("1", "z", "b"), WorkflowChangedException.class, "where the definition has 'then z: z'");
        try (AgentRuntime changed = runtime(store, Wakeups.off(), flow("1", "z", "b"))) {
            Recovery recovery = changed.recover();
            assertThat(recovery.changed()).containsExactly(run);
            assertThat(recovery.withoutDefinition()).isEmpty();
        }
        try (AgentRuntime same = runtime(store, Wakeups.off(), flow("1", "a", "b"))) {
            assertThat(same.recover().await()).extracting(RunResult::text).containsExactly("x a1 b1");
        }
    }

    /** Nothing claims it or counts an attempt, also not a runtime that wakes all runs. */
    private void assertLeftAlone(
            RunId run, Workflow<String, String> today, Class<? extends RuntimeException> error, String words) {
        RunRecord before = store.find(run).orElseThrow();
        Workflow<String, String> other = Workflow.from("other", String.class)
                .then(Step.of("o", String.class, String.class, (in, c) -> in))
                .build(String.class);
        try (AgentRuntime wakes = runtime(store, Wakeups.all(), today, other)) {
            for (int i = 0; i < 3; i++) {
                RunId barrier = wakes.submit(other, "x", options -> {});
                assertThat(wakes.handle(barrier).result().text()).isEqualTo("x");
            }
            assertThatExceptionOfType(error)
                    .isThrownBy(() -> wakes.resume(run, options -> {}))
                    .withMessageContaining(words);
            assertThat(store.find(run)).contains(before);
        }
    }

    @Test
    void aRunOfAWorkflowThatIsNotHereAtAllIsListedWithThoseOfMissingVersions() {
        RunId run = left(flow("1", "a", "b"));
        try (AgentRuntime none = runtime(store, Wakeups.off())) {
            assertThat(none.recover().withoutDefinition()).containsExactly(run);
        }
    }

    @Test
    void twoDefinitionsOfOneVersionAreRejected() {
        Steps.assertMisconfigured(
                () -> runtime(store, Wakeups.off(), flow("1", "a"), flow("1", "b")), "given twice", "version '1'");
    }
}
