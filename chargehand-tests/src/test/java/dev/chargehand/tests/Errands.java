package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.testkit.Script;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** An agent {@code lead} that does what its prompt says, and then answers "Done: " and the prompt. */
final class Errands {

    static final String DELETE = "delete";
    static final String DELEGATE = "delegate";
    static final String WAIT = "wait";

    private static final Map<String, String> TOOLS = Map.of(DELETE, "delete", DELEGATE, "agent-writer", WAIT, "work");

    final CountDownLatch working = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);

    Agent lead() {
        Script script = Scripts.of(
                Turns.of("lead", Turn.answers(Errands::answer).forever()),
                Turns.of("writer", Turn.says("Written").forever()));
        return Agent.builder("lead")
                .model(script.modelFor("lead"))
                .tools(Steps.approvedTool("delete", (in, context) -> "deleted"), Steps.tool("work", (in, context) -> {
                    working.countDown();
                    Waiting.on(go);
                    return "worked";
                }))
                .agents(Agent.builder("writer")
                        .description("Writes.")
                        .model(script.modelFor("writer"))
                        .build())
                .build();
    }

    private static ModelResponse answer(ModelRequest request) {
        String prompt = request.messages().reversed().stream()
                .filter(message -> message.role() == Role.USER)
                .findFirst()
                .map(Message::text)
                .orElse("");
        String tool = TOOLS.get(prompt);
        return tool == null || request.messages().getLast().role() == Role.TOOL
                ? Steps.said("Done: " + prompt)
                : Steps.calling(tool, "{\"prompt\":\"Do it\"}");
    }
}
