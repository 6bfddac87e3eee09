package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.step.DelegationOutcome;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.replay.Recording;
import dev.chargehand.testkit.replay.Replay;
import dev.chargehand.testkit.replay.ReplayMismatchException;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the page about testing, run. */
class TestingPageTest {

    record Place(String name) {}

    record Trip(String city) {}

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

    @Test
    void theCallsOfASubAgentAreInItsDelegation() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "The sky?")
                .then()
                .says("Blue.")
                .on("researcher")
                .calls("weather", Map.of("name", "Paris"))
                .then()
                .says("It is blue."))) {
            RunResult result = test.bind(supervisor("blue")).generate("Go");
            DelegationOutcome delegation =
                    result.toolResults().getFirst().delegation().orElseThrow();
            assertThat(delegation.toolResults())
                    .extracting(ToolOutcome::toolName)
                    .containsExactly("weather");
        }
    }

    @Test
    void aScriptPlaysInTwoProcesses() {
        Path file = folder.resolve("runs.db");
        Tool book = Tool.builder("book", "Books a trip.")
                .input(Trip.class)
                .requiresApproval()
                .handler((trip, context) -> "Booked: " + trip.city())
                .build();
        Script script = ScriptedModel.script()
                .on("clerk")
                .calls("book", Map.of("city", "Paris"))
                .then()
                .says("Booked.");
        Agent clerk = Agent.builder("clerk")
                .model(script.modelFor("clerk"))
                .tools(book)
                .build();
        RunId run;
        try (AgentRuntime first = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .agents(clerk)
                .build()) {
            run = first.agent("clerk").generate("Book Paris.").runId(); // waits for an approval
        }
        try (AgentRuntime second = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .agents(clerk)
                .anyoneMayApprove()
                .build()) {
            PendingApproval call = second.handle(run).pendingApprovals().getFirst();
            assertThat(second.approve(call, Approver.of("ann")).result())
                    .finished()
                    .hasText("Booked.");
        }
    }

    private static TestRuntime testing(Agent agent) {
        return TestRuntime.builder(ScriptedModel.script()
                        .on(agent.id())
                        .calls("weather", Map.of("name", "Paris"))
                        .then()
                        .says("I do not know."))
                .manualClock()
                .agents(agent)
                .build();
    }

    private static Agent forecaster(Tool weather) {
        return Agent.builder("forecaster")
                .model("wire/forecaster")
                .tools(weather)
                .build();
    }

    @Test
    void aTimeLimitPassesWithoutWaiting() {
        CountDownLatch never = new CountDownLatch(1);
        Tool hangs = Tool.of("weather", "Tells the weather.", Place.class, (in, context) -> {
            never.await();
            return "blue";
        });
        try (TestRuntime test = testing(forecaster(hangs))) {
            RunHandle run =
                    test.agent("forecaster").start("Go", o -> o.timeLimit(TimeLimit.TOOL, Duration.ofMinutes(7)));
            test.clock().awaitAlarm(Duration.ofMinutes(7)); // the call has started
            test.clock().advance(Duration.ofMinutes(7));
            assertThat(run.result()).finished().toolFailed("weather", "took longer than 7 min");
        }
    }

    @Test
    void anApprovalExpiresWithoutWaiting() {
        Tool guarded = Tool.builder("weather", "Tells the weather.")
                .input(Place.class)
                .requiresApproval()
                .handler((in, context) -> "blue")
                .build();
        try (TestRuntime test = testing(forecaster(guarded))) {
            RunResult waiting = test.agent("forecaster").generate("Go");
            test.clock().advance(Duration.ofHours(25));
            RunResult result = test.runtime().resume(waiting.runId(), o -> {}).result();
            assertThat(result).finished().toolFailed("weather", "was not approved");
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
