package dev.chargehand.verify.workflows;

import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Some random workflows that two processes start, resume, advance, wake, answer and cancel, often both at once, while one of them is stopped for
 * longer than its lease, or killed and replaced; at last all runs are brought to their ends. Used once.
 */
final class RaceRound implements AutoCloseable {

    private static final int ORDERS_PER_RUN = 5;
    private static final int MOST_DISTURBANCES = 5;
    private static final int MOST_MEANWHILE = 8;
    private static final List<String> ALL_THAT_CONTINUES =
            List.of(RaceChild.WAKE, RaceChild.ANSWER, RaceChild.RESUME, RaceChild.ADVANCE);

    /** In one of so many orders, both processes are to continue a run in all ways at once. */
    private static final int PILE = 4;

    private static final int MOST_ADVANCE_MILLIS = 80;
    private static final long MOST_GAP = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(300);

    /** So long a round may be without any progress. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** A little longer than a lease. */
    private static final Duration LEASE = Duration.ofSeconds(31);

    private final SplittableRandom random;
    private final List<RacedWorkflow> workflows;
    private final boolean waitsForLease;
    private final Store store;
    private final RaceLedger ledger = new RaceLedger();
    private final RaceProcess[] processes = new RaceProcess[2];
    private final String[] arguments;
    private final List<String> disturbances = new ArrayList<>();

    /**
     * Start both processes.
     *
     * @param workflows those whose runs are raced for
     * @param waitsForLease whether a process is stopped until its lease has really run out
     */
    RaceRound(StorePlace place, SplittableRandom random, List<RacedWorkflow> workflows, boolean waitsForLease)
            throws IOException {
        this.random = random;
        this.workflows = workflows;
        this.waitsForLease = waitsForLease;
        List<String> all = new ArrayList<>(List.of(place.address(), String.valueOf(random.nextInt(3) > 0)));
        workflows.forEach(workflow -> all.add(workflow.name()));
        arguments = all.toArray(String[]::new);
        for (int i = 0; i < processes.length; i++) {
            processes[i] = RaceProcess.start(arguments, ledger::hear);
        }
        store = place.open();
    }

    /** What both processes did and saw. */
    RaceLedger ledger() {
        return ledger;
    }

    Store store() {
        return store;
    }

    /** Return what was done to the processes. */
    List<String> disturbances() {
        return disturbances;
    }

    /** Play it, and return the runs that have not ended. */
    Collection<String> play() throws IOException, InterruptedException {
        for (RaceProcess process : processes) {
            process.awaitReady();
        }
        TreeSet<Integer> moments = new TreeSet<>();
        int orders = ORDERS_PER_RUN * workflows.size();
        int disturbing = waitsForLease ? 1 : random.nextInt(MOST_DISTURBANCES + 1);
        IntStream.range(0, disturbing).forEach(i -> moments.add(random.nextInt(1, orders)));
        for (int order = 0; order < orders; order++) {
            if (order % ORDERS_PER_RUN == 0) {
                order(RaceChild.START, workflows.get(order / ORDERS_PER_RUN), someone());
            } else {
                RacedWorkflow workflow = someRun(order);
                if (random.nextInt(PILE) == 0) {
                    ALL_THAT_CONTINUES.forEach(each -> order(each, workflow, List.of(processes)));
                } else {
                    order(anything(), workflow, someone());
                }
            }
            if (moments.contains(order)) {
                disturb(random.nextInt(processes.length), order);
            }
            gap();
        }
        return settle();
    }

    /** Let both report how the runs ended, and end themselves; returns whether they do. */
    boolean end() throws InterruptedException {
        for (RaceProcess process : processes) {
            workflows.forEach(workflow -> process.send(RaceChild.REPORT, workflow.name()));
        }
        long giveUp = System.nanoTime() + PATIENCE;
        while (System.nanoTime() < giveUp && !allReported()) {
            LockSupport.parkNanos(BETWEEN_LOOKS / 10);
        }
        boolean ended = allReported();
        for (RaceProcess process : processes) {
            ended &= process.ends();
        }
        return ended;
    }

    private boolean allReported() {
        return workflows.stream()
                .allMatch(workflow ->
                        ledger.said(RaceChild.REPORT, workflow.name()).size() == processes.length);
    }

    private void disturb(int which, int order) throws IOException, InterruptedException {
        if (waitsForLease) {
            stop(which, order, true);
        } else if (random.nextBoolean()) {
            stop(which, order, false);
        } else {
            disturbances.add("kill " + which);
            processes[which].kill();
            takeOver(processes[which], processes[1 - which]);
            meanwhile(1 - which, order);
            processes[which] = RaceProcess.start(arguments, ledger::hear);
            meanwhile(1 - which, order);
            processes[which].awaitReady();
        }
    }

    /** Stop a process for so long that its lease is over, really or as the store has it. */
    private void stop(int which, int order, boolean really) throws IOException, InterruptedException {
        RaceProcess process = processes[which];
        process.stop();
        if (really) {
            processes[1 - which].disturb(); // it may have no store for as long
            LockSupport.parkNanos(LEASE.toNanos());
        } else {
            try {
                endLease(process);
            } catch (StoreException e) {
                processes[1 - which].disturb(); // a transaction of the stopped one holds the store
            }
        }
        takeOver(process, processes[1 - which]);
        gap();
        if (random.nextBoolean()) {
            meanwhile(1 - which, order);
        }
        boolean notices = !really && random.nextBoolean();
        if (notices) {
            process.send(RaceChild.PASS, LEASE.toString());
        }
        disturbances.add("stop " + which + (really ? " really" : notices ? " noticed" : ""));
        process.proceed();
    }

    /** End the lease of a stopped process in the store, as others see it when its time is over. */
    private void endLease(RaceProcess process) {
        runsOf(process).stream()
                .map(RunRecord::owner)
                .distinct()
                .forEach(owner -> store.heartbeat(owner, Duration.ZERO));
    }

    private void takeOver(RaceProcess from, RaceProcess other) {
        List<String> left = runsOf(from).stream().map(RunRecord::agentId).toList();
        workflows.stream()
                .filter(workflow -> left.contains(workflow.name()) && random.nextBoolean())
                .forEach(workflow ->
                        order(random.nextBoolean() ? RaceChild.RESUME : RaceChild.ADVANCE, workflow, List.of(other)));
    }

    private List<RunRecord> runsOf(RaceProcess process) {
        return store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING, RunStatus.SUSPENDED)).stream()
                .filter(run -> process.isNamedBy(run.owner()))
                .toList();
    }

    private void meanwhile(int who, int order) {
        int orders = random.nextInt(MOST_MEANWHILE);
        for (int i = 0; i < orders; i++) {
            order(anything(), someRun(order), List.of(processes[who]));
            gap();
        }
    }

    private List<RaceProcess> someone() {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(processes[0]);
            case 1 -> List.of(processes[1]);
            default -> List.of(processes);
        };
    }

    /** One of those that were started before. */
    private RacedWorkflow someRun(int order) {
        return workflows.get(random.nextInt(order / ORDERS_PER_RUN + 1));
    }

    private String anything() {
        return switch (random.nextInt(13)) {
            case 0, 1 -> RaceChild.CANCEL;
            case 2 -> RaceChild.RECOVER;
            case 3, 4 -> RaceChild.WAKE;
            case 5, 6 -> RaceChild.ADVANCE;
            case 7, 8, 9 -> RaceChild.ANSWER;
            default -> RaceChild.RESUME;
        };
    }

    private void order(String order, RacedWorkflow workflow, List<RaceProcess> by) {
        List<String> details =
                switch (order) {
                    case RaceChild.WAKE -> workflow.sleeps();
                    case RaceChild.ADVANCE -> List.of(String.valueOf(random.nextInt(MOST_ADVANCE_MILLIS)));
                    default -> List.of("");
                };
        for (String detail : details) {
            by.forEach(process -> process.send(order, workflow.name(), detail));
        }
    }

    private void gap() {
        LockSupport.parkNanos(random.nextLong(MOST_GAP));
    }

    /** Bring all runs to their ends; returns those that make no progress. */
    private Collection<String> settle() {
        long changedAt = System.nanoTime();
        List<String> before = List.of();
        while (System.nanoTime() - changedAt < PATIENCE) {
            List<String> now = workflows.stream()
                    .flatMap(workflow -> open(workflow).stream())
                    .toList();
            if (now.isEmpty()) {
                return now;
            }
            if (!now.equals(before)) {
                before = now;
                changedAt = System.nanoTime();
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
        return before;
    }

    /** Return how a run stands that has not ended, after it was given a push. */
    private Optional<String> open(RacedWorkflow workflow) {
        try {
            Optional<RunRecord> run = run(workflow);
            if (run.isPresent() && run.get().status().isEnded()) {
                return Optional.empty();
            }
            boolean waits = run.isPresent() && run.get().status() == RunStatus.SUSPENDED;
            List<String> pushes = run.isEmpty()
                    ? List.of(RaceChild.START)
                    : waits ? List.of(RaceChild.WAKE, RaceChild.ANSWER) : List.of(RaceChild.RESUME);
            pushes.forEach(push -> order(push, workflow, someone()));
            return Optional.of(run.map(RaceRound::text).orElse(workflow.name() + " is not started"));
        } catch (StoreException e) {
            return Optional.of(workflow.name() + " cannot be read");
        }
    }

    private Optional<RunRecord> run(RacedWorkflow workflow) {
        return store.list(RunFilter.ROOTS.agent(workflow.name()).limit(1)).stream()
                .findFirst();
    }

    private static String text(RunRecord run) {
        return run.agentId() + " is " + run.status() + " of " + run.owner() + " at " + run.length();
    }

    @Override
    public void close() {
        for (RaceProcess process : processes) {
            process.close();
        }
        store.close();
    }
}
