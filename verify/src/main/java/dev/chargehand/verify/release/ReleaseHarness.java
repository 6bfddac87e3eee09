package dev.chargehand.verify.release;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.TemporaryStores;
import java.util.PrimitiveIterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Terminates one of two processes while it executes many runs: the other one finishes all of them, and every effect
 * happens once.
 */
@Command(
        name = "release",
        description = "Terminates a process that executes many runs.",
        mixinStandardHelpOptions = true)
public final class ReleaseHarness implements Harness {

    private static final long DEFAULT_ROUNDS = 5;

    @Mixin
    private final CaseOptions rounds;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind store = StoreKind.SQLITE;

    @Option(names = "--runs", paramLabel = "COUNT", description = "How many runs in flight; 200 by default.")
    private int runs = 200;

    private final Tally tally = new Tally("lost", "doubled");

    /** Make the harness as the command has it. */
    public ReleaseHarness() {
        this.rounds = new CaseOptions();
    }

    /** Make the harness of a sample. */
    public ReleaseHarness(CaseOptions rounds, StoreKind store, int runs) {
        this.rounds = rounds;
        this.store = store;
        this.runs = runs;
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
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            PrimitiveIterator.OfLong numbers = rounds.numbers(DEFAULT_ROUNDS).iterator();
            while (numbers.hasNext()) {
                long number = numbers.nextLong();
                // After so many effects, of three for each run, the process is terminated.
                int effects = rounds.random(number).nextInt(1, 2 * runs);
                new ReleaseRound(stores.make(), runs, effects, tally, rounds.again(number)).play();
            }
        }
        return tally;
    }
}
