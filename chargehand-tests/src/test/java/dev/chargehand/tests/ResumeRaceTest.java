package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.error.StoreException;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run is resumed right when another process takes it. */
@Timeout(60)
class ResumeRaceTest {

    @Test
    void aRunThatIsReleasedAgainAtThisMomentIsResumed() {
        TakenFirst store = new TakenFirst(true);
        try (TestRuntime test = runtime(store)) {
            RunId runId = left(test);
            store.takes = true;

            assertThat(test.runtime().resume(runId, o -> {}).result().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(store.takes).isFalse();
        }
    }

    @Test
    void aRunThatTheOtherProcessKeepsIsRefused() {
        TakenFirst store = new TakenFirst(false);
        try (TestRuntime test = runtime(store)) {
            RunId runId = left(test);
            store.takes = true;

            assertThatThrownBy(() -> test.runtime().resume(runId, o -> {}))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is being worked on by another process");
        }
    }

    private static TestRuntime runtime(TakenFirst store) {
        return TestRuntime.builder(Scripts.on("solo").says("Done"))
                .agents(Crew.solo())
                .store(store)
                .build();
    }

    /** Returns a run that has started and that its process has left. */
    private static RunId left(TestRuntime test) {
        RunId runId = test.runtime().submit(test.runtime().agent("solo"), List.of(Message.user("Go.")), o -> {});
        assertThat(test.runtime().advance(runId, Until.when(() -> true))).isInstanceOf(Advanced.Released.class);
        return runId;
    }

    /** Has another process claim a run right before this one does, which releases it at once or keeps it. */
    private static final class TakenFirst extends ForwardingStore {
        private static final String OTHER = "other";
        private final boolean releases;
        private volatile boolean takes;

        private TakenFirst(boolean releases) {
            super(InMemoryStore.keepingEndedRuns());
            this.releases = releases;
        }

        @Override
        public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
            if (takes) {
                takes = false;
                super.heartbeat(OTHER, Duration.ofMinutes(1));
                RunRecord taken = super.claim(runId, expectedEpoch, expectedLength, OTHER);
                if (releases) {
                    super.release(runId, taken.epoch());
                }
            }
            return super.claim(runId, expectedEpoch, expectedLength, owner);
        }
    }
}
