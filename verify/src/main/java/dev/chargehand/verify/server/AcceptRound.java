package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.server.client.Http;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Servers are killed while they accept starts. Of each thread two runs are started, the second one when the first was
 * accepted: both end, once, and the second one has read the first.
 */
final class AcceptRound {

    private static final int[] MOST_MILLIS_TO_KILL = {5, 25, 120};
    private static final Duration HUNG = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(50);

    private final StorePlace place;
    private final Path ledger;
    private final int threads;
    private final SplittableRandom random;
    private final Tally tally;
    private final String again;
    private final List<Started> started = new ArrayList<>();

    /**
     * A run that a server has accepted.
     *
     * @param tasks what was asked for on its thread, up to its own task
     */
    private record Started(String run, List<String> tasks) {}

    /** Make it, for a number of threads. */
    AcceptRound(StorePlace place, Path ledger, int threads, SplittableRandom random, Tally tally, String again) {
        this.place = place;
        this.ledger = ledger;
        this.threads = threads;
        this.random = random;
        this.tally = tally;
        this.again = again;
    }

    /** Play it; returns how many servers were killed. */
    int play() throws IOException, InterruptedException {
        int kills = 0;
        try (Servers servers = Servers.start(place, ledger, ServerWork.HEARD, 2)) {
            for (int number = 0; number < threads; number++) {
                String thread = "thread-" + number;
                SplittableRandom own = random.split();
                Thread starter = Thread.ofVirtual().start(() -> start(servers, thread, own));
                int most = MOST_MILLIS_TO_KILL[random.nextInt(MOST_MILLIS_TO_KILL.length)];
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(most)));
                kills += servers.killAndReplace(random);
                starter.join();
            }
            awaitEnds();
            started.forEach(run -> checkResult(servers, run));
        }
        checkStore();
        checkBookings();
        return kills;
    }

    private void start(Servers servers, String thread, SplittableRandom own) {
        List<String> tasks = new ArrayList<>();
        for (String task : List.of(thread + "-first", thread + "-second")) {
            tasks.add(task);
            String run = KeyedStart.onThread(servers, HearingCrew.HEARER, task, thread, this::fault)
                    .start(own);
            if (run.isEmpty()) {
                return;
            }
            started.add(new Started(run, List.copyOf(tasks)));
        }
    }

    /** Wait until all runs have ended, as long as some still do. */
    private void awaitEnds() {
        try (AgentRuntime runtime = observer()) {
            long open = Long.MAX_VALUE;
            long since = System.nanoTime();
            while (open > 0 && System.nanoTime() - since < HUNG.toNanos()) {
                long now = roots(runtime).stream()
                        .filter(run -> !run.status().isEnded())
                        .count();
                if (now < open) {
                    open = now;
                    since = System.nanoTime();
                }
                LockSupport.parkNanos(BETWEEN_LOOKS);
            }
            if (open > 0) {
                fault("hung", open + " runs have not ended");
            }
        }
    }

    private AgentRuntime observer() {
        return AgentRuntime.builder()
                .store(place.open())
                .providers()
                .wakeups(Wakeups.off())
                .build();
    }

    private List<RunRecord> roots(AgentRuntime runtime) {
        return runtime.runs(RunFilter.ROOTS.limit(10 + 4 * threads));
    }

    private void checkResult(Servers servers, Started run) {
        tally.addCase();
        String wanted = HearingCrew.answer(run.tasks());
        try {
            Http.Answer result = Http.get(servers.first(), "/api/v1/runs/" + run.run() + "/result");
            if (!result.at("/text").equals(wanted)) {
                fault("disordered", run.run() + " should answer '" + wanted + "', and has the result " + result);
            }
        } catch (IOException e) {
            fault("lost", run.run() + " has no result: " + e);
        }
    }

    private void checkStore() {
        try (AgentRuntime runtime = observer()) {
            int stored = roots(runtime).size();
            if (stored != 2 * threads) {
                fault(stored < 2 * threads ? "lost" : "doubled", stored + " runs are stored of " + 2 * threads);
            }
        }
    }

    /** Each booking has one key. */
    private void checkBookings() {
        Map<String, List<OutsideLedger.Effect>> bookings = new OutsideLedger(ledger).bySubject();
        for (Started run : started) {
            String task = run.tasks().getLast();
            long keys = bookings.getOrDefault(task, List.of()).stream()
                    .map(OutsideLedger.Effect::key)
                    .distinct()
                    .count();
            if (keys != 1) {
                fault(keys == 0 ? "lost" : "doubled", task + " was booked under " + keys + " keys");
            }
        }
    }

    private void fault(String kind, String what) {
        tally.addFault(kind, again + ": " + what);
    }
}
