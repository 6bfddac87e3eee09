package dev.chargehand.verify.watch;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.EventId;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.harness.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/**
 * A run that one of two runtimes of a store executes, while readers in both are cut, one of them after every event; then
 * every place of the run at which a reader can be cut.
 */
final class WatchRound {

    private static final Approver ANN = Approver.of("ann");
    private static final int LONGEST = 20;

    private final WatchCrew crew;
    private final List<AgentRuntime> processes;
    private final SplittableRandom random;
    private final Tally tally;
    private final String again;

    WatchRound(WatchCrew crew, List<AgentRuntime> processes, SplittableRandom random, Tally tally, String again) {
        this.crew = crew;
        this.processes = processes;
        this.random = random;
        this.tally = tally;
        this.again = again;
    }

    void play() throws InterruptedException {
        RunId run;
        List<CutReader> readers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (RunStream stream = crew.stream(any(), random.nextBoolean())) {
            run = stream.runId();
            SplittableRandom cuts = random.split();
            readers.add(reader(run, () -> 1));
            readers.add(reader(run, () -> cuts.nextInt(1, LONGEST)));
            readers.add(reader(run, () -> Integer.MAX_VALUE));
            readers.forEach(reader -> threads.add(Thread.ofVirtual().start(reader)));
            RunResult result = stream.result();
            while (result.status() == RunStatus.SUSPENDED) {
                result =
                        any().approve(result.pendingApprovals().getFirst(), ANN).result();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        List<EventId> stored = stored(any(), run);
        readers.forEach(reader -> reader.check(stored, tally, again));
        for (int at = 1; at < stored.size(); at++) {
            int[] cut = {at, Integer.MAX_VALUE};
            int[] next = {0};
            CutReader reader = reader(run, () -> cut[next[0]++]);
            reader.run();
            reader.check(stored, tally, again);
        }
    }

    private AgentRuntime any() {
        return processes.get(random.nextInt(processes.size()));
    }

    private CutReader reader(RunId run, IntSupplier cuts) {
        return new CutReader(processes, run, cuts, random.split());
    }

    static List<EventId> stored(AgentRuntime runtime, RunId run) {
        return runtime.history(run).stream()
                .flatMap(event -> event.origin().id().stream())
                .toList();
    }
}
