package dev.chargehand.verify.spin;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.testkit.provider.ReceivedRequest;
import dev.chargehand.testkit.provider.Reply;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolCallDecision;
import dev.chargehand.verify.Latencies;
import dev.chargehand.verify.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The runtime of all cases, which come one after the other. */
final class SpinWorld {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration NEVER = Duration.ofMinutes(10);

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

    /** Calls the tool in the first step, and answers in the second. */
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
        Spinning spinning = new Spinning();
        try {
            play(spin, spinning, again);
        } finally {
            spinning.end();
        }
        if (!becomesTrue(() -> runtime.abandonedCalls().isEmpty())) {
            tally.addFault("late", again + " " + spin + ": " + runtime.abandonedCalls() + " are left");
        }
        tally.addCase();
    }

    private void play(SpinCase spin, Spinning spinning, String again) {
        Agent working = runtime.bind(agent(spinning::spin));
        Agent idle = runtime.bind(agent(() -> {}));
        List<RunStream> runs = new ArrayList<>();
        for (Ended by : spin.ends()) {
            Agent agent = by == Ended.HOOK ? idle : working;
            runs.add(agent.stream("Go", options -> limit(options, by, spin.limit(), spinning)));
        }
        for (int i = 0; i < spin.others(); i++) {
            Thread.ofVirtual().start(spinning::spin);
        }
        if (!becomesTrue(() -> spinning.started() >= spin.ends().size() + spin.others())) {
            tally.addFault("starved", again + " " + spin + ": only " + spinning.started() + " began");
        }
        long from = System.nanoTime();
        LockSupport.parkNanos(spin.limit().toNanos());
        for (int i = 0; i < runs.size(); i++) {
            if (spin.ends().get(i) == Ended.CANCEL) {
                runs.get(i).cancel();
            }
        }
        for (int i = 0; i < runs.size(); i++) {
            runs.get(i).result();
            long after = System.nanoTime() - from - spin.limit().toNanos();
            late.add(Math.max(0, after));
            if (after > grace.toNanos()) {
                tally.addFault(
                        "late",
                        again + " " + spin + ": " + spin.ends().get(i) + " ended it " + after / 1_000_000
                                + " ms after its time");
            }
        }
    }

    private static void limit(RunOptions.Builder options, Ended by, Duration limit, Spinning spinning) {
        options.timeLimit(TimeLimit.TOOL, by == Ended.TOOL ? limit : NEVER);
        options.timeLimit(TimeLimit.RUN, by == Ended.RUN ? limit : NEVER);
        if (by == Ended.HOOK) {
            options.timeLimit(TimeLimit.HOOK, limit);
            options.beforeToolCall(call -> {
                spinning.spin();
                return ToolCallDecision.allow();
            });
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
