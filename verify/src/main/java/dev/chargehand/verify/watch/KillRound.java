package dev.chargehand.verify.watch;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.event.EventId;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.harness.LineProcess;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs whose process is killed and that this process finishes, with readers here that are cut at random places. */
final class KillRound {

    private static final Approver ANN = Approver.of("ann");
    private static final int LONGEST = 12;
    private static final int MOST_MILLIS = 150;
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(20);

    private final StorePlace place;
    private final int runs;
    private final SplittableRandom random;
    private final Tally tally;
    private final String again;
    private final Map<RunId, CutReader> readers = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    KillRound(StorePlace place, int runs, SplittableRandom random, Tally tally, String again) {
        this.place = place;
        this.runs = runs;
        this.random = random;
        this.tally = tally;
        this.again = again;
    }

    void play() throws IOException, InterruptedException {
        try (AgentRuntime here = new WatchCrew(false).runtime(place.open());
                AgentRuntime beside = new WatchCrew(false).runtime(place.open())) {
            List<AgentRuntime> processes = List.of(here, beside);
            CountDownLatch started = new CountDownLatch(runs);
            try (LineProcess child = LineProcess.start(
                    WatchChild.class,
                    line -> {
                        read(processes, new RunId(line));
                        started.countDown();
                    },
                    place.address(),
                    String.valueOf(runs))) {
                started.await();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
                child.kill();
            }
            for (RunId run : readers.keySet()) {
                finish(here, run);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            readers.forEach((run, reader) -> {
                List<EventId> stored = WatchRound.stored(beside, run);
                reader.check(stored, tally, again);
            });
        }
    }

    private synchronized void read(List<AgentRuntime> processes, RunId run) {
        SplittableRandom cuts = random.split();
        CutReader reader = new CutReader(processes, run, () -> cuts.nextInt(1, LONGEST), random.split());
        readers.put(run, reader);
        threads.add(Thread.ofVirtual().start(reader));
    }

    /** The death of a process is noticed at once, but not by every call. */
    private static void finish(AgentRuntime here, RunId run) {
        while (true) {
            try {
                RunResult result = here.resume(run, o -> {}).result();
                while (result.status() == RunStatus.SUSPENDED) {
                    result = here.approve(result.pendingApprovals().getFirst(), ANN)
                            .result();
                }
                return;
            } catch (ChargehandException e) {
                LockSupport.parkNanos(BETWEEN_LOOKS);
            }
        }
    }
}
