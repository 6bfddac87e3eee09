package dev.chargehand.verify.sequences;

import dev.chargehand.TenantRuntime;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Deletes all that a tenant has, in one of three orders, and looks for what is left. */
final class Purge {

    private static final int FORKED_THREADS = 4;

    private final Turn turn;
    private final TenantRuntime tenant;
    private final long seed;
    private final List<Object> done = new ArrayList<>();

    Purge(Turn turn, long seed) {
        this.turn = turn;
        this.seed = seed;
        tenant = turn.tenant();
    }

    Operation operation() {
        return new Operation("purge", () -> {
            switch ((int) (seed % 3)) {
                case 0 -> forget();
                case 1 -> threads();
                default -> prune();
            }
            for (int i = 0; i < FORKED_THREADS; i++) {
                String thread = "f" + i; // of a resource, it is among those of the resource, and not found here
                done.add(Outcome.of(() -> tenant.threads()
                        .delete(new ThreadOwner(null, null), thread, deletion -> deletion.cancelRuns()
                                .withRuns())));
            }
            runs();
            forget();
            lookForRest();
            return done;
        });
    }

    private void forget() {
        for (String resource : Choice.RESOURCES) {
            done.add(tenant.memory().forget(resource, deletion -> deletion.cancelRuns()));
        }
    }

    private void threads() {
        for (String resource : Choice.RESOURCES) {
            for (ThreadRecord thread : tenant.threads().list(resource, 0, Turn.ALL)) {
                done.add(thread.threadId()
                        + tenant.threads().delete(thread.owner(), thread.threadId(), deletion -> deletion.cancelRuns()
                                .withRuns()));
            }
        }
    }

    private void prune() {
        for (RunRecord run : tenant.runs(RunFilter.ROOTS.limit(Turn.ALL))) {
            done.add(tenant.cancel(run.runId()));
        }
        turn.stage().clock().advance(Duration.ofDays(90));
        done.add(turn.runtime().operator().prune(Duration.ofDays(40)));
    }

    private void runs() {
        for (RunRecord run : tenant.runs(RunFilter.ROOTS.limit(Turn.ALL))) {
            done.add(tenant.cancel(run.runId()));
            done.add(tenant.handle(run.runId()).delete());
        }
    }

    private void lookForRest() {
        List<Object> left = new ArrayList<>(turn.runs());
        left.addAll(tenant.pendingApprovals(WaitingFilter.ALL));
        left.addAll(tenant.tasks(TaskFilter.ALL));
        for (String resource : Choice.RESOURCES) {
            left.addAll(tenant.threads().list(resource, 0, Turn.ALL));
            tenant.memory().workingMemory(ScopeRef.resource(resource)).ifPresent(left::add);
        }
        if (!left.isEmpty()) {
            turn.faults().accept("this is left after everything was deleted: " + Shown.of(left));
        }
    }
}
