package dev.chargehand.verify.server;

import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.LoadSample;
import dev.chargehand.verify.harness.RunCosts;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
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
 * happens once. {@link ServerMode#ACCEPT} kills a server while two runs are started on a thread: both end once, in order.
 * {@link ServerMode#DRAIN} terminates a server while each of its runs has a call in flight: no call is made
 * twice or given up, and every reader continues without a gap. {@link ServerMode#NEIGHBOUR} lets the runs of a tenant
 * hang: those of another tenant end, and their times before that and at the same time are reported of the last round.
 * {@link ServerMode#STALLED} lets one more reader of a run stop reading: the others read everything, the server ends its
 * stream and holds at most 2 MiB and the text of the run for it until then, and it continues with its cursor. The ratio of the times of runs with
 * and without it is reported, but for the first round; a busy machine changes it. {@link ServerMode#LOAD} starts and reads
 * runs for minutes, and looks after each of them at what the process holds, and at the processor time of a run.
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

    @Option(names = "--mode", description = "accept, cuts, drain, neighbour, stalled or load; cuts by default.")
    private ServerMode mode = ServerMode.CUTS;

    @Option(
            names = "--runs",
            paramLabel = "COUNT",
            description = "How many runs, or threads, a store has; 30 by default.")
    private int runs = 30;

    @Option(names = "--readers", paramLabel = "COUNT", description = "How many read a run; 100 by default.")
    private int readers = 100;

    @Option(names = "--streams", paramLabel = "COUNT", description = "How many are open at once; 1,000 by default.")
    private int streams = 1_000;

    @Option(names = "--minutes", paramLabel = "MINUTES", description = "For how long there is load; 10 by default.")
    private int minutes = 10;

    @Option(names = "--binding", description = "helidon or jdk, for stalled and load; helidon by default.")
    private HttpBinding binding = HttpBinding.HELIDON;

    private boolean brief;

    private final Tally tally = new Tally("lost", "doubled", "disordered", "hung", "grows");
    private final RunCosts without = new RunCosts();
    private final RunCosts with = new RunCosts();
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
        this.brief = true;
    }

    /** Serve with this binding, and have so many readers of a run, or streams. */
    ServerHarness with(HttpBinding other, int count) {
        this.binding = other;
        this.readers = count;
        this.streams = count;
        return this;
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
        long wanted = mode == ServerMode.LOAD ? 1 : cases.numbers(DEFAULT_CASES).count();
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            for (long round = 1; tally.cases() < wanted; round++) {
                StorePlace place = stores.make();
                Path ledger = stores.folder().resolve("ledger-" + round);
                switch (mode) {
                    case CUTS -> cut(place, ledger, round);
                    case ACCEPT -> accept(place, ledger, round);
                    case DRAIN -> drain(place, ledger, round);
                    case NEIGHBOUR -> disturb(place, round);
                    case STALLED -> stall(place, round);
                    case LOAD -> load(place);
                }
                stores.remove(place);
                Files.deleteIfExists(ledger);
            }
        }
        return tally;
    }

    private void cut(StorePlace place, Path ledger, long round) throws IOException, InterruptedException {
        add("runs", runs);
        add("kills", new ServerRound(place, ledger, runs, cases.random(round), tally, "round " + round).play());
    }

    private void accept(StorePlace place, Path ledger, long round) throws IOException, InterruptedException {
        add("kills", new AcceptRound(place, ledger, runs, cases.random(round), tally, "round " + round).play());
    }

    private void drain(StorePlace place, Path ledger, long round) throws IOException, InterruptedException {
        DrainRound.Left left = new DrainRound(
                        place, ledger, brief ? ServerWork.HELD_BRIEFLY : ServerWork.HELD, runs, tally, "round " + round)
                .play();
        add("runs", runs);
        add("in_flight", left.inFlight());
        add("released", left.released());
    }

    private void disturb(StorePlace place, long round) throws IOException, InterruptedException {
        Latencies before = new Latencies();
        Latencies beside = new Latencies();
        new NeighbourRound(runs, Math.max(QUIET_RUNS, runs / 5), tally, "round " + round)
                .play(place.open(), before, beside);
        add("runs", runs);
        before.report(tally, "before");
        beside.report(tally, "beside");
        double ratio = beside.percentileMillis(0.99) / before.percentileMillis(0.99);
        tally.figure("ratio_p99", String.format(Locale.ROOT, "%.2f", ratio));
    }

    private void stall(StorePlace place, long round) throws IOException, InterruptedException {
        int length =
                binding == HttpBinding.JDK ? 4_000 : 1_000; // the system holds up to 4 MB for a connection of the JDK
        TalkingCrew crew = new TalkingCrew(16, 100, length, brief ? Duration.ZERO : Duration.ofMillis(2));
        Duration longestWrite = brief ? Duration.ofSeconds(2) : ServerTimeLimit.WRITE.byDefault();
        boolean first = round == 1; // the compiler has not seen the code
        new StalledRound(crew, readers, binding, longestWrite, tally, "round " + round)
                .play(place.open(), first ? new RunCosts() : without, first ? new RunCosts() : with);
        if (!first) {
            RunCosts.compare(without, with, crew.characters(), tally);
        }
    }

    private void load(StorePlace place) throws IOException {
        TalkingCrew crew = brief ? new TalkingCrew(2, 5, 20, Duration.ZERO) : TalkingCrew.STEADY;
        Duration minute = brief ? Duration.ofMillis(500) : Duration.ofMinutes(1);
        List<LoadSample> samples =
                new LoadRound(crew, streams, minute, binding, tally).play(place.open(), brief ? 1 : minutes);
        if (!brief) {
            LoadSample.judge(samples, tally);
        }
    }

    private void add(String name, long value) {
        tally.figure(name, figures.merge(name, value, Long::sum));
    }
}
