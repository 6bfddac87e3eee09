package dev.chargehand.verify.kill;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.kill.plan.Scenario;
import dev.chargehand.verify.kill.plan.Subject;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import dev.chargehand.verify.workflows.RandomWorkflow;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Kill processes with SIGKILL in the middle of runs, asks them to terminate with SIGTERM, or stops them with SIGSTOP
 * until another process has taken their run over, again while others continue them; or lets the store of a process fail
 * for a while, its disk be full, or its clock be set; and looks at what they acknowledged, what is stored, what was
 * done, how the runs end and what their callers get.
 *
 * <p>The lease of a stopped process is ended in the store, since its 30 seconds are too long to wait for each time;
 * case 0, which a sample does not have, waits for them.
 */
@Command(
        name = "kill",
        description = "Kills or stops processes in the middle of runs, and lets others go on.",
        mixinStandardHelpOptions = true)
public final class KillHarness implements Harness {

    private static final long DEFAULT_N = 2_000;
    private static final List<Scenario> SCENARIOS = List.of(Scenario.values());
    private static final long LEASE_CASE = 0;
    private static final Duration LONGEST = Duration.ofMinutes(30);

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "sqlite (the default) or postgres.")
    private StoreKind store = StoreKind.SQLITE;

    @Option(names = "--workflows", description = "Run random workflows instead of agents.")
    private boolean workflows;

    private final Tally tally = new Tally("lost", "doubled", "unresumable", "different", "unreleased", "lost_callers");
    private final AtomicLong chains = new AtomicLong();
    private final AtomicLong stops = new AtomicLong();
    private final AtomicLong late = new AtomicLong();
    private final boolean waitsForLease;

    /** Make the harness as the command has it. */
    public KillHarness() {
        this.cases = new CaseOptions();
        this.waitsForLease = true;
    }

    /**
     * Make the harness of a sample.
     *
     * @param workflows whether it runs workflows instead of agents
     */
    public KillHarness(CaseOptions cases, StoreKind store, boolean workflows) {
        this.cases = cases;
        this.store = store;
        this.workflows = workflows;
        this.waitsForLease = false;
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
            LongStream numbers = cases.isSingle()
                    ? cases.numbers(DEFAULT_N)
                    : LongStream.iterate(
                            waitsForLease && !workflows ? LEASE_CASE : 1,
                            number -> tally.cases() < wanted,
                            number -> number + 1);
            Cases.run(
                    numbers,
                    Runtime.getRuntime().availableProcessors(),
                    LONGEST,
                    number -> {
                        chains.incrementAndGet();
                        one(number, java, stores);
                    },
                    (number, where) -> tally.addFault("unresumable", cases.again(number) + " hangs at " + where),
                    (number, what) -> tally.addFault("unresumable", cases.again(number) + " threw " + what));
            tally.figure("chains", chains);
            tally.figure("stops", stops);
            tally.figure("late", late);
        }
        return tally;
    }

    /** Let a process run to its end once, so that the others find their classes loaded. */
    private void train(ChildJava java, TemporaryStores stores) throws IOException, SQLException, InterruptedException {
        StorePlace place = stores.make();
        Subject trained = workflows ? RandomWorkflow.next(new SplittableRandom(1)) : Scenario.QUESTIONS;
        List<String> arguments = List.of(place.address(), trained.name(), KillPoint.NEVER.text(), "exit");
        Decisions decisions = new Decisions(new SplittableRandom(1), 1, callId -> false);
        ChildProcess.run(
                java.trainingCommand(KillChild.class, arguments),
                KillPoint.NEVER,
                decisions::reply,
                line -> {},
                id -> Duration.ZERO);
        stores.remove(place);
    }

    private Subject subject(SplittableRandom random) {
        return workflows ? RandomWorkflow.next(random) : SCENARIOS.get(random.nextInt(SCENARIOS.size()));
    }

    private void one(long number, ChildJava java, TemporaryStores stores) {
        try {
            StorePlace place = stores.make();
            BiConsumer<String, String> fault = (kind, what) -> tally.addFault(kind, cases.again(number) + ": " + what);
            SplittableRandom random = cases.random(number);
            KillChain chain = number == LEASE_CASE && !workflows
                    ? KillChain.waitingForTheLease(random, java, place, fault)
                    : new KillChain(random, subject(random), java, place, fault);
            int kills = chain.run();
            stops.addAndGet(chain.stops());
            late.addAndGet(chain.late());
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
