package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Reindexed;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.model.HashedWords;
import dev.chargehand.model.Model;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The samples of docs/memory.md. */
class MemoryPageTest {

    @Test
    void anAgentRemembersAnEarlierConversation() {
        Script script = ScriptedModel.script()
                .on("assistant")
                .says("Noted.")
                .then()
                .says("Apples.")
                .then()
                .says("I cannot know.");
        Agent made = assistant(script.modelFor("assistant"));
        try (AgentRuntime runtime =
                AgentRuntime.builder().providers().agents(made).build()) {
            Agent assistant = runtime.agent("assistant");
            assistant.generate(
                    "My dog Fido likes apples.", o -> o.thread("monday").resource("ann"));
            assertThat(runtime.memory().settled(Duration.ofSeconds(60))).isTrue();
            RunResult answer = assistant.generate(
                    "What does my dog like?", o -> o.thread("tuesday").resource("ann"));
            assertThat(answer.text()).isEqualTo("Apples.");
            assertThat(script.requestsOf("assistant").getLast().messages())
                    .anyMatch(message -> message.text().contains("My dog Fido likes apples."));

            RunResult peek = assistant.generate(
                    "Who am I?", o -> o.thread("tuesday").resource("ann").memory(m -> m.readOnly()));
            assertThat(peek.text()).isEqualTo("I cannot know.");

            List<FoundMessage> found = runtime.memory().search("assistant", ScopeRef.resource("ann"), "my dog Fido", 4);
            Optional<WorkingMemoryRevision> notes = runtime.memory().workingMemory(ScopeRef.resource("ann"));
            ObservationLog observed = runtime.memory().observations(ThreadOwner.of("ann"), "monday");
            Reindexed done = runtime.memory().reindex("assistant", ScopeRef.resource("ann"));
            assertThat(done.isComplete()).isTrue();
            List<MemoryUsage> used = runtime.memory().usage("ann");
            assertThat(used).isEmpty();
            assertThat(found.getFirst().message().text()).isEqualTo("My dog Fido likes apples.");
            assertThat(notes).isEmpty();
            assertThat(observed.observations()).isEmpty();

            String messageId = runtime.threads()
                    .lastMessages(ThreadOwner.of("ann"), "monday", 1)
                    .getFirst()
                    .message()
                    .id();
            runtime.threads().deleteMessages(ThreadOwner.of("ann"), "monday", List.of(messageId));
            runtime.threads()
                    .delete(ThreadOwner.of("ann"), "monday", d -> d.withRuns().cancelRuns());
            Forgotten forgotten = runtime.memory().forget("ann", f -> f.cancelRuns());
            assertThat(forgotten.threads()).isEqualTo(1);
        }
    }

    @Test
    void aModelObservesOlderMessages() {
        Memory observed = Memory.builder()
                .observations(o -> o.model("openai/gpt-5-nano").messageTokens(30_000))
                .build();
        assertThat(observed.observations()).isPresent();
    }

    private static Agent assistant(Model model) {
        Agent assistant = Agent.builder("assistant")
                .model(model)
                .memory(m -> m.lastMessages(20)
                        .semanticRecall(r -> r.by(new HashedWords()).topK(4).messageRange(1, 1))
                        .workingMemory(WorkingMemory.template("- Name:\n- Place:\n")))
                .build();
        return assistant;
    }
}
