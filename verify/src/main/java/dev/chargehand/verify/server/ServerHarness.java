package dev.chargehand.verify.server;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Cuts streams of events over HTTP at random places, while the two servers that write them are killed and replaced. Every
 * event with an id is received once, in order; a start that is repeated with its key is the same run; every effect
 * happens once. A case is one connection of a stream.
 */
@Command(
        name = "server",
        description = "Cuts streams of events over HTTP, and kills the servers that write them.",
        mixinStandardHelpOptions = true)
public final class ServerHarness implements Harness {

    private static final long DEFAULT_CASES = 1_000;

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind store = StoreKind.SQLITE;

    @Option(names = "--runs", paramLabel = "COUNT", description = "How many runs a store has; 30 by default.")
    private int runs = 30;

    private final Tally tally = new Tally("lost", "doubled", "disordered", "hung");

    /** Make the harness as the command has it. */
    public ServerHarness() {
        this.cases = new CaseOptions();
    }

    /** Make the harness of a sample. */
    public ServerHarness(CaseOptions cases, StoreKind store, int runs) {
        this.cases = cases;
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
            throw new IllegalArgumentException("Two servers need a store that both can open: sqlite or postgres.");
        }
        long wanted = cases.numbers(DEFAULT_CASES).count();
        long read = 0;
        long killed = 0;
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            for (long round = 1; tally.cases() < wanted; round++) {
                StorePlace place = stores.make();
                Path ledger = stores.folder().resolve("ledger-" + round);
                killed += new ServerRound(place, ledger, runs, cases.random(round), tally, "round " + round).play();
                read += runs;
                tally.figure("runs", read);
                tally.figure("kills", killed);
                stores.remove(place);
                Files.deleteIfExists(ledger);
            }
        }
        return tally;
    }
}
