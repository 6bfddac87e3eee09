package dev.chargehand.verify.kill;

import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.verify.kill.KillPoint.Place;
import dev.chargehand.verify.kill.KillPoint.Signal;
import dev.chargehand.verify.kill.plan.Scenario;
import dev.chargehand.verify.kill.plan.Subject;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run: a process that is killed, asked to terminate or stopped, others that continue and may be so too, and a
 * last one that is not.
 */
final class KillChain {

    private static final int LONGEST_MICROS = 400_000;
    private static final int AT_MOST_IN_RECOVERY = 8;

    /** A little longer than a lease. */
    private static final Duration LEASE = Duration.ofSeconds(31);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private final SplittableRandom random;
    private final Subject subject;
    private final ChildJava java;
    private final StorePlace place;
    private final BiConsumer<String, String> fault;
    private final Ledger ledger = new Ledger();
    private final List<Line> lines = new ArrayList<>();
    private final List<KillPoint> points = new ArrayList<>();
    private final long seed;
    private final ReentrantLock hearing = new ReentrantLock();
    private final @Nullable KillPoint first;
    private long stops;
    private long late;

    /**
     * Make a chain.
     *
     * @param subject what is run
     * @param place an empty store
     * @param fault hears the kind of a fault and what it is
     */
    KillChain(
            SplittableRandom random,
            Subject subject,
            ChildJava java,
            StorePlace place,
            BiConsumer<String, String> fault) {
        this(random, subject, null, java, place, fault);
    }

    private KillChain(
            SplittableRandom random,
            Subject subject,
            @Nullable KillPoint first,
            ChildJava java,
            StorePlace place,
            BiConsumer<String, String> fault) {
        this.random = random;
        this.subject = subject;
        this.first = first;
        this.seed = random.nextLong();
        this.java = java;
        this.place = place;
        this.fault = (kind, what) -> fault.accept(kind, subject.name() + " " + points + ": " + what);
    }

    /** Make the chain of a process that is stopped in a tool until its lease has really run out. */
    static KillChain waitingForTheLease(
            SplittableRandom random, ChildJava java, StorePlace place, BiConsumer<String, String> fault) {
        KillPoint inTool = new KillPoint(Place.BEFORE_EFFECT, 1, false, Signal.STOP);
        return new KillChain(random, Scenario.TOOLS, inTool, java, place, fault);
    }

    /** Return how many processes were stopped and lost what they were working on. */
    long stops() {
        return stops;
    }

    /** Return how many calls a process that had been stopped was inside of, and others carried out too. */
    long late() {
        return late;
    }

    /** Run it, checks it, and return to how many processes something happened. */
    int run() throws IOException, InterruptedException {
        Decisions decisions = new Decisions(random.split(), seed, this::hadEffect);
        Undisturbed undisturbed = Undisturbed.of(subject, new Decisions(random.split(), seed, callId -> false));
        int most = 1 + random.nextInt(3);
        int kills = 0;
        int outages = 0;
        boolean over = false;
        while (!over) {
            KillPoint point = kills == 0 ? first(undisturbed.places()) : kills < most ? inRecovery() : atLast();
            points.add(point);
            List<String> arguments = List.of(place.address(), subject.name(), point.text());
            ChildProcess.Over gone = ChildProcess.run(
                    java.command(KillChild.class, arguments),
                    point,
                    decisions::reply,
                    this::hear,
                    id -> takeOver(id, decisions));
            kills += gone.killed() ? 1 : 0;
            if (point.signal() == Signal.TERMINATE && gone.killed() && !hasGivenUp(gone)) {
                return kills;
            }
            outages += gone.stopped() || gone.lines().stream().anyMatch(KillChain::isSurvived) ? 1 : 0;
            over = !gone.killed();
            if (over && !hasEnded(gone)) {
                return kills + outages;
            }
        }
        try (Store store = place.open()) {
            late = new KillCheck(subject, undisturbed, lines, ledger, store, fault).check();
        }
        return kills + outages;
    }

    private static boolean isSurvived(Line line) {
        return line.word().equals(Line.OUTAGE) || line.word().equals(Line.CLOCK);
    }

    /** Hear a line of a process, of which two may speak at once. */
    private void hear(Line line) {
        hearing.lock();
        try {
            lines.add(line);
            ledger.hear(line);
        } finally {
            hearing.unlock();
        }
    }

    private boolean hadEffect(String callId) {
        hearing.lock();
        try {
            return ledger.has(callId);
        } finally {
            hearing.unlock();
        }
    }

    /** Let another process take over what a stopped one works on, once its lease is over, and end it or wait for answers. */
    private Duration takeOver(long stopped, Decisions decisions) throws IOException, InterruptedException {
        hear(Line.of(Line.STOPPED, stopped));
        if (!expires(stopped)) {
            return Duration.ZERO;
        }
        boolean leaves = random.nextInt(3) == 0;
        List<String> arguments = List.of(place.address(), subject.name(), KillPoint.NEVER.text());
        ChildProcess.Over other = ChildProcess.run(
                java.command(KillChild.class, arguments),
                KillPoint.NEVER,
                waiting -> leaves ? Line.LEAVE : decisions.reply(waiting),
                this::hear,
                id -> Duration.ZERO);
        boolean left = leaves && last(other).startsWith(Line.WAITS);
        if (left || hasEnded(other)) {
            stops++;
        }
        return first == null && random.nextBoolean() ? LEASE : Duration.ZERO;
    }

    /**
     * End the lease of a stopped process in the store, as others see it when its time is over, or wait for that; false if
     * it has stored nothing that could be taken over.
     */
    private boolean expires(long stopped) throws InterruptedException {
        try (Store store = place.open()) {
            List<RunRecord> roots = store.list(RunFilter.ROOTS);
            String owner = roots.isEmpty() ? "" : roots.getFirst().owner();
            if (owner.contains(":" + stopped + ":")) {
                if (first == null) {
                    store.heartbeat(owner, Duration.ZERO);
                }
                while (store.isAlive(owner)) {
                    Thread.sleep(BETWEEN_LOOKS); // a lease ends by the clock, and nothing tells when
                }
            }
            return !roots.isEmpty();
        }
    }

    private boolean hasEnded(ChildProcess.Over gone) {
        if (gone.hung()) {
            fault.accept("unresumable", "a process does not end after " + last(gone));
            return false;
        }
        if (gone.lines().isEmpty() || !gone.lines().getLast().word().equals(Line.RESULT)) {
            fault.accept(gone.stopped() ? "lost_callers" : "unresumable", "a process ended with " + last(gone));
            return false;
        }
        return true;
    }

    /** A process that is called to terminate leaves no root run that belongs to it, and that is all of a tree which a release changes. */
    private boolean hasGivenUp(ChildProcess.Over gone) {
        if (gone.hung()) {
            fault.accept("unresumable", "a process does not terminate after " + last(gone));
            return false;
        }
        try (Store store = place.open()) {
            List<RunRecord> kept = store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING)).stream()
                    .filter(run -> run.owner().contains(":" + gone.id() + ":"))
                    .toList();
            kept.forEach(run -> fault.accept("unreleased", run + " after " + last(gone)));
            return kept.isEmpty();
        }
    }

    private static String last(ChildProcess.Over gone) {
        return gone.lines().isEmpty() ? "nothing" : gone.lines().getLast().text();
    }

    private KillPoint first(Places counted) {
        return first == null ? point(counted) : first;
    }

    private KillPoint point(Places counted) {
        if (random.nextInt(4) == 0) {
            return KillPoint.living(survived(), 1 + random.nextInt(counted.count(Place.BEFORE_APPEND)));
        }
        boolean answers = counted.count(Place.BEFORE_CLAIM) > 0;
        boolean whileAnswering = answers && random.nextBoolean();
        Place where = somewhere(whileAnswering);
        int most = where == Place.TIME ? LONGEST_MICROS : Math.max(1, counted.count(counting(where)));
        int share = whileAnswering && where != Place.TIME ? (most + 1) / 2 : most; // what comes before is not counted
        return new KillPoint(where, 1 + random.nextInt(share), whileAnswering, signal(where));
    }

    /** One in four is called to terminate, one in four is stopped, if it can say where it is. */
    private Signal signal(Place where) {
        return switch (random.nextInt(4)) {
            case 0 -> Signal.TERMINATE;
            case 1 -> where == Place.TIME ? Signal.KILL : Signal.STOP;
            default -> Signal.KILL;
        };
    }

    /** The last process lives; its store may fail, or its clock be set. */
    private KillPoint atLast() {
        return random.nextInt(3) > 0
                ? KillPoint.NEVER
                : KillPoint.living(survived(), 1 + random.nextInt(AT_MOST_IN_RECOVERY));
    }

    private Place survived() {
        Place[] all = {Place.OUTAGE, Place.OUTAGE_UNKNOWN, Place.DISK_FULL, Place.CLOCK_FORWARD, Place.CLOCK_BACK};
        return all[random.nextInt(all.length)];
    }

    private KillPoint inRecovery() {
        boolean whileAnswering = random.nextInt(3) == 0;
        Place where = somewhere(true);
        int most = where == Place.TIME ? LONGEST_MICROS / 2 : AT_MOST_IN_RECOVERY;
        return new KillPoint(where, 1 + random.nextInt(most), whileAnswering, signal(where));
    }

    /** Run are taken over only when they are continued. */
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

    /** Place that are passed as often as another, which is the one that is counted. */
    private static Place counting(Place where) {
        return where == Place.BEFORE_EFFECT ? Place.AFTER_EFFECT : where;
    }
}
