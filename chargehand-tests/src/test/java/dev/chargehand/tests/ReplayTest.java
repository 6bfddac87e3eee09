package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.delegation.DelegationDecision;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.Reply;
import dev.chargehand.testkit.replay.Recording;
import dev.chargehand.testkit.replay.Replay;
import dev.chargehand.testkit.replay.ReplayMismatch;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorded run is replayed without its models and tools, and every difference is told. */
class ReplayTest {

    record City(String city) {}

    private final Queue<String> effects = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    private Tool weather(String answer) {
        return Tool.of("weather", "Tells the weather.", City.class, (in, context) -> {
            effects.add(in.city());
            if (in.city().equals("Atlantis")) {
                throw new ToolFailure("There is no such city.");
            }
            return Map.of("sky", answer);
        });
    }

    private static Agent writer() {
        return Agent.builder("writer")
                .description("Writes.")
                .instructions("You write.")
                .model("wire/writer")
                .build();
    }

    private static Agent lead(String instructions, Tool... tools) {
        return Agent.builder("lead")
                .instructions(instructions)
                .model("wire/lead")
                .agents(writer())
                .tools(tools)
                .build();
    }

    private AgentRuntime runtime(LoopbackProvider provider, Agent agent) {
        return AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .providers(OpenAiCompatibleProvider.builder()
                        .provider("wire", provider.baseUrl(), "sk-secret-key")
                        .build())
                .agents(agent)
                .build();
    }

    /** Looks at the weather, has two texts written side by side, and answers; the first request is refused once. */
    private Path recordedOverTheWire() {
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

    @Test
    void aRunRecordedOverASocketIsReplayedWithoutIt() {
        Path file = recordedOverTheWire();
        effects.clear();
        for (int i = 0; i < 3; i++) {
            RunResult replayed =
                    Replay.of(file, lead("You lead.", weather("grey"))).assertSame();
            assertThat(replayed).finished().hasText("Paris is blue.").hasSteps(3);
            assertThat(replayed.toolResults())
                    .extracting(outcome -> outcome.error().orElse("fine"))
                    .containsExactly("fine", "There is no such city.", "fine", "fine");
        }
        assertThat(effects).as("effects of tools").isEmpty();
    }

    /** Routes to the tool, is not done, routes to the writer, and is done. */
    @SuppressWarnings("deprecation") // what is tested
    private Path recordedNetwork(String... router) {
        Script script = ScriptedModel.script().on("writer").says("It is blue.").on("lead");
        for (String said : router) {
            script = script.says(said).then();
        }
        Path file = folder.resolve("network.json");
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(lead("You lead.", weather("blue")))
                .build()) {
            Recording.of(test.runtime(), idOf(() -> test.agent("lead")
                            .generateNetwork("How is Paris?", o -> o.thread("t").resource("u"))
                            .runId()))
                    .save(file);
        }
        return file;
    }

    private static RunId idOf(Supplier<RunId> run) {
        try {
            return run.get();
        } catch (RunFailedException e) {
            return e.result().runId();
        }
    }

    @Test
    void aNetworkIsReplayedWithItsDecisionsAndItsChecks() {
        Path file = recordedNetwork(
                Routed.tool("weather", "{\"city\":\"Paris\"}"),
                Routed.incomplete("in words, please"),
                Routed.agent("writer", "Write: blue"),
                Routed.complete("ok", "Paris is blue."));
        effects.clear();
        RunResult replayed = Replay.of(file, lead("You lead.", weather("grey"))).assertSame();
        assertThat(replayed)
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("Paris is blue.")
                .hasSteps(2);
        assertThat(effects).isEmpty();
        assertThatThrownBy(() -> Replay.of(file, lead("You lead others.", weather("grey")))
                        .assertSame())
                .isInstanceOf(ReplayMismatch.class)
                .hasMessageContaining("instructions");
    }

    @Test
    void aNetworkWhoseRouterMadeNoDecisionFailsAgain() {
        Path file = recordedNetwork("Hm.", "Hm again.");
        assertThat(Replay.of(file, lead("You lead.", weather("grey"))).run()).hasStatus(RunStatus.FAILED);
    }

    @Test
    void aRecordingIsReadableAndHoldsNeitherKeysNorProcesses() throws IOException {
        Path file = recordedOverTheWire();
        String text = Files.readString(file);
        assertThat(text)
                .contains("\"prompt\\\":\\\"Write", "\"text\" : \"Paris is blue.\"", "\"instructions\" : \"You lead.\"")
                .doesNotContain("sk-secret-key", "127.0.0.1", "\"owner\"");
        Recording.load(file).without("Atlantis", "Paris is blue.").save(file);
        assertThat(Files.readString(file)).doesNotContain("Atlantis", "is blue").contains("***");
    }

    @Test
    void aChangedResultOfAToolFailsWithTheDifference() {
        Path file = recordedOverTheWire();
        assertThat(Replay.of(file, lead("You lead.", weather("blue")))
                        .liveTools()
                        .assertSame())
                .hasText("Paris is blue.");
        assertThatThrownBy(() -> Replay.of(file, lead("You lead.", weather("grey")))
                        .liveTools()
                        .run())
                .isInstanceOf(ReplayMismatch.class)
                .hasMessageContaining("In step 2 the model of 'lead'")
                .hasMessageContaining("message 3")
                .hasMessageContaining("recorded: tool: weather gave: {\"sky\":\"blue\"}")
                .hasMessageContaining("now:      tool: weather gave: {\"sky\":\"grey\"}");
    }

    @Test
    void aChangedPromptFailsWithTheDifference() {
        Path file = recordedOverTheWire();
        Replay replay = Replay.of(file, lead("You lead.", weather("blue")))
                .options(o -> o.onDelegationStart(
                        start -> DelegationDecision.proceed().withPrompt(start.prompt() + " more")));
        assertThatThrownBy(replay::run)
                .isInstanceOf(ReplayMismatch.class)
                .hasMessageContaining("In step 1 the model of 'lead/writer'")
                .hasMessageContaining("recorded: user: Write\n")
                .hasMessageContaining("now:      user: Write more");
    }

    @Test
    void changedInstructionsFailWithTheDifference() {
        Path file = recordedOverTheWire();
        assertThatThrownBy(() ->
                        Replay.of(file, lead("You rule.", weather("blue"))).run())
                .isInstanceOf(ReplayMismatch.class)
                .hasMessageContaining("recorded: You lead.")
                .hasMessageContaining("now:      You rule.");
    }

    @Test
    void anotherOrderOfToolsFailsWithTheDifference() {
        Tool other = Tool.of("clock", "Tells the time.", City.class, (in, context) -> "noon");
        Script script = ScriptedModel.script().on("lead").says("Noon");
        Recording recording;
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(lead("You lead.", other, weather("blue")))
                .build()) {
            recording = Recording.of(
                    test.runtime(), test.agent("lead").generate("When?").runId());
        }
        assertThat(recording.replay(lead("You lead.", other, weather("grey"))).assertSame())
                .hasText("Noon");
        assertThatThrownBy(() -> recording
                        .replay(lead("You lead.", weather("blue"), other))
                        .run())
                .isInstanceOf(ReplayMismatch.class)
                .hasMessageContaining("recorded: agent-writer, clock, weather")
                .hasMessageContaining("now:      agent-writer, weather, clock");
    }

    @Test
    void aRunThatGoesOnWhereTheRecordedOneEndedFailsWithTheReason() {
        Recording recording = recorded(
                ScriptedModel.script()
                        .on("lead")
                        .calls("weather", Map.of("city", "Paris"))
                        .then()
                        .says("never"),
                lead("You lead.", weather("blue")),
                o -> o.stopWhen(step -> true));
        assertThatThrownBy(() -> recording
                        .replay(lead("You lead.", weather("blue")))
                        .options(o -> o.stopWhen(step -> false))
                        .run())
                .isInstanceOf(ReplayMismatch.class)
                .hasMessageContaining("is asked for step 2")
                .hasMessageContaining("stop-condition-met");
        assertThatThrownBy(() ->
                        recording.replay(lead("You lead.", weather("blue"))).run())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("stopWhen");
        assertThat(recording
                        .replay(lead("You lead.", weather("blue")))
                        .options(o -> o.stopWhen(step -> true))
                        .assertSame())
                .stoppedBecause(new StopReason.StopConditionMet(0));
    }

    @Test
    void aRunThatEndsEarlierThanTheRecordedOneIsNotTheSame() {
        Recording recording = recorded(
                ScriptedModel.script()
                        .on("lead")
                        .calls("weather", Map.of("city", "Paris"))
                        .then()
                        .says("Blue"),
                lead("You lead.", weather("blue")),
                o -> {});
        Replay early = recording.replay(lead("You lead.", weather("blue"))).options(o -> o.maxSteps(1));
        assertThat(early.run()).stoppedBecause(new StopReason.MaxStepsReached(1));
        assertThatThrownBy(early::assertSame)
                .isInstanceOf(ReplayMismatch.class)
                .hasMessageContaining("went another way")
                .hasMessageContaining("recorded: assistant: Blue");
    }

    /** Runs an agent with a script and records it, whatever its end. */
    private static Recording recorded(Script script, Agent agent, Consumer<RunOptions.Builder> options) {
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

    @Test
    void anAnswerThatWasMendedIsMendedAgainToTheSameObject() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("weather", Map.of("city", "Paris"))
                .then()
                .says("It is blue.")
                .then()
                .says("{\"city\":\"Paris\"}");
        Agent lead = lead("You lead.", weather("blue"));
        RunResult replayed = recorded(script, lead, o -> o.structuredOutput(City.class))
                .replay(lead)
                .assertSame();
        assertThat(replayed).hasObject(new City("Paris")).hasSteps(3);
    }

    @Test
    void aFallbackThatAnsweredAnswersAgain() {
        Script script = ScriptedModel.script()
                .on("first")
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null))
                .then()
                .says("Second step")
                .on("second")
                .calls("weather", Map.of("city", "Paris"));
        Agent lead = Agent.builder("lead")
                .model(ModelChoice.of("scripted/first").orElse("scripted/second"))
                .tools(weather("blue"))
                .build();
        RunResult replayed = recorded(script, lead, o -> {}).replay(lead).assertSame();
        assertThat(replayed.steps())
                .extracting(step -> step.model())
                .containsExactly("scripted/second", "scripted/first");
    }

    @Test
    void aRunThatFailedFailsAgain() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("weather", Map.of("city", "Paris"))
                .then()
                .says("Hal")
                .and()
                .failsWith(new ModelException(ModelException.Kind.PROTOCOL, "Broken.", null));
        RunResult replayed = recorded(script, lead("", weather("blue")), o -> {})
                .replay(lead("", weather("blue")))
                .assertSame();
        assertThat(replayed.stopReason())
                .isInstanceOfSatisfying(StopReason.Failed.class, failed -> assertThat(failed.error())
                        .isEqualTo("model-protocol"));
    }

    @Test
    void aRunThatWasCancelledIsCancelledAgain() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("lead")
                .delegates("writer", "Write")
                .on("writer")
                .does(asked::countDown)
                .and()
                .hangs();
        Recording recording;
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead("You lead.")).build()) {
            RunStream run = test.agent("lead").stream("Go");
            asked.await();
            run.cancel();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
            recording = Recording.of(test.runtime(), run.runId());
        }
        assertThat(recording.replay(lead("You lead.")).assertSame().status()).isEqualTo(RunStatus.ABORTED);
    }

    @Test
    void approvalsRefusalsAndDataAreGivenAgainInTheirOrder() {
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(Crew.ANYTHING)
                .requiresApproval()
                .handler((in, context) -> {
                    effects.add("deleted");
                    return "deleted";
                })
                .build();
        Tool ask = Tool.builder("ask", "Asks.")
                .input(Crew.ANYTHING)
                .handler((in, context) -> context.resumeData()
                        .<Object>map(data -> "told " + data.text())
                        .orElseGet(() -> context.suspend("Who?")))
                .build();
        Agent clerk = Agent.builder("clerk")
                .description("Clerk.")
                .model("none/none")
                .tools(delete, ask)
                .build();
        Agent boss = Agent.builder("boss")
                .model("none/none")
                .agents(clerk)
                .tools(delete)
                .build();
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("delete", Map.of("id", 1))
                .and()
                .delegates("clerk", "Do it")
                .then()
                .says("All done")
                .on("clerk")
                .calls("delete", Map.of("id", 2))
                .and()
                .calls("ask", Map.of())
                .then()
                .says("Clerk done");
        Recording recording;
        try (TestRuntime test = TestRuntime.builder(script).agents(boss).build()) {
            RunResult result = test.agent("boss").generate("Go");
            List<PendingApproval> pending = result.pendingApprovals();
            assertThat(pending).hasSize(3);
            test.runtime().resume(pending.get(2), "ann");
            test.runtime().decline(pending.get(1), Approver.of("bob"), "Not that one.");
            result = test.runtime().approve(pending.get(0), Approver.of("bob"));
            assertThat(result).finished().hasText("All done");
            recording = Recording.of(test.runtime(), result.runId());
        }
        effects.clear();
        Path file = folder.resolve("boss.json");
        recording.save(file);
        assertThat(file)
                .content()
                .contains("\"resumed\"")
                .doesNotContain(":" + ProcessHandle.current().pid() + ":");
        assertThat(Replay.of(file, boss).assertSame()).finished().hasText("All done");
        assertThat(effects).isEmpty();
    }

    @Test
    void aRunThatWaitsIsReplayedToWhereItWaits() {
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(Crew.ANYTHING)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
        Recording recording =
                recorded(ScriptedModel.script().on("lead").calls("delete", Map.of()), lead("", delete), o -> {});
        RunResult replayed = recording.replay(lead("", delete)).assertSame();
        assertThat(replayed.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(replayed.pendingApprovals()).hasSize(1);
    }

    @Test
    void theDelegationThatBailedFirstBailsFirstAgain() {
        Agent agent = Crew.supervisor();
        Consumer<RunOptions.Builder> bail = o -> o.onDelegationComplete(end -> end.bail());
        CountDownLatch written = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "P1")
                .and()
                .delegates("writer", "P2")
                .on("researcher")
                .waitsFor(written)
                .and()
                .says("Late")
                .on("writer")
                .says("Early");
        Recording recording;
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(agent)
                .listener(event -> {
                    if (event instanceof RunEvent.ToolResult) {
                        written.countDown();
                    }
                })
                .build()) {
            RunResult result = test.agent("supervisor").generate("Go", bail);
            assertThat(result).hasText("Early");
            recording = Recording.of(test.runtime(), result.runId());
        }
        for (int i = 0; i < 20; i++) {
            assertThat(recording.replay(agent).options(bail).assertSame()).hasText("Early");
        }
    }

    @Test
    void whatTheConversationHeldBeforeIsThereAgain() {
        Script script = ScriptedModel.script()
                .on("lead")
                .says("First")
                .then()
                .says("Second")
                .then()
                .says("Third");
        Recording recording;
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead("You lead.")).build()) {
            Consumer<RunOptions.Builder> thread = o -> o.thread("t").resource("u");
            test.agent("lead").generate("One", thread);
            RunId runId = test.agent("lead").generate("Two", thread).runId();
            test.agent("lead").generate("Three", thread);
            recording = Recording.of(test.runtime(), runId);
        }
        assertThat(recording.threads()).hasSize(1);
        assertThat(recording.threads().getFirst().entries()).hasSize(4);
        assertThat(recording.replay(lead("You lead.")).assertSame()).hasText("Second");
    }

    @Test
    void aForkIsReplayedFromWhereItBegan() {
        Script script = ScriptedModel.script()
                .on("lead")
                .delegates("writer", "Write")
                .then()
                .says("Old")
                .then()
                .says("Fork")
                .on("writer")
                .says("Text");
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead("You lead.")).build()) {
            RunId old = test.agent("lead").generate("Go").runId();
            RunId fork =
                    test.runtime().fork(old, 1, f -> f.message("Differently")).runId();
            assertThat(Recording.of(test.runtime(), fork)
                            .replay(lead("You lead."))
                            .assertSame())
                    .hasText("Fork");
        }
    }

    @Test
    void onlyRootRunsAreRecorded() {
        Script script = ScriptedModel.script()
                .on("lead")
                .delegates("writer", "Write")
                .then()
                .says("Done")
                .on("writer")
                .says("Text");
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead("You lead.")).build()) {
            RunResult result = test.agent("lead").generate("Go");
            assertThatThrownBy(() -> Recording.of(
                            test.runtime(), result.toolResults().getFirst().childRunId()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(result.runId().value());
        }
    }
}
