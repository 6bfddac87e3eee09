package dev.chargehand.verify.kill;

import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.verify.kill.KillPoint.Place;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** One scenario: a process that is killed or asked to terminate, others that go on and may be so too, and a last one that is not. */
final class KillChain {

    private static final List<Scenario> SCENARIOS = List.of(Scenario.values());

    private static final int LONGEST_MICROS = 400_000;
    private static final int AT_MOST_IN_RECOVERY = 8;

    private final SplittableRandom random;
    private final Scenario scenario;
    private final ChildJava java;
    private final StorePlace place;
    private final BiConsumer<String, String> fault;
    private final Ledger ledger = new Ledger();
    private final List<Line> lines = new ArrayList<>();
    private final List<KillPoint> points = new ArrayList<>();
    private final long seed;

    /**
     * Makes a chain.
     *
     * @param place an empty store
     * @param fault hears the kind of a fault and what it is
     */
    KillChain(SplittableRandom random, ChildJava java, StorePlace place, BiConsumer<String, String> fault) {
        this.random = random;
        this.scenario = SCENARIOS.get(random.nextInt(SCENARIOS.size()));
        this.seed = random.nextLong();
        this.java = java;
        this.place = place;
        this.fault = (kind, what) -> fault.accept(kind, scenario + " " + points + ": " + what);
    }

    /** Runs it, checks it, and returns how many processes were killed, or lost their store for a while. */
    int run() throws IOException, InterruptedException {
        Decisions decisions = new Decisions(random.split(), seed, ledger::has);
        Undisturbed undisturbed = Undisturbed.of(scenario, new Decisions(random.split(), seed, callId -> false));
        int most = 1 + random.nextInt(3);
        int kills = 0;
        int outages = 0;
        boolean over = false;
        while (!over) {
            KillPoint point = kills == 0 ? point(undisturbed.places()) : kills < most ? inRecovery() : atLast();
            points.add(point);
            List<String> arguments = List.of(place.address(), scenario.name(), point.text());
            ChildProcess.Over gone =
                    ChildProcess.run(java.command(KillChild.class, arguments), point, decisions::reply, ledger::hear);
            lines.addAll(gone.lines());
            kills += gone.killed() ? 1 : 0;
            if (point.terminates() && gone.killed() && !hasGivenUp(gone)) {
                return kills;
            }
            outages += gone.lines().stream().anyMatch(line -> line.word().equals(Line.OUTAGE)) ? 1 : 0;
            over = !gone.killed();
            if (over && !hasEnded(gone)) {
                return kills + outages;
            }
        }
        try (Store store = place.open()) {
            new KillCheck(scenario, undisturbed, lines, ledger, store, fault).check();
        }
        return kills + outages;
    }

    private boolean hasEnded(ChildProcess.Over gone) {
        if (gone.hung()) {
            fault.accept("unresumable", "a process does not end after " + last(gone));
            return false;
        }
        if (gone.lines().isEmpty() || !gone.lines().getLast().word().equals(Line.RESULT)) {
            fault.accept("unresumable", "a process ended with " + last(gone));
            return false;
        }
        return true;
    }

    /** A process that is asked to terminate leaves no run that belongs to it. */
    private boolean hasGivenUp(ChildProcess.Over gone) {
        if (gone.hung()) {
            fault.accept("unresumable", "a process does not terminate after " + last(gone));
            return false;
        }
        try (Store store = place.open()) {
            List<RunRecord> kept = store.list(RunFilter.ALL.statuses(RunStatus.RUNNING)).stream()
                    .filter(run -> run.owner().contains(":" + gone.id() + ":"))
                    .toList();
            kept.forEach(run -> fault.accept("unreleased", run + " after " + last(gone)));
            return kept.isEmpty();
        }
    }

    private static String last(ChildProcess.Over gone) {
        return gone.lines().isEmpty() ? "nothing" : gone.lines().getLast().text();
    }

    private KillPoint point(Places counted) {
        if (random.nextInt(4) == 0) {
            return new KillPoint(outage(), 1 + random.nextInt(counted.count(Place.BEFORE_APPEND)), false, false);
        }
        boolean answers = counted.count(Place.BEFORE_CLAIM) > 0;
        boolean whileAnswering = answers && random.nextBoolean();
        Place where = somewhere(whileAnswering);
        int most = where == Place.TIME ? LONGEST_MICROS : Math.max(1, counted.count(counting(where)));
        int share = whileAnswering && where != Place.TIME ? (most + 1) / 2 : most; // what comes before is not counted
        return new KillPoint(where, 1 + random.nextInt(share), whileAnswering, terminates());
    }

    /** One in three is asked to terminate. */
    private boolean terminates() {
        return random.nextInt(3) == 0;
    }

    /** The last process lives; its store may fail. */
    private KillPoint atLast() {
        return random.nextInt(3) > 0
                ? KillPoint.NEVER
                : new KillPoint(outage(), 1 + random.nextInt(AT_MOST_IN_RECOVERY), false, false);
    }

    private Place outage() {
        Place[] all = {Place.OUTAGE, Place.OUTAGE_UNKNOWN, Place.DISK_FULL};
        return all[random.nextInt(all.length)];
    }

    private KillPoint inRecovery() {
        boolean whileAnswering = random.nextInt(3) == 0;
        Place where = somewhere(true);
        int most = where == Place.TIME ? LONGEST_MICROS / 2 : AT_MOST_IN_RECOVERY;
        return new KillPoint(where, 1 + random.nextInt(most), whileAnswering, terminates());
    }

    /** Runs are taken over only when they are gone on with. */
    private Place somewhere(boolean claims) {
        Place[] all = claims
                ? new Place[] {
                    Place.BEFORE_APPEND,
                    Place.AFTER_APPEND,
                    Place.BEFORE_CLAIM,
                    Place.AFTER_CLAIM,
                    Place.BEFORE_EFFECT,
                    Place.AFTER_EFFECT,
                    Place.EVENT,
                    Place.TIME
                }
                : new Place[] {
                    Place.BEFORE_APPEND,
                    Place.AFTER_APPEND,
                    Place.BEFORE_EFFECT,
                    Place.AFTER_EFFECT,
                    Place.EVENT,
                    Place.TIME
                };
        return all[random.nextInt(all.length)];
    }

    /** Places that are passed as often as another, which is the one that is counted. */
    private static Place counting(Place where) {
        return where == Place.BEFORE_EFFECT ? Place.AFTER_EFFECT : where;
    }
}
