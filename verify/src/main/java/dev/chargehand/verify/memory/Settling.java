package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.verify.harness.Tally;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Ends what killed processes have left, and says what cannot be ended. */
final class Settling {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final RunFilter OPEN = RunFilter.ALL
            .statuses(RunStatus.PENDING, RunStatus.RUNNING, RunStatus.SUSPENDED)
            .limit(1);

    private Settling() {}

    static void await(AgentRuntime runtime, Rows rows, Tally tally) throws SQLException {
        long until = System.nanoTime() + LONGEST.toNanos();
        boolean over = false;
        while (!over && System.nanoTime() - until < 0) {
            var ignored = runtime.recover();
            if (!runtime.memory().settled(LONGEST)) {
                tally.addFault("lost", "the work on memory does not end");
            }
            over = rows.due() == 0 && !hasOpenRuns(runtime);
            if (!over) {
                LockSupport.parkNanos(BETWEEN_LOOKS);
            }
        }
        if (hasOpenRuns(runtime)) {
            tally.addFault("lost", "a run has not ended");
        }
        if (rows.due() > 0) {
            tally.addFault("lost", rows.due() + " threads are still due");
        }
    }

    private static boolean hasOpenRuns(AgentRuntime runtime) {
        return Turn.TENANTS.stream()
                .anyMatch(tenant -> !runtime.forTenant(tenant).runs(OPEN).isEmpty());
    }
}
