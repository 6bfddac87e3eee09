package dev.chargehand.examples.start;

import dev.chargehand.Agent;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.tool.Tool;
import java.util.List;

/** A supervisor that leads two agents, of which one has a tool. */
public final class Guide {

    record City(String name) {}

    private Guide() {}

    static Agent agent() {
        Tool sights = Tool.of(
                "sights",
                "Returns the sights of a city.",
                City.class,
                (city, context) -> List.of("the opera", "the harbour"));
        Agent local = Agent.builder("local")
                .description("Knows the sights of cities.")
                .model("openai/gpt-5-mini")
                .tools(sights)
                .build();
        Agent writer = Agent.builder("writer")
                .description("Writes short letters.")
                .model("openai/gpt-5-mini")
                .build();
        return Agent.builder("guide")
                .instructions("Let local find sights and writer write about them, then answer with the letter.")
                .model("openai/gpt-5-mini")
                .agents(local, writer)
                .build();
    }

    public static void main(String[] arguments) {
        try (RunStream run = agent().stream("Write to Ann what to see in Oslo.")) {
            for (RunEvent event : run) {
                switch (event) {
                    case RunEvent.DelegationStart start ->
                        System.out.println(start.path() + " asks " + start.agentId() + ": " + start.prompt());
                    case RunEvent.ToolResult result ->
                        System.out.println(result.path() + " used " + result.toolName() + ": " + result.output());
                    default -> {}
                }
            }
            System.out.println(run.result().text());
        }
    }
}
