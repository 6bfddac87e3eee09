package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.replay.Recording;
import dev.chargehand.testkit.replay.Replay;
import dev.chargehand.testkit.replay.ReplayMismatchException;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the page about testing, run. */
class TestingPageTest {

    record Place(String name) {}

    @TempDir
    Path folder;

    private static Agent supervisor(String sky) {
        Tool weather = Tool.of("weather", "Tells the weather.", Place.class, (in, context) -> Map.of("sky", sky));
        Agent researcher = Agent.builder("researcher")
                .description("Finds facts.")
                .model("wire/researcher")
                .tools(weather)
                .build();
        return Agent.builder("supervisor")
                .instructions("You lead.")
                .model("wire/supervisor")
                .agents(researcher)
                .build();
    }

    @Test
    void anAgentIsTestedWithAScript() {
        Agent supervisor = supervisor("blue");
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find facts")
                .then()
                .says("Done [1]")
                .on("researcher")
                .says("Fact A [1]"))) {
            assertThat(test.bind(supervisor).generate("Go"))
                    .finished()
                    .hasText("Done [1]")
                    .delegatedTo("researcher", "Find facts");
        }
    }

    private static void record(Agent supervisor, ModelProvider provider, Path file) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .providers(provider)
                .agents(supervisor)
                .build()) {
            RunResult result = runtime.agent("supervisor").generate("How is Paris?");
            Recording.of(runtime, result.runId()).save(file);
        }
    }

    @Test
    void aRecordedRunIsATest() {
        Path file = folder.resolve("paris.json");
        try (LoopbackProvider server = LoopbackProvider.start();
                OpenAiCompatibleProvider provider = OpenAiCompatibleProvider.builder()
                        .provider("wire", server.baseUrl(), "a-key")
                        .build()) {
            server.onModel(
                    "supervisor",
                    Reply.toolCalls(Reply.call("c1", "agent-researcher", "{\"prompt\":\"The sky?\"}")),
                    Reply.text("Blue."));
            server.onModel(
                    "researcher",
                    Reply.toolCalls(Reply.call("c2", "weather", "{\"name\":\"Paris\"}")),
                    Reply.text("It is blue."));
            record(supervisor("blue"), provider, file);
        }

        Agent supervisor = supervisor("grey");
        Replay.of(file, supervisor).assertSame();

        assertThatThrownBy(() -> Replay.of(file, supervisor).liveTools().assertSame())
                .isInstanceOf(ReplayMismatchException.class)
                .hasMessageContaining("{\"sky\":\"grey\"}");
    }
}
