package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.replay.Recording;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/** Agents whose runs are recorded and replayed. */
abstract class ReplayFixture {

    record City(String city) {}

    final Queue<String> effects = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    Tool weather(String answer) {
        return Tool.of("weather", "Tells the weather.", City.class, (in, context) -> {
            effects.add(in.city());
            if (in.city().equals("Atlantis")) {
                throw new ToolFailureException("There is no such city.");
            }
            return Map.of("sky", answer);
        });
    }

    static Agent writer() {
        return Agent.builder("writer")
                .description("Writes.")
                .instructions("You write.")
                .model("wire/writer")
                .build();
    }

    static Agent lead(String instructions, Tool... tools) {
        return Agent.builder("lead")
                .instructions(instructions)
                .model("wire/lead")
                .agents(writer())
                .tools(tools)
                .build();
    }

    AgentRuntime runtime(LoopbackProvider provider, Agent agent) {
        return AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .providers(OpenAiCompatibleProvider.builder()
                        .provider("wire", provider.baseUrl(), "sk-secret-key")
                        .build())
                .agents(agent)
                .build();
    }

    /** Looks at the weather, has two texts written side by side, and answers; the first request is refused once. */
    Path recordedOverTheWire() {
        Path file = folder.resolve("recordings/paris.json");
        try (LoopbackProvider provider = LoopbackProvider.start();
                AgentRuntime runtime = runtime(provider, lead("You lead.", weather("blue")))) {
            provider.onModel(
                    "lead",
                    Reply.status(429).header("Retry-After", "0"),
                    Reply.toolCalls(
                            Reply.call("c1", "weather", "{\"city\":\"Paris\"}"),
                            Reply.call("c2", "weather", "{\"city\":\"Atlantis\"}")),
                    Reply.toolCalls(
                            Reply.call("c3", "agent-writer", "{\"prompt\":\"Write\"}"),
                            Reply.call("c4", "agent-writer", "{\"prompt\":\"Write\"}")),
                    Reply.text("Paris", " is blue."));
            provider.onModel("writer", Reply.text("One."), Reply.text("Two."));
            RunResult result = runtime.agent("lead").generate("How is Paris?");
            assertThat(result).finished().hasText("Paris is blue.");
            Recording.of(runtime, result.runId()).save(file);
        }
        return file;
    }

    /** Runs an agent with a script and records it, whatever its end. */
    static Recording recorded(Script script, Agent agent, Consumer<RunOptions.Builder> options) {
        try (TestRuntime test = TestRuntime.builder(script).agents(agent).build()) {
            RunId runId;
            try {
                runId = test.agent(agent.id()).generate("Go", options).runId();
            } catch (RunFailedException e) {
                runId = e.result().runId();
            }
            return Recording.of(test.runtime(), runId);
        }
    }
}
