package dev.chargehand.bench;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.run.Limit;
import dev.chargehand.tool.Tool;

/** The agents whose runs are measured; {@link BenchProvider} answers their models. */
final class Agents {

    /** How many iterations a run of {@link #controlled} makes; each makes two model calls. */
    static final int ITERATIONS = 10;

    /** How many messages of its thread {@link #remembering} sends. */
    static final int REMEMBERED = 20;

    private Agents() {}

    record Look(String query) {}

    private static Tool look() {
        return Tool.of("look", "Looks something up.", Look.class, (in, context) -> "seen " + in.query());
    }

    /** A supervisor that delegates to a worker with a tool: four model calls. */
    static Agent delegating() {
        Agent worker = Agent.builder("worker")
                .description("Looks things up.")
                .instructions("You look things up with your tool and say what you found.")
                .model("bench/worker")
                .tools(look())
                .build();
        return Agent.builder("supervisor")
                .instructions("You delegate to the worker and then say what it found.")
                .model("bench/supervisor")
                .agents(worker)
                .build();
    }

    /**
     * A supervisor with every feature, ten iterations and twenty model calls: each iteration delegates, is hooked and
     * scored, and gives feedback; the tenth bails.
     */
    static Agent controlled() {
        Agent helper = Agent.builder("helper")
                .description("Helps.")
                .instructions("You do what you are asked.")
                .model("bench/helper")
                .build();
        return Agent.builder("boss")
                .instructions("You delegate every part to the helper.")
                .model("bench/boss")
                .agents(helper)
                .defaultOptions(Agents::allFeatures)
                .build();
    }

    private static void allFeatures(RunOptions.Builder options) {
        options.maxSteps(ITERATIONS + 1)
                .beforeToolCall(call -> ToolCallDecision.allow())
                .onDelegationStart(delegation -> DelegationDecision.proceed().withInstructions("Be brief."))
                .messageFilter(forwarded -> forwarded.messages())
                .observeDelegationStart(delegation -> {})
                .onDelegationComplete(delegation -> delegation.step() == ITERATIONS
                        ? delegation.bail()
                        : DelegationVerdict.accept().withFeedback("Good."))
                .onIterationComplete(iteration -> IterationDecision.proceed())
                .completion(Completion.all(Scorer.of("never", context -> Score.fail("Not yet.")))
                        .everyStep())
                .stopWhen(step -> false)
                .enableResultReferences(true);
    }

    /** An agent whose one answer has thousands of deltas. */
    static Agent telling() {
        return Agent.builder("teller")
                .instructions("You tell long stories.")
                .model("bench/teller")
                .build();
    }

    /** An agent that sends the end of a long conversation. */
    static Agent remembering() {
        return Agent.builder("rememberer")
                .instructions("You remember.")
                .model("bench/helper")
                .lastMessages(REMEMBERED)
                .build();
    }

    /** An agent that calls its tool in each of many steps. */
    static Agent stepping() {
        return Agent.builder("stepper")
                .instructions("You look up one thing after the other.")
                .model("bench/stepper")
                .tools(look())
                .defaultOptions(
                        options -> options.maxSteps(BenchProvider.STEPS).limit(Limit.MODEL_CALLS, BenchProvider.STEPS))
                .build();
    }
}
