package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.run.RequestContext;

/** A sub-agent that only some users may cause to work, and a prompt that is changed on the way to it. */
public final class PremiumAgent {

    static final RequestContext.Key<Boolean> PREMIUM = RequestContext.Key.of("premium", Boolean.class);

    private PremiumAgent() {}

    /** Run it against a real provider, once for a paying user and once for another user. */
    public static void main(String[] arguments) {
        Agent supervisor = supervisor(Models.named(arguments));
        for (boolean premium : new boolean[] {true, false}) {
            RunResult result = answer(supervisor, "What will the market for heat pumps be like in 2030?", premium);
            System.out.println((premium ? "premium: " : "free: ") + result.text() + "\n");
        }
    }

    static Agent supervisor(String model) {
        Agent premium = Agent.builder("premium-agent")
                .description("Forecasts from licensed market data; costs money.")
                .model(model)
                .build();
        Agent free = Agent.builder("free-agent")
                .description("Answers from general knowledge.")
                .model(model)
                .build();
        return Agent.builder("supervisor")
                .instructions(
                        "Ask premium-agent about markets. If the call is rejected, ask free-agent and state that.")
                .model(model)
                .agents(premium, free)
                .defaultOptions(o -> o.onDelegationStart(d -> {
                    boolean mayPay = d.run().requestContext().get(PREMIUM).orElse(false);
                    return d.agentId().equals("premium-agent") && !mayPay
                            ? DelegationDecision.reject("Premium required")
                            : DelegationDecision.proceed()
                                    .withPrompt(d.prompt() + "\n\nBe concise.")
                                    .withMaxSteps(3);
                }))
                .build();
    }

    static RunResult answer(Agent supervisor, String question, boolean premium) {
        return supervisor.generate(
                question, o -> o.requestContext(RequestContext.empty().with(PREMIUM, premium)));
    }
}
