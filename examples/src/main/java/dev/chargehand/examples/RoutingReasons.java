package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.json.Description;
import java.util.function.Consumer;

/** Routing with reasons: the supervisor's model gives the reason why it chose an agent, and the reason is logged. */
public final class RoutingReasons {

    record Task(
            @Description("What the agent is to do, in full") String task,
            @Description("Why this agent and no other") String reason) {}

    private RoutingReasons() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        Agent router = router(Models.named(arguments), System.err::println);
        System.out.println(router.generate("What is spring like in Tokyo? Plan a day for it.")
                .text());
    }

    static Agent router(String model, Consumer<String> log) {
        Agent climate = Agent.builder("climate")
                .description("Knows what the weather is usually like.")
                .model(model)
                .input(Task.class)
                .build();
        Agent planner = Agent.builder("planner")
                .description("Plans activities that fit the weather.")
                .model(model)
                .input(Task.class)
                .build();
        return Agent.builder("router")
                .instructions("Give each part of the task to the agent that fits best.")
                .model(model)
                .agents(climate, planner)
                .defaultOptions(o -> o.maxSteps(10).onDelegationStart(d -> {
                    Task task = d.arguments().as(Task.class);
                    log.accept(d.agentId() + ": " + task.reason());
                    return DelegationDecision.proceed().withPrompt(task.task());
                }))
                .build();
    }
}
