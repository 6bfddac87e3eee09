package dev.chargehand.verify.watch;

import dev.chargehand.AgentRuntime;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Cuts readers of runs: after every single event, and at random places while processes of the runs are killed. Every
 * event with an id is received once, in order. A case is one reader.
 */
@Command(
        name = "watch",
        description = "Cuts readers of the events of runs, and kills the processes of the runs.",
        mixinStandardHelpOptions = true)
public final class WatchHarness implements Harness {

    private static final long DEFAULT_CASES = 1_000;
    private static final long ROUNDS_PER_STORE = 50;
    private static final int RUNS_PER_KILL = 8;

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind store = StoreKind.SQLITE;

    @Option(
            names = "--kill-every",
            description = "In which rounds a process is killed: every tenth by default; 0 for none.")
    private int killEvery = 10;

    private final Tally tally = new Tally("lost", "doubled", "disordered");

    /** Make the harness as the command has it. */
    public WatchHarness() {
        this.cases = new CaseOptions();
    }

    /** Make the harness of a sample. */
    public WatchHarness(CaseOptions cases, StoreKind store, int killEvery) {
        this.cases = cases;
        this.store = store;
        this.killEvery = killEvery;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        if (store == StoreKind.MEMORY) {
            throw new IllegalArgumentException("Two processes need a store that both can open: sqlite or postgres.");
        }
        long wanted = cases.numbers(DEFAULT_CASES).count();
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            long round = 0;
            while (tally.cases() < wanted) {
                round = shared(stores, round, wanted);
            }
        }
        return tally;
    }

    /** Rounds on one store. */
    private long shared(TemporaryStores stores, long from, long wanted) throws Exception {
        StorePlace place = stores.make();
        long round = from;
        WatchCrew crew = new WatchCrew(false);
        try (AgentRuntime one = crew.runtime(place.open());
                AgentRuntime other = crew.runtime(place.open())) {
            List<AgentRuntime> processes = List.of(one, other);
            do {
                round++;
                String again = "round " + round;
                if (killEvery > 0 && round % killEvery == 0) {
                    new KillRound(stores.make(), RUNS_PER_KILL, cases.random(round), tally, again).play();
                } else {
                    new WatchRound(crew, processes, cases.random(round), tally, again).play();
                }
            } while (tally.cases() < wanted && round % ROUNDS_PER_STORE != 0);
        }
        return round;
    }
}
