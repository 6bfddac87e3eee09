package dev.chargehand.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailedWakesTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final String OWN = "own";

    private final Store store = InMemoryStore.keepingEndedRuns();
    private final FailedWakes failed = new FailedWakes();

    @Test
    void aReleasedRunIsDueFromItsMomentOn() {
        RunRecord run = stored(RunStatus.RUNNING, OWN);
        failed.add(run, AT.plusSeconds(1));
        store.release(run.runId(), run.epoch());

        assertThat(due(AT)).isEmpty();
        assertThat(due(AT.plusSeconds(1))).extracting(RunRecord::runId).containsExactly(run.runId());
        assertThat(failed.isEmpty()).as("it is due until it is executed").isFalse();
    }

    @Test
    void aRunThatIsNotReleasedYetIsKept() {
        failed.add(stored(RunStatus.RUNNING, OWN), AT);

        assertThat(due(AT)).isEmpty();
        assertThat(failed.isEmpty()).isFalse();
    }

    @Test
    void aRunThatAnotherProcessHasTakenIsForgotten() {
        failed.add(stored(RunStatus.RUNNING, "other"), AT);

        assertThat(due(AT)).isEmpty();
        assertThat(failed.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "SUSPENDED", "COMPLETED", "ABORTED"})
    void aRunThatWaitsInTheStoreOrHasEndedIsForgotten(RunStatus status) {
        failed.add(stored(status, OWN), AT);

        assertThat(due(AT)).isEmpty();
        assertThat(failed.isEmpty()).isTrue();
    }

    private List<RunRecord> due(Instant now) {
        return failed.due(store, now, run -> run.owner().equals(OWN));
    }

    private RunRecord stored(RunStatus status, String owner) {
        RunRecord run = RunRecord.builder(new RunId("run"), "agent", owner, AT).build();
        Object ignored = store.append(
                Append.start(run, List.of(FactEntry.of("started", 1, "{}"))).status(status));
        return store.find(run.runId()).orElseThrow();
    }
}
