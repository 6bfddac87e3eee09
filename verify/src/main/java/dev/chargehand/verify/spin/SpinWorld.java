package dev.chargehand.verify.spin;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The runtime of all cases, which come one after the other. */
final class SpinWorld {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final AgentRuntime runtime;
    private final Duration grace;
    private final Tally tally;
    private final Latencies late;

    SpinWorld(AgentRuntime runtime, Duration grace, Tally tally, Latencies late) {
        this.runtime = runtime;
        this.grace = grace;
        this.tally = tally;
        this.late = late;
    }

    /** What the tool takes. */
    record Nothing() {}

    /** Call the tool in the first step, and answers in the second. */
    static Reply reply(ReceivedRequest request) {
        boolean called =
                request.messages().stream().anyMatch(message -> message.role().equals("tool"));
        return called ? Reply.text("Done.") : Reply.toolCalls(Reply.call("t", "work", "{}"));
    }

    static Agent agent(Runnable work) {
        return Agent.builder("solo")
                .description("Works.")
                .model("loop/solo")
                .tools(Tool.of("work", "Works.", Nothing.class, (in, context) -> {
                    work.run();
                    return "worked";
                }))
                .build();
    }

    void play(SpinCase spin, String again) {
        List<SpinningRun> runs = new ArrayList<>();
        Spinning others = new Spinning();
        try {
            for (Ended by : spin.ends()) {
                runs.add(new SpinningRun(work -> runtime.bind(agent(work)), by, spin.limit()));
            }
            for (int i = 0; i < spin.others(); i++) {
                Thread.ofVirtual().start(others::spin);
            }
            judge(spin, runs, again + " " + spin);
        } finally {
            runs.forEach(SpinningRun::letGo);
            others.end();
        }
        if (!becomesTrue(() -> runtime.abandonedCalls().isEmpty())) {
            tally.addFault("late", again + " " + spin + ": " + runtime.abandonedCalls() + " are left");
        }
        tally.addCase();
    }

    private void judge(SpinCase spin, List<SpinningRun> runs, String which) {
        if (!becomesTrue(() -> runs.stream().allMatch(SpinningRun::isOnItsWay))) {
            tally.addFault("starved", which + ": a run did not reach its tool");
        }
        LockSupport.parkNanos(spin.limit().toNanos());
        runs.forEach(SpinningRun::cancelIfThatEndsIt);
        for (SpinningRun run : runs) {
            try {
                long nanos = run.lateNanos(LONG);
                late.add(nanos);
                if (nanos > grace.toNanos()) {
                    tally.addFault("late", which + ": " + run.by() + " was late by " + nanos / 1_000_000 + " ms");
                }
            } catch (Exception e) {
                tally.addFault("late", which + ": " + run.by() + " did not end its run: " + e);
            }
        }
    }

    private static boolean becomesTrue(BooleanSupplier condition) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }
}
