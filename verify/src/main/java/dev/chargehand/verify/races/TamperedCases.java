package dev.chargehand.verify.races;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.run.RunId;
import dev.chargehand.verify.stores.StorePlace;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/** Answers with forged, foreign, expired and replayed approvals; one thread at a time. */
final class TamperedCases implements AutoCloseable {

    /** On whose behalf all runs work. */
    static final String REQUESTER = "rob";

    private static final Approver ANN = Approver.of("ann", "acme");
    private static final Duration SOON = Duration.ofMillis(5);

    private final Effects effects = new Effects();
    private final AgentRuntime runtime;
    private final AgentRuntime tampered;

    TamperedCases(StorePlace place) {
        RaceCrew crew = new RaceCrew(effects);
        runtime = crew.runtime(place.open(), (approval, approver) -> "acme".equals(approver.tenant()));
        tampered =
                crew.runtime(new TamperedStore(place.open()), (approval, approver) -> "acme".equals(approver.tenant()));
    }

    /**
     * Try one forgery.
     *
     * @param name unlike that of any other
     * @param fault hears the kind of a fault and what it is
     */
    void attempt(String name, SplittableRandom random, BiConsumer<String, String> fault) {
        Tampering tampering = Tampering.any(random);
        Shape shape = Shape.anyOfAgents(random);
        PendingApproval mine = park(name, shape, tampering);
        PendingApproval others = park(name + "-other", shape, tampering);
        prepare(tampering, mine);
        int before = count(name, shape) + count(name + "-other", shape);
        String outcome = outcome(tampering, tampering.forge(mine, others));
        int executed = count(name, shape) + count(name + "-other", shape) + effects.count("stolen", "a") - before;
        if (executed > 0 || outcome.isEmpty()) {
            fault.accept("tampered_executed", tampering + " of " + shape + ": executed " + executed + ", " + outcome);
        } else if (!outcome.equals("as expected")) {
            fault.accept("wrong", tampering + " of " + shape + ": " + outcome);
        }
        stillGood(tampering, name, mine, fault);
        effects.forget(name);
        effects.forget(name + "-other");
    }

    private PendingApproval park(String name, Shape shape, Tampering tampering) {
        String task = name + " " + String.join(" ", shape.slots());
        RunResult waiting = runtime.agent(shape.definition()).generate(task, o -> {
            o.requester(REQUESTER).selfApproval(false);
            if (tampering.before() == Tampering.Before.EXPIRY) {
                o.approvalExpiry(SOON);
            }
        });
        return waiting.pendingApprovals().getFirst();
    }

    private void prepare(Tampering tampering, PendingApproval mine) {
        RunId root = mine.rootRunId();
        switch (tampering.before()) {
            case NOTHING, CHANGING_THE_STORE -> {}
            case EXPIRY -> {
                while (!Instant.now().isAfter(mine.expiresAt())) {
                    LockSupport.parkNanos(SOON.toNanos()); // it may return at once
                }
            }
            case CANCELLING -> runtime.cancel(root);
            case DECLINING -> runtime.decline(mine, ANN, "no").result();
            case APPROVING -> runtime.approve(mine, ANN).result();
        }
    }

    /** Return how the forgery was rejected, or nothing if it was taken. */
    private String outcome(Tampering tampering, PendingApproval forged) {
        boolean inTampered = tampering.before() == Tampering.Before.CHANGING_THE_STORE;
        try {
            RunResult ignored = (inTampered ? tampered : runtime)
                    .answer(forged, tampering.answer(tampering.approver()), o -> {})
                    .result();
            return "";
        } catch (ApprovalException e) {
            return tampering.isRefusedAs(e.kind()) ? "as expected" : "refused as " + e.kind();
        } catch (RuntimeException e) {
            return "threw " + e;
        }
    }

    /** What was not decided by then can still be approved: a forgery takes nothing from who may answer. */
    private void stillGood(Tampering tampering, String name, PendingApproval mine, BiConsumer<String, String> fault) {
        if (tampering.before() != Tampering.Before.NOTHING) {
            return;
        }
        String slot =
                mine.arguments().at("/slot").flatMap(json -> json.string()).orElse("");
        try {
            runtime.approve(mine, ANN).result();
        } catch (RuntimeException e) {
            fault.accept("wrong", "after " + tampering + " the true approval was refused: " + e);
            return;
        }
        if (effects.count(name, slot) != 1) {
            fault.accept("lost", "after " + tampering + " the true approval was not carried out");
        }
    }

    private int count(String name, Shape shape) {
        return shape.slots().stream()
                        .mapToInt(slot -> effects.count(name, slot))
                        .sum()
                + effects.count(name, "z");
    }

    @Override
    public void close() {
        runtime.close();
        tampered.close();
    }
}
