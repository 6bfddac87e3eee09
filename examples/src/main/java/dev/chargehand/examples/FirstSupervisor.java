package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.tool.Tool;

/** The first supervisor: two specialists and an agent that leads them. */
public final class FirstSupervisor {

    record Search(String query) {}

    private FirstSupervisor() {}

    public static void main(String[] arguments) {
        // A tool is a record and a lambda.
        Tool searchWeb = Tool.of("searchWeb", "Searches the web.", Search.class, (in, context) -> "Nothing yet.");
        RunResult result = supervisor(searchWeb).generate("Research AI in education and write an article");
        System.out.println(result.text() + "\n" + result.stopReason() + " " + result.totalUsage());
    }

    static Agent supervisor(Tool searchWeb) {
        Agent researcher = Agent.builder("research-agent")
                .description("Gathers facts and returns bullet points with sources.")
                .model("openai/gpt-5-mini")
                .tools(searchWeb)
                .build();
        Agent writer = Agent.builder("writing-agent")
                .description("Turns research into well-structured articles.")
                .model("openai/gpt-5-mini")
                .build();
        return Agent.builder("supervisor")
                .instructions("Delegate to research-agent for facts, then to writing-agent for prose.")
                .model("openai/gpt-5.1")
                .agents(researcher, writer)
                .build();
    }
}
