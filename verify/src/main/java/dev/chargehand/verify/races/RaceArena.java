package dev.chargehand.verify.races;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.verify.races.RaceCase.Trouble;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.workflow.WorkflowResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Two runtimes on one store, and perhaps another process on it, in which races are held. Thread-safe. */
final class RaceArena implements AutoCloseable {

    private static final Approver LATER = Approver.of("later", "acme");
    private static final int LATER_DATA = 9;

    /** Long enough for a run to get to its sleep. */
    private static final Duration SHORT_NAP = Duration.ofMillis(200);

    private static final Duration LONG_NAP = Duration.ofHours(1);
    private static final Duration EXPIRY = Duration.ofMillis(20);
    private static final Duration BEFORE_EXPIRY = Duration.ofMillis(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Effects effects = new Effects();
    private final AgentRuntime[] runtimes = new AgentRuntime[2];
    private final RaceWorkflows workflows;
    private final @Nullable Peer peer;

    /**
     * Open an arena.
     *
     * @param peer the other process on the same store, or null; it is closed with the arena
     */
    RaceArena(StorePlace place, @Nullable Peer peer) {
        this.peer = peer;
        RaceCrew crew = new RaceCrew(effects);
        workflows = crew.workflows();
        for (int i = 0; i < runtimes.length; i++) {
            runtimes[i] = crew.runtime(place.open(), (approval, approver) -> "acme".equals(approver.tenant()));
        }
    }

    /** Return how many runtimes there are. */
    int places() {
        return runtimes.length + (peer == null ? 0 : 1);
    }

    Effects effects() {
        return effects;
    }

    AgentRuntime runtime(int place) {
        return runtimes[place];
    }

    /** Hold a race, and say what was wrong. */
    void hold(RaceCase race, BiConsumer<String, String> fault) throws InterruptedException, IOException {
        Parked waiting = park(race);
        List<PendingApproval> approvals = inOrder(race.shape(), waiting.approvals());
        if (approvals.size() != race.shape().slots().size()) {
            fault.accept("wrong", "the run waits for " + approvals + " in " + race);
            return;
        }
        if (race.trouble() == Trouble.EXPIRY) {
            awaitTime(approvals.getFirst().expiresAt().minus(BEFORE_EXPIRY));
        }
        List<Outcome> outcomes = contest(race, waiting.runId(), approvals);
        settle(race, waiting.runId(), approvals, outcomes);
        Recorded recorded = Recorded.of(store(), waiting.runId());
        int[] there = peer == null ? new int[race.shape().effects().size()] : peer.effects(race);
        new RaceCheck(
                        race,
                        approvals,
                        outcomes,
                        recorded,
                        slot -> there[slot]
                                + effects.count(
                                        race.name(), race.shape().effects().get(slot)),
                        fault)
                .check();
        effects.forget(race.name());
    }

    /** Siblings of a workflow wait in the order in which they were reached. */
    private static List<PendingApproval> inOrder(Shape shape, List<PendingApproval> approvals) {
        return shape.isOfWorkflow()
                ? approvals.stream()
                        .sorted(Comparator.comparing(PendingApproval::toolName))
                        .toList()
                : approvals;
    }

    private Parked park(RaceCase race) {
        Shape shape = race.shape();
        if (shape.isOfWorkflow()) {
            return parkWorkflow(race);
        }
        RunResult waiting = runtimes[0].agent(shape.definition()).generate(race.task(), o -> {
            if (race.inThread()) {
                o.thread("thread of " + race.name()).resource("u");
            }
            if (race.trouble() == Trouble.EXPIRY) {
                o.approvalExpiry(EXPIRY);
            }
        });
        return new Parked(waiting.runId(), waiting.pendingApprovals());
    }

    /** A run whose sleep is about to end is executed meanwhile; others are suspended. */
    private Parked parkWorkflow(RaceCase race) {
        boolean isDue = race.trouble() == Trouble.DUE;
        Instant until = Instant.now().plus(isDue ? SHORT_NAP : LONG_NAP);
        RaceWorkflows.Work work = new RaceWorkflows.Work(race.name(), until.toEpochMilli());
        if (isDue) {
            RunHandle run = runtimes[0].start(workflows.of(race.shape()), work, o -> {});
            List<PendingApproval> approvals = awaitApprovals(race, run);
            awaitTime(until.minusMillis(race.leadMillis()));
            return new Parked(run.runId(), approvals);
        }
        WorkflowResult<String> waiting = runtimes[0].run(workflows.of(race.shape()), work, o -> {
            if (race.trouble() == Trouble.EXPIRY) {
                o.approvalExpiry(EXPIRY);
            }
        });
        return new Parked(waiting.runId(), waiting.pending());
    }

    private static List<PendingApproval> awaitApprovals(RaceCase race, RunHandle run) {
        Instant giveUp = Instant.now().plus(PATIENCE);
        List<PendingApproval> approvals = run.pendingApprovals();
        while (approvals.size() < race.shape().slots().size() && Instant.now().isBefore(giveUp)) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            approvals = run.pendingApprovals();
        }
        return approvals;
    }

    /** A run that waits. */
    private record Parked(RunId runId, List<PendingApproval> approvals) {}

    private List<Outcome> contest(RaceCase race, RunId run, List<PendingApproval> approvals)
            throws InterruptedException, IOException {
        List<Contender> away = race.contenders().stream()
                .filter(contender -> contender.place() >= runtimes.length)
                .toList();
        List<Contender> here = race.contenders().stream()
                .filter(contender -> contender.place() < runtimes.length)
                .toList();
        if (peer != null && !away.isEmpty()) {
            peer.prepare(run, approvals, away);
        }
        Contest contest = new Contest(place -> runtimes[place], run, approvals, here);
        if (peer != null && !away.isEmpty()) {
            peer.start();
        }
        contest.start();
        List<Outcome> outcomes = new ArrayList<>(contest.outcomes());
        if (peer != null && !away.isEmpty()) {
            outcomes.addAll(peer.outcomes());
        }
        return outcomes;
    }

    /** Bring the run to its end: what still waits is approved or gets data, what has expired is carried out. */
    private void settle(RaceCase race, RunId run, List<PendingApproval> approvals, List<Outcome> outcomes) {
        Instant giveUp = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(giveUp)) {
            RunRecord record = store().find(run).orElseThrow();
            if (record.status().isEnded()) {
                return;
            }
            if (record.status() == RunStatus.SUSPENDED) {
                answerOne(run, approvals, outcomes);
                if (race.shape().sleeps()) {
                    wake(run);
                }
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    private void answerOne(RunId run, List<PendingApproval> approvals, List<Outcome> outcomes) {
        List<PendingApproval> left = runtimes[1].handle(run).pendingApprovals();
        if (left.isEmpty()) {
            return;
        }
        PendingApproval approval = left.getFirst();
        boolean wantsData = approval.kind() == PendingApproval.Kind.DATA;
        Contender.Deed deed = wantsData ? Contender.Deed.GIVE : Contender.Deed.APPROVE;
        Contender settling = new Contender(deed, approvals.indexOf(approval), 1, 0, LATER.id(), LATER_DATA);
        ApprovalAnswer answer = wantsData ? ApprovalAnswer.data(LATER, LATER_DATA) : ApprovalAnswer.approve(LATER);
        try {
            RunResult result = runtimes[1].answer(approval, answer, o -> {}).result();
            outcomes.add(Outcome.taken(settling, result.status().name(), result.text()));
        } catch (ApprovalException e) {
            if (e.kind() == ApprovalException.Kind.EXPIRED) {
                runtimes[1].recover().await();
            } else if (e.kind() != ApprovalException.Kind.ALREADY_DECIDED) {
                outcomes.add(Outcome.refused(settling, e.kind()));
            }
        }
    }

    private void wake(RunId run) {
        try {
            runtimes[1].wake(run, RaceWorkflows.NAP_PATH);
        } catch (ApprovalException e) {
            if (e.kind() != ApprovalException.Kind.ALREADY_DECIDED) { // else it does not sleep any more
                throw e;
            }
        }
    }

    private static void awaitTime(Instant time) {
        while (Instant.now().isBefore(time)) {
            LockSupport.parkNanos(Duration.between(Instant.now(), time).toNanos());
        }
    }

    private Store store() {
        return runtimes[0].store();
    }

    @Override
    public void close() throws IOException {
        if (peer != null) {
            peer.close();
        }
        for (AgentRuntime runtime : runtimes) {
            runtime.close();
        }
    }
}
