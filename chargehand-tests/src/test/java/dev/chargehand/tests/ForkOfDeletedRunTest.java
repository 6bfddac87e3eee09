package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A run that is deleted while a fork of it starts is missing, as one that was deleted before. */
class ForkOfDeletedRunTest extends ForkFixture {

    private final AtomicBoolean deletes = new AtomicBoolean();

    /** Deletes a run before its facts are read. */
    private final Store store = new ForwardingStore(InMemoryStore.keepingEndedRuns()) {
        @Override
        public List<FactEntry> read(RunId runId, long from) {
            if (deletes.get()) {
                int ignored = super.delete(new Deletion.OneRun(runId));
            }
            return super.read(runId, from);
        }
    };

    @Test
    void aForkOfARunThatIsDeletedMeanwhileDoesNotFindIt() {
        try (TestRuntime test = builder(script()).store(store).build()) {
            RunId run = test.agent("lead").generate("Go").runId();
            deletes.set(true);

            assertMissing(run, () -> test.runtime().fork(run, 1, f -> {}));
        }
    }

    @Test
    void neitherDoesAForkOfTheRunOfAWorkflow() {
        Step<Integer, Integer> add = Step.of("add", Integer.class, Integer.class, (in, context) -> in + 1);
        Workflow<Integer, Integer> sum =
                Workflow.from("sum", Integer.class).then(add).build(Integer.class);
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).providers().workflows(sum).build()) {
            RunId run = runtime.run(sum, 1, o -> {}).runId();
            deletes.set(true);

            assertMissing(run, () -> runtime.fork(run, f -> f.before("add")));
        }
    }

    private static void assertMissing(RunId run, Runnable fork) {
        StoreException missing = catchThrowableOfType(StoreException.class, fork::run);
        assertThat(missing.kind()).isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(missing).hasMessage("There is no run " + run + " in the store.");
    }
}
