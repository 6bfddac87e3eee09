package dev.chargehand.verify.server;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Tries to lose events and effects of runs that are started and read over HTTP.
 *
 * <p>{@link ServerMode#CUTS} cuts streams at random places, while the two servers that write them are killed and replaced.
 * Every event with an id is received once, in order; a start that is repeated with its key is the same run; every effect
 * happens once. {@link ServerMode#DRAIN} terminates a server while each of its runs has a call in flight: no call is made
 * twice or given up, and every reader continues without a gap. {@link ServerMode#NEIGHBOUR} lets the runs of a tenant
 * hang: those of another tenant end, and their times before that and at the same time are reported of the last round.
 *
 * <p>A case is one connection of a stream, one reader, or one run.
 */
@Command(
        name = "server",
        description = "Cuts streams of events over HTTP, and kills or terminates the servers that write them.",
        mixinStandardHelpOptions = true)
public final class ServerHarness implements Harness {

    private static final long DEFAULT_CASES = 1_000;
    private static final int QUIET_RUNS = 10;

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind store = StoreKind.SQLITE;

    @Option(names = "--mode", description = "cuts, drain or neighbour; cuts by default.")
    private ServerMode mode = ServerMode.CUTS;

    @Option(names = "--runs", paramLabel = "COUNT", description = "How many runs a store has; 30 by default.")
    private int runs = 30;

    private ServerWork held = ServerWork.HELD;

    private final Tally tally = new Tally("lost", "doubled", "disordered", "hung");
    private final Map<String, Long> figures = new HashMap<>();

    /** Make the harness as the command has it. */
    public ServerHarness() {
        this.cases = new CaseOptions();
    }

    /** Make the harness of a sample. */
    public ServerHarness(ServerMode mode, CaseOptions cases, StoreKind store, int runs) {
        this.mode = mode;
        this.cases = cases;
        this.store = store;
        this.runs = runs;
        this.held = ServerWork.HELD_BRIEFLY;
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
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            for (long round = 1; tally.cases() < wanted; round++) {
                StorePlace place = stores.make();
                Path ledger = stores.folder().resolve("ledger-" + round);
                switch (mode) {
                    case CUTS -> cut(place, ledger, round);
                    case DRAIN -> drain(place, ledger, round);
                    case NEIGHBOUR -> disturb(place, round);
                }
                add("runs", runs);
                stores.remove(place);
                Files.deleteIfExists(ledger);
            }
        }
        return tally;
    }

    private void cut(StorePlace place, Path ledger, long round) throws IOException, InterruptedException {
        add("kills", new ServerRound(place, ledger, runs, cases.random(round), tally, "round " + round).play());
    }

    private void drain(StorePlace place, Path ledger, long round) throws IOException, InterruptedException {
        DrainRound.Left left = new DrainRound(place, ledger, held, runs, tally, "round " + round).play();
        add("in_flight", left.inFlight());
        add("released", left.released());
    }

    private void disturb(StorePlace place, long round) throws IOException, InterruptedException {
        Latencies before = new Latencies();
        Latencies beside = new Latencies();
        new NeighbourRound(runs, Math.max(QUIET_RUNS, runs / 5), tally, "round " + round)
                .play(place.open(), before, beside);
        before.report(tally, "before");
        beside.report(tally, "beside");
        double ratio = beside.percentileMillis(0.99) / before.percentileMillis(0.99);
        tally.figure("ratio_p99", String.format(Locale.ROOT, "%.2f", ratio));
    }

    private void add(String name, long value) {
        tally.figure(name, figures.merge(name, value, Long::sum));
    }
}
