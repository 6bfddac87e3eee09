package dev.chargehand.verify.spin;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Callers whose runs have nothing to do with what computes, one run after the other. */
final class Bystanders implements AutoCloseable {

    private final Agent agent;
    private final Duration grace;
    private final Tally tally;
    private final Latencies took;
    private final List<Thread> callers = new ArrayList<>();
    private volatile boolean over;

    private Bystanders(Agent agent, Duration grace, Tally tally, Latencies took) {
        this.agent = agent;
        this.grace = grace;
        this.tally = tally;
        this.took = took;
    }

    static Bystanders start(int count, Agent agent, Duration grace, Tally tally, Latencies took) {
        Bystanders bystanders = new Bystanders(agent, grace, tally, took);
        for (int i = 0; i < count; i++) {
            bystanders.callers.add(
                    Thread.ofPlatform().name("bystander").daemon().start(bystanders::call));
        }
        return bystanders;
    }

    private void call() {
        while (!over) {
            long from = System.nanoTime();
            String wrong = outcome();
            long nanos = System.nanoTime() - from;
            took.add(nanos);
            if (!wrong.isEmpty()) {
                tally.addFault("starved", wrong);
            } else if (nanos > grace.toNanos()) {
                tally.addFault("starved", "a run without tools that compute took " + nanos / 1_000_000 + " ms");
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever it is, the run did not finish
    private String outcome() {
        try {
            RunResult result = agent.generate("Go");
            return result.status() == RunStatus.COMPLETED ? "" : "a run ended as " + result.stopReason();
        } catch (Throwable t) {
            return "a run threw " + t;
        }
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        for (Thread caller : callers) {
            caller.join(Duration.ofSeconds(30));
            if (caller.isAlive()) {
                tally.addFault("starved", "a run did not finish");
            }
        }
    }
}
