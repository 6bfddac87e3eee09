package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.json.Description;
import dev.chargehand.message.Message;
import dev.chargehand.run.DelegationMemory;
import java.util.List;

/**
 * US-3: the part of the conversation that sub-agents receive, a sub-agent with a typed task, and results forwarded
 * verbatim.
 */
public final class SharedContext {

    record Order(
            @Description("What the text is to be about") String subject,
            @Description("The most words") int words) {}

    record Draft(String title, String body) {}

    private SharedContext() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        RunResult result = plan(
                supervisor(Models.named(arguments)),
                List.of(
                        Message.user("We sell garden tools. This is confidential: margins are at 12 %."),
                        Message.assistant("Noted."),
                        Message.user("Write a post of 80 words about spring for our customers.")));
        System.out.println(result.text() + "\n" + result.toolResults());
    }

    static Agent supervisor(String model) {
        Agent researcher = Agent.builder("researcher")
                .description("Gathers facts; continues its earlier work within a conversation.")
                .model(model)
                .delegationMemory(DelegationMemory.PER_PARENT_THREAD)
                .build();
        Agent writer = Agent.builder("writer")
                .description("Writes a post to order.")
                .model(model)
                .input(Order.class)
                .output(Draft.class)
                .build();
        return Agent.builder("supervisor")
                .instructions("Ask researcher for facts, then hand its result to writer by its reference.")
                .model(model)
                .agents(researcher, writer)
                .subAgentContext(SubAgentContext.lastMessages(15))
                .build();
    }

    static RunResult plan(Agent supervisor, List<Message> conversation) {
        return supervisor.generate(
                conversation, o -> o.enableResultReferences(true).messageFilter(f -> f.messages().stream()
                        .filter(m -> !m.text().contains("confidential"))
                        .toList()));
    }
}
