package dev.chargehand.verify.kill;

import dev.chargehand.verify.CaseOptions;
import dev.chargehand.verify.Cases;
import dev.chargehand.verify.Harness;
import dev.chargehand.verify.StoreKind;
import dev.chargehand.verify.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Kills processes with SIGKILL in the middle of runs, or asks them to terminate with SIGTERM, again while others go on with
 * them, or lets the store of a process fail for a while, or its disk be full; and looks at what they acknowledged, what is
 * stored, what was done and how the runs end.
 */
@Command(
        name = "kill",
        description = "Kills processes in the middle of runs, and lets others go on.",
        mixinStandardHelpOptions = true)
public final class KillHarness implements Harness {

    private static final long DEFAULT_N = 2_000;
    private static final Duration LONGEST = Duration.ofMinutes(30);

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "sqlite (the default) or postgres.")
    private StoreKind store = StoreKind.SQLITE;

    private final Tally tally = new Tally("lost", "doubled", "unresumable", "different", "unreleased");

    /** Makes the harness as the command has it. */
    public KillHarness() {
        this.cases = new CaseOptions();
    }

    /** Makes the harness of a sample. */
    public KillHarness(CaseOptions cases, StoreKind store) {
        this.cases = cases;
        this.store = store;
    }

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        if (store == StoreKind.MEMORY) {
            throw new IllegalArgumentException("A store in memory is gone with its process: sqlite or postgres.");
        }
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            ChildJava java = ChildJava.in(stores.folder());
            train(java, stores);
            long wanted = cases.numbers(DEFAULT_N).count();
            AtomicLong chains = new AtomicLong();
            LongStream numbers = cases.isSingle()
                    ? cases.numbers(DEFAULT_N)
                    : LongStream.iterate(1, number -> tally.cases() < wanted, number -> number + 1);
            Cases.run(
                    numbers,
                    Runtime.getRuntime().availableProcessors(),
                    LONGEST,
                    number -> {
                        chains.incrementAndGet();
                        one(number, java, stores, tally);
                    },
                    (number, where) -> tally.addFault("unresumable", cases.again(number) + " hangs at " + where),
                    (number, what) -> tally.addFault("unresumable", cases.again(number) + " threw " + what));
            tally.figure("chains", chains);
        }
        return tally;
    }

    /** Lets a process run to its end once, so that the others find their classes loaded. */
    private static void train(ChildJava java, TemporaryStores stores)
            throws IOException, SQLException, InterruptedException {
        StorePlace place = stores.make();
        List<String> arguments = List.of(place.address(), Scenario.QUESTIONS.name(), KillPoint.NEVER.text(), "exit");
        Decisions decisions = new Decisions(new SplittableRandom(1), 1, callId -> false);
        ChildProcess.run(
                java.trainingCommand(KillChild.class, arguments), KillPoint.NEVER, decisions::reply, line -> {});
        stores.remove(place);
    }

    private void one(long number, ChildJava java, TemporaryStores stores, Tally tally) {
        try {
            StorePlace place = stores.make();
            KillChain chain = new KillChain(
                    cases.random(number),
                    java,
                    place,
                    (kind, what) -> tally.addFault(kind, cases.again(number) + ": " + what));
            int kills = chain.run();
            for (int i = 0; i < kills; i++) {
                tally.addCase();
            }
            stores.remove(place);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
