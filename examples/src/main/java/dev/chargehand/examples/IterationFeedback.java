package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.StopReason;

/** US-7 and US-8: feedback of our own after every step, and an end in order when the steps are spent. */
public final class IterationFeedback {

    private IterationFeedback() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        System.out.println(summary(analyse(supervisor(Models.named(arguments)), 4)));
    }

    static Agent supervisor(String model) {
        Agent researcher = Agent.builder("researcher")
                .description("Gathers facts and returns them as bullet points.")
                .model(model)
                .build();
        return Agent.builder("supervisor")
                .instructions("Delegate to researcher for facts, then write an analysis.")
                .model(model)
                .agents(researcher)
                .build();
    }

    static RunResult analyse(Agent supervisor, int maxSteps) {
        return supervisor.generate(
                "Analyse AI in schools", o -> o.maxSteps(maxSteps).onIterationComplete(IterationFeedback::decide));
    }

    private static IterationDecision decide(IterationContext it) {
        if (!it.currentStep().toolResults().isEmpty()) {
            return IterationDecision.proceed(); // it is still gathering
        }
        if (it.text().contains("recommendations")) {
            return IterationDecision.stop();
        }
        return IterationDecision.proceedWith(
                "Step " + it.iteration() + " of " + it.maxSteps() + ": please include specific recommendations.");
    }

    static String summary(RunResult result) {
        return switch (result.stopReason()) {
            case StopReason.StoppedByHook done -> result.text();
            case StopReason.MaxStepsReached spent ->
                "Not complete after " + spent.maxSteps() + " steps. The last draft:\n" + result.text();
            default -> result.stopReason().explanation();
        };
    }
}
