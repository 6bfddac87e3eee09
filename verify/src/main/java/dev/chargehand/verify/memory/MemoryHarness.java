package dev.chargehand.verify.memory;

import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Kill processes that edit working memory, that talk with recall, that observe one conversation, and that index threads which are
 * deleted meanwhile. Every edit counts once, every message is found once and by its owner only, or observed once, and nothing of a
 * deleted thread is left.
 *
 * <p>Working memory has 16 KB at most, so the processes replace notes by their number at times; the edits are counted
 * by that text and by the revision. The leases of a killed process on memory work, of two minutes, are ended by the harness.
 */
@Command(
        name = "memory",
        description = "Kills processes that edit working memory, talk with recall, observe, and index threads.",
        mixinStandardHelpOptions = true)
public final class MemoryHarness implements Harness {

    private static final long MOST_OF_A_PART = 1_000_000;
    private static final int STEPS_OF_A_KILL = 100;

    @Option(
            names = "--n",
            paramLabel = "COUNT",
            description = "How many edits; 2000 by default. There is a turn for four of them.")
    private long n = 2_000;

    @Option(names = "--seed", description = "Where processes are killed; 1 by default.")
    private long seed = 1;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind kind = StoreKind.SQLITE;

    private final Tally tally;
    private int kills;

    /** Make the harness as the command has it. */
    public MemoryHarness() {
        this.tally = new Tally("foreign", "lost", "doubled", "orphans");
    }

    /** Make the harness of a sample. */
    public MemoryHarness(long n, long seed, StoreKind kind) {
        this();
        this.n = n;
        this.seed = seed;
        this.kind = kind;
    }

    private MemoryHarness(long n, Tally tally) {
        this.n = n;
        this.tally = tally;
    }

    /**
     * Kill processes on other stores.
     *
     * @param stores makes an empty store
     * @param tally has the kinds of faults of this harness
     * @return how many were killed
     */
    public static int kill(Callable<StorePlace> stores, long n, SplittableRandom random, Tally tally) throws Exception {
        MemoryHarness harness = new MemoryHarness(n, tally);
        harness.play(stores, random);
        return harness.kills;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        if (kind == StoreKind.MEMORY) {
            throw new IllegalArgumentException("Two processes need a store that both can open: sqlite or postgres.");
        }
        System.out.println("memory: --n " + n + " --seed " + seed + " --store " + kind);
        try (TemporaryStores stores = TemporaryStores.of(kind)) {
            play(stores::make, new SplittableRandom(seed));
        }
        tally.figure("kills", kills);
        return tally;
    }

    private void play(Callable<StorePlace> stores, SplittableRandom random) throws Exception {
        editing(stores.call(), steps(n / 4, 1), random.split());
        talking(stores.call(), steps(n / 8, Turn.LANES), random.split());
        observing(stores.call(), steps(n / 8, 4), random.split());
        deleting(stores.call(), steps(n / 24, 4), random.split());
    }

    private static int steps(long wanted, int least) {
        return (int) Math.max(least, Math.min(MOST_OF_A_PART, wanted));
    }

    private static int kills(int steps) {
        return 1 + steps / STEPS_OF_A_KILL;
    }

    private void editing(StorePlace place, int ofEach, SplittableRandom random) throws Exception {
        EditCheck check = new EditCheck(place, ofEach, tally);
        check.prepare();
        try (Rows rows = Rows.of(place)) {
            play(place, rows, Task.EDIT, Pair.PROCESSES, ofEach, random);
        }
        check.check();
    }

    private void talking(StorePlace place, int ofEach, SplittableRandom random) throws Exception {
        try (Rows rows = Rows.of(place)) {
            play(place, rows, Task.TALK, Pair.PROCESSES, ofEach, random);
            new TalkCheck(place, rows, ofEach, tally).check();
        }
    }

    private void observing(StorePlace place, int ofEach, SplittableRandom random) throws Exception {
        try (Rows rows = Rows.of(place)) {
            play(place, rows, Task.OBSERVE, Pair.PROCESSES, ofEach, random);
            new ObservationCheck(place, rows, ofEach, tally).check();
        }
    }

    private void play(StorePlace place, Rows rows, Task task, int processes, int steps, SplittableRandom random)
            throws Exception {
        try (Pair pair = new Pair(place, rows, task, processes, steps, kills(processes * steps), random, tally)) {
            kills += pair.play(number -> {});
        }
    }

    private void deleting(StorePlace place, int threads, SplittableRandom random) throws Exception {
        try (Rows rows = Rows.of(place);
                Deletions deletions = new Deletions(place, rows, threads, random.split(), tally)) {
            try (Pair pair = new Pair(place, rows, Task.FILL, 1, threads, 1 + threads / 10, random, tally)) {
                kills += pair.play(deletions::filled);
            }
            deletions.check();
        }
    }
}
