package dev.chargehand.examples.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.model.HashedWords;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an agent remembers from one conversation to another, as its model sees it. */
class AssistantTest {

    @Test
    void anotherConversationOfTheSameUserIsRecalled() {
        Agent definition = Agent.builder("assistant")
                .model("openai/gpt-5-mini")
                .memory(m -> m.lastMessages(20)
                        .semanticRecall(r -> r.by(new HashedWords()))
                        .workingMemory(WorkingMemory.template("- Name:\n- Place:\n")))
                .build();
        try (TestRuntime test = TestRuntime.with(
                ScriptedModel.script().on("assistant").says("Noted.").then().says("Apples."))) {
            Agent assistant = test.bind(definition);
            assistant.generate(
                    "My dog Fido likes apples.", o -> o.thread("monday").resource("ann"));
            assertThat(test.runtime().memory().settled(Duration.ofSeconds(60))).isTrue();
            assistant.generate(
                    "What does my dog like?", o -> o.thread("tuesday").resource("ann"));
            assertThat(test.script().requestsOf("assistant").getLast().messages())
                    .anyMatch(message -> message.text().contains("Fido likes apples"));
        }
    }
}
