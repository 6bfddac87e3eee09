package dev.chargehand.verify.release;

import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.LineProcess;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One round: a process starts runs and is terminated, another one finishes them, and what the store holds is checked. */
final class ReleaseRound {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int PAGE = 500;

    private final StorePlace place;
    private final int runs;
    private final Tally tally;
    private final String again;
    private final Map<String, Integer> effects = new ConcurrentHashMap<>();

    /** The tasks whose caller was answered that the process starts no more runs. */
    private final Set<String> notStarted = ConcurrentHashMap.newKeySet();

    private final CountDownLatch effectsBefore;
    private final CountDownLatch ready = new CountDownLatch(1);

    /**
     * Prepare a round.
     *
     * @param effectsBefore after how many effects the first process is terminated
     */
    ReleaseRound(StorePlace place, int runs, int effectsBefore, Tally tally, String again) {
        this.place = place;
        this.runs = runs;
        this.effectsBefore = new CountDownLatch(effectsBefore);
        this.tally = tally;
        this.again = again;
    }

    void play() throws IOException, InterruptedException {
        try (LineProcess second = start(0)) {
            if (!ready.await(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                tally.addFault("lost", again + ": the second process does not start");
                return;
            }
            try (LineProcess first = start(runs)) {
                if (!effectsBefore.await(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                    tally.addFault("lost", again + ": the first process executes too little");
                }
                first.terminate();
            }
            try (Store store = place.open()) {
                awaitEnds(store);
                List<RunRecord> all = store.list(RunFilter.ALL.limit(PAGE + 2 * runs));
                all.stream().filter(RunRecord::isRoot).forEach(run -> check(store, run));
                all.stream()
                        .filter(run -> !run.status().isEnded())
                        .forEach(run -> tally.addFault("lost", again + ": " + run.path() + " is " + run.status()));
                effects.forEach((effect, times) -> {
                    if (times > 1) {
                        tally.addFault("doubled", again + ": " + effect + " happened " + times + " times");
                    }
                });
            }
        }
    }

    /** Start a process that starts so many runs, or resumes those of others if there are none to start. */
    private LineProcess start(int count) throws IOException {
        return LineProcess.start(ReleaseChild.class, this::hear, place.address(), String.valueOf(count));
    }

    private void hear(String line) {
        if (line.equals(ReleaseChild.READY)) {
            ready.countDown();
        } else if (line.startsWith(ReleaseChild.EFFECT)) {
            effects.merge(line.substring(ReleaseChild.EFFECT.length() + 1), 1, Integer::sum);
            effectsBefore.countDown();
        } else if (line.startsWith(ReleaseChild.NOT_STARTED)) {
            notStarted.add(line.substring(ReleaseChild.NOT_STARTED.length() + 1));
        } else if (line.startsWith(ReleaseChild.BROKE)) {
            tally.addFault("lost", again + ": " + line);
        }
    }

    private static void awaitEnds(Store store) {
        long until = System.nanoTime() + LONGEST.toNanos();
        RunFilter open =
                RunFilter.ROOTS.statuses(RunStatus.RUNNING, RunStatus.SUSPENDED).limit(1);
        while (!store.list(open).isEmpty() && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    /** A run that is in the store must have ended with everything done. */
    private void check(Store store, RunRecord run) {
        tally.addCase();
        State state = Journal.look(store, run);
        String task = state.started().input().getFirst().text();
        if (run.status() != RunStatus.COMPLETED || !state.text().equals(ReleaseCrew.ANSWER)) {
            tally.addFault("lost", again + ": " + task + " is " + run.status() + " with \"" + state.text() + "\"");
        }
        if (notStarted.contains(task)) {
            tally.addFault(
                    "lost", again + ": " + task + " is stored, and its caller was answered that it does not start");
        }
        for (String slot : ReleaseCrew.SLOTS) {
            if (!effects.containsKey(task + " " + slot)) {
                tally.addFault("lost", again + ": " + task + " has no effect " + slot);
            }
        }
    }
}
