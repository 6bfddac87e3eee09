package dev.chargehand.bench;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.bench.disk.Median;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Measures hooks and scorers that do nothing, as the difference of runs with and without them; the model is instant. */
final class NoOps {

    private static final int STEPS = 10;
    private static final int WARM_UP = 4_000;
    private static final int BLOCK = 1_000;
    private static final int BLOCKS = 9;
    private static final int FEW_RUNS = 20_000;
    private static final int MANY_RUNS = 100_000;

    private NoOps() {}

    /** Asks for the worker in each step but the last, with another prompt each time. */
    private record Instant(String name) implements Model {

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            long turns = request.messages().stream()
                    .filter(message -> message.role() == Role.TOOL)
                    .count();
            if (name.equals("bench/worker") || turns == STEPS - 1) {
                return ModelResponse.text("done", Usage.of(10, 5));
            }
            return new ModelResponse(
                    "",
                    "",
                    List.of(new ModelResponse.RequestedCall(
                            "c" + turns, "agent-worker", "{\"prompt\":\"part " + turns + "\"}")),
                    FinishReason.TOOL_CALLS,
                    Usage.of(10, 5));
        }
    }

    private static Agent supervisor() {
        Agent worker = Agent.builder("worker")
                .description("Works.")
                .model(new Instant("bench/worker"))
                .build();
        return Agent.builder("supervisor")
                .model(new Instant("bench/supervisor"))
                .agents(worker)
                .build();
    }

    /** Return the microseconds of one hook and of one scorer, each asked in every step. */
    static double[] measure() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            Agent agent = runtime.bind(supervisor());
            Consumer<RunOptions.Builder> hook = o -> o.onIterationComplete(it -> IterationDecision.proceed());
            Consumer<RunOptions.Builder> scorer =
                    o -> o.completion(Completion.all(Scorer.of("no-op", context -> Score.fail("")))
                            .everyStep()
                            .feedbackToLLM(false));
            for (Consumer<RunOptions.Builder> options : List.<Consumer<RunOptions.Builder>>of(o -> {}, hook, scorer)) {
                micros(agent, options, WARM_UP);
            }
            System.out.printf(Locale.ROOT, "%5s %10s %10s %10s%n", "block", "plain µs", "hook µs", "scorer µs");
            double[] hooks = new double[BLOCKS];
            double[] scorers = new double[BLOCKS];
            for (int i = 0; i < BLOCKS; i++) {
                double plain = micros(agent, o -> {}, BLOCK);
                hooks[i] = (micros(agent, hook, BLOCK) - plain) / STEPS;
                scorers[i] = (micros(agent, scorer, BLOCK) - plain) / STEPS;
                System.out.printf(Locale.ROOT, "%5d %10.0f %10.1f %10.1f%n", i + 1, plain, hooks[i], scorers[i]);
            }
            return new double[] {Median.of(hooks), Median.of(scorers)};
        }
    }

    private static double micros(Agent agent, Consumer<RunOptions.Builder> options, int runs) {
        long began = System.nanoTime();
        for (int i = 0; i < runs; i++) {
            agent.generate("Go", o -> options.accept(o.maxSteps(STEPS)));
        }
        return (System.nanoTime() - began) / 1_000.0 / runs;
    }

    /** Return how much more heap is in use after many runs of one agent than after few, in bytes. */
    static long heapGrowth() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            Agent agent = runtime.bind(supervisor());
            Consumer<RunOptions.Builder> options = o -> o.maxSteps(2)
                    .onIterationComplete(it -> IterationDecision.proceed())
                    .onDelegationComplete(delegation -> delegation.bail());
            micros(agent, options, FEW_RUNS);
            long few = usedHeap();
            micros(agent, options, MANY_RUNS - FEW_RUNS);
            long many = usedHeap();
            System.out.printf(
                    Locale.ROOT,
                    "heap after %d runs: %d KB, after %d: %d KB%n",
                    FEW_RUNS,
                    few / 1024,
                    MANY_RUNS,
                    many / 1024);
            return many - few;
        }
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
