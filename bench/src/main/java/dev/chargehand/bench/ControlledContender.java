package dev.chargehand.bench;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.models.OpenAiCompatibleProvider;

/**
 * Makes runs of ten iterations and twenty model calls with every feature of a controlled supervisor: each iteration
 * delegates, is hooked and scored, and gives feedback; the tenth bails.
 */
final class ControlledContender implements Contender {

    /** How many iterations a run makes; each makes two model calls. */
    static final int ITERATIONS = 10;

    private final AgentRuntime runtime;
    private final Agent boss;

    ControlledContender(String baseUrl) {
        Agent helper = Agent.builder("helper")
                .description("Helps.")
                .instructions("You do what you are asked.")
                .model("bench/helper")
                .build();
        Agent supervisor = Agent.builder("boss")
                .instructions("You delegate every part to the helper.")
                .model("bench/boss")
                .agents(helper)
                .defaultOptions(ControlledContender::allFeatures)
                .build();
        this.runtime = AgentRuntime.builder()
                .providers(OpenAiCompatibleProvider.builder()
                        .provider("bench", baseUrl, "no-key")
                        .build())
                .agents(supervisor)
                .build();
        this.boss = runtime.agent("boss");
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

    @Override
    public String run(String marker) {
        return boss.generate("please work on " + marker).text();
    }

    @Override
    public void close() {
        runtime.close();
    }
}
