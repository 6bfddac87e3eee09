package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.IdleStream;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A turn of an until-idle call that another process takes, which then dies. */
@Timeout(120)
class UntilIdleTakenTurnTest {

    @TempDir
    Path folder;

    @Test
    void aTurnThatNoProcessContinuesIsWaitedForUpToTheLimit() {
        try (TestRuntime test = runtime(Wakeups.own());
                IdleStream call = untilIdle(test, Duration.ofSeconds(5))) {
            IdleStream.IdleResult result = call.result();

            assertThat(result.reason()).isEqualTo(IdleReason.QUIET);
            assertThat(result.turns()).extracting(RunResult::text).containsExactly("Seen: []");
        }
    }

    @Test
    void aTurnThatComesBackIsOneTurn() {
        try (TestRuntime test = runtime(Wakeups.all());
                IdleStream call = untilIdle(test, Duration.ofSeconds(60))) {
            List<RunId> ended = new ArrayList<>();
            for (RunEvent event : call) {
                if (event instanceof RunEvent.RunFinish end) {
                    ended.add(end.origin().runId());
                }
            }

            assertThat(call.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(call.result().turns())
                    .extracting(RunResult::text)
                    .containsExactly("Seen: []", "Seen: [Found bees]");
            assertThat(ended).doesNotHaveDuplicates().hasSize(2);
        }
    }

    private TestRuntime runtime(Wakeups wakeups) {
        return TaskFixture.runtime(new TurnTaken(JdbcStore.sqlite(folder.resolve("idle.db"))), TaskFixture.script())
                .wakeups(wakeups)
                .build();
    }

    private static IdleStream untilIdle(TestRuntime test, Duration quiet) {
        return test.agent("boss")
                .streamUntilIdle(
                        "Research bees", TaskFixture.onThread().andThen(o -> o.timeLimit(TimeLimit.QUIET, quiet)));
    }

    /** Has another process claim the second turn, right before its own does. That process dies soon. */
    private static final class TurnTaken extends ForwardingStore {
        private static final String OTHER = "other";
        private final AtomicInteger claims = new AtomicInteger();

        private TurnTaken(Store store) {
            super(store);
        }

        @Override
        public RunRecord claimToWake(
                RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
            if (claims.incrementAndGet() == 2) {
                super.heartbeat(OTHER, Duration.ofSeconds(2));
                RunRecord ignored = super.claim(runId, expectedEpoch, expectedLength, OTHER);
                throw new StoreException(StoreException.Kind.FENCED, "Another process has it.", null);
            }
            return super.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore);
        }
    }
}
