package dev.chargehand.verify.races;

import dev.chargehand.AgentRuntime;
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
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Two runtimes on one store, and perhaps another process on it, in which races are held. Thread-safe. */
final class RaceArena implements AutoCloseable {

    private static final Approver LATER = Approver.of("later", "acme");
    private static final Duration EXPIRY = Duration.ofMillis(20);
    private static final Duration BEFORE_EXPIRY = Duration.ofMillis(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Effects effects = new Effects();
    private final AgentRuntime[] runtimes = new AgentRuntime[2];
    private final @Nullable Peer peer;

    /**
     * Open an arena.
     *
     * @param peer the other process on the same store, or null; it is closed with the arena
     */
    RaceArena(StorePlace place, @Nullable Peer peer) {
        this.peer = peer;
        RaceCrew crew = new RaceCrew(effects);
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
        RunResult waiting = park(race);
        List<PendingApproval> approvals = waiting.pendingApprovals();
        if (approvals.size() != race.shape().slots().size()) {
            fault.accept("wrong", "the run waits for " + approvals + " in " + race);
            return;
        }
        if (race.trouble() == Trouble.EXPIRY) {
            awaitTime(approvals.getFirst().expiresAt().minus(BEFORE_EXPIRY));
        }
        List<Outcome> outcomes = contest(race, waiting.runId(), approvals);
        settle(waiting.runId(), approvals, outcomes);
        Recorded recorded = Recorded.of(store(), waiting.runId());
        int[] there = peer == null ? new int[approvals.size()] : peer.effects(race);
        new RaceCheck(
                        race,
                        approvals,
                        outcomes,
                        recorded,
                        slot -> there[slot]
                                + effects.count(
                                        race.name(), race.shape().slots().get(slot)),
                        fault)
                .check();
        effects.forget(race.name());
    }

    private RunResult park(RaceCase race) {
        return runtimes[0].agent(race.shape().agent()).generate(race.task(), o -> {
            if (race.inThread()) {
                o.thread("thread of " + race.name()).resource("u");
            }
            if (race.trouble() == Trouble.EXPIRY) {
                o.approvalExpiry(EXPIRY);
            }
        });
    }

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

    /** Bring the run to its end: what still waits is approved, what has expired is carried out. */
    private void settle(RunId run, List<PendingApproval> approvals, List<Outcome> outcomes)
            throws InterruptedException {
        Instant giveUp = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(giveUp)) {
            RunRecord record = store().find(run).orElseThrow();
            if (record.status().isEnded()) {
                return;
            }
            if (record.status() == RunStatus.SUSPENDED) {
                answerOne(run, approvals, outcomes);
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
        Contender settling = new Contender(Contender.Deed.APPROVE, approvals.indexOf(approval), 1, 0, LATER.id());
        try {
            RunResult result = runtimes[1]
                    .answer(approval, ApprovalAnswer.approve(LATER), o -> {})
                    .result();
            outcomes.add(Outcome.taken(settling, result.status().name(), result.text()));
        } catch (ApprovalException e) {
            if (e.kind() == ApprovalException.Kind.EXPIRED) {
                runtimes[1].recover().await();
            } else if (e.kind() != ApprovalException.Kind.ALREADY_DECIDED) {
                outcomes.add(Outcome.refused(settling, e.kind()));
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
