package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.error.StoreException;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that its process lets go of while another one lists what there is to recover is recovered by that. */
@Timeout(60)
class RecoveryOfChangedRunsTest {

    private final Store store = InMemoryStore.keepingEndedRuns();

    /** Releases a run before it is looked at for the first time. */
    private static final class Releasing extends ForwardingStore {

        private volatile @Nullable RunRecord run;

        private Releasing(Store store) {
            super(store);
        }

        @Override
        public Optional<RunRecord> find(RunId runId) {
            RunRecord released = run;
            if (released != null && released.runId().equals(runId)) {
                run = null;
                release(runId, released.epoch());
            }
            return super.find(runId);
        }
    }

    private static AgentRuntime runtime(Store store, Script script) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.off())
                .closeGrace(Duration.ofMillis(10))
                .agents(Agent.builder("boss").model(script.modelFor("boss")).build())
                .build();
    }

    @Test
    void itIsListedAgain() {
        Script hanging = ScriptedModel.script();
        hanging.on("boss").hangs();
        Releasing seen = new Releasing(store);
        Script script = ScriptedModel.script();
        script.on("boss").says("Done.");
        try (AgentRuntime dying = runtime(store, hanging);
                AgentRuntime other = runtime(seen, script)) {
            RunHandle run = dying.agent("boss").start("Go.", options -> {});
            while (hanging.requests().isEmpty()) {
                Thread.onSpinWait();
            }
            RunRecord record = store.find(run.runId()).orElseThrow();
            store.heartbeat(record.owner(), Duration.ZERO);
            seen.run = record;
            assertThat(other.recover().runIds()).containsExactly(run.runId());
            assertThat(other.handle(run.runId()).result().text()).isEqualTo("Done.");
        }
    }

    /** Those that were resumed before are not lost to the caller. */
    @Test
    void aStoreThatFailsWhileTheNextOneOfAThreadIsLookedForDoesNotEndTheRecovery() {
        Script script = ScriptedModel.script();
        CountDownLatch go = new CountDownLatch(1);
        script.on("boss").waitsFor(go).and().says("Done.").forever();
        Store failing = new ForwardingStore(store) {
            @Override
            public List<RunRecord> list(RunFilter filter) {
                if (filter.threadId().isPresent() && filter.statuses().equals(Set.of(RunStatus.RUNNING))) {
                    throw new StoreException(StoreException.Kind.TIMEOUT, "The store does not answer.", null);
                }
                return super.list(filter);
            }
        };
        RunId first;
        try (AgentRuntime gone = runtime(store, script)) {
            first = gone.submit(gone.agent("boss"), List.of(Message.user("First.")), o -> o.thread("t"));
            var ignored = gone.submit(gone.agent("boss"), List.of(Message.user("Second.")), o -> o.thread("t"));
        }
        try (AgentRuntime other = runtime(failing, script)) {
            assertThat(other.recover().runIds()).containsExactly(first);
            go.countDown();
            assertThat(other.handle(first).result().text()).isEqualTo("Done.");
        }
    }
}
