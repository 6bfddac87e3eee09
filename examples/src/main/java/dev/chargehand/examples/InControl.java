package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.BailStrategy;
import java.time.Duration;

/** Every means of control on one call. */
public final class InControl {

    record User(boolean premium) {}

    private InControl() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        RunResult paper = write(ResearchPaper.supervisor(Models.named(arguments)), new User(false));
        System.out.println(paper.text() + "\n" + paper.stopReason());
    }

    static RunResult write(Agent supervisor, User user) {
        RunResult paper = supervisor.generate("Write a paper about AI", o -> o.maxSteps(20)
                .onIterationComplete(it -> it.text().isEmpty() || it.text().contains("recommendations")
                        ? IterationDecision.proceed()
                        : IterationDecision.proceedWith("Please include specific recommendations."))
                .completion(Completion.all(Scorers.citations(5), Scorers.minLength(2_000)))
                .onDelegationStart(d -> d.agentId().equals("premium-agent") && !user.premium()
                        ? DelegationDecision.reject("Premium required")
                        : DelegationDecision.proceed()
                                .withPrompt(d.prompt() + "\n\nBe concise.")
                                .withMaxSteps(5))
                .onDelegationComplete(d -> d.text().contains("## Conclusion") ? d.bail() : d.accept())
                .messageFilter(f -> f.messages().stream()
                        .filter(m -> !m.text().contains("confidential"))
                        .toList())
                .bailStrategy(BailStrategy.FIRST)
                .budget(b -> b.tokens(200_000).wallTime(Duration.ofMinutes(5))));
        return paper;
    }
}
