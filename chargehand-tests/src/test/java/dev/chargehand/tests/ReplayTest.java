package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.replay.Recording;
import dev.chargehand.testkit.replay.Replay;
import dev.chargehand.testkit.replay.ReplayMismatchException;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A recorded run is replayed without its models and tools, and ends as it ended. */
class ReplayTest extends ReplayFixture {

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
        Script script = Scripts.of(Turns.saying("writer", "It is blue."), Turns.of("lead"));
        for (String said : router) {
            script = script.says(said).then();
        }
        Path file = folder.resolve("network.json");
        try (TestRuntime test = Crew.playing(script, lead("You lead.", weather("blue")))) {
            Recording.of(test.runtime(), idOf(() -> test.agent("lead")
                            .generateNetwork("How is Paris?", Crew::inThread)
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
                .isInstanceOf(ReplayMismatchException.class)
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
    void anAnswerThatWasMendedIsMendedAgainToTheSameObject() {
        Script script = Scripts.on(
                "lead",
                Turn.calls("weather", Map.of("city", "Paris")),
                Turn.says("It is blue."),
                Turn.says("{\"city\":\"Paris\"}"));
        Agent lead = lead("You lead.", weather("blue"));
        RunResult replayed = recorded(script, lead, o -> o.structuredOutput(City.class))
                .replay(lead)
                .assertSame();
        assertThat(replayed).hasObject(new City("Paris")).hasSteps(3);
    }

    @Test
    void aFallbackThatAnsweredAnswersAgain() {
        Script script = Scripts.of(
                Turns.of(
                        "first",
                        Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null)),
                        Turn.says("Second step")),
                Turns.of("second", Turn.calls("weather", Map.of("city", "Paris"))));
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
        Script script = Scripts.on(
                "lead",
                Turn.calls("weather", Map.of("city", "Paris")),
                Turn.says("Hal")
                        .and(Turn.failsWith(new ModelException(ModelException.Kind.PROTOCOL, "Broken.", null))));
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
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("writer", "Write")),
                Turns.of("writer", Turn.of(t -> t.does(asked::countDown).and().hangs())));
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
        Tool delete = Steps.approvedTool("delete", (in, context) -> Steps.noted(effects, "deleted", "deleted"));
        Tool ask = Steps.tool("ask", (in, context) -> context.providedData()
                .<Object>map(data -> "told " + data.text())
                .orElseGet(() -> context.suspend("Who?")));
        Agent clerk = Crew.agent("clerk", agent -> agent.tools(delete, ask));
        Agent boss = Crew.agent("boss", agent -> agent.agents(clerk).tools(delete));
        Script script = Scripts.of(
                Turns.of(
                        "boss",
                        Turn.calls("delete", Map.of("id", 1)).and(Turn.delegates("clerk", "Do it")),
                        Turn.says("All done")),
                Turns.of(
                        "clerk",
                        Turn.calls("delete", Map.of("id", 2)).and(Turn.calls("ask", Map.of())),
                        Turn.says("Clerk done")));
        Recording recording;
        try (TestRuntime test = TestRuntime.builder(script).agents(boss).build()) {
            RunResult result = test.agent("boss").generate("Go");
            List<PendingApproval> pending = result.pendingApprovals();
            assertThat(pending).hasSize(3);
            test.runtime().giveData(pending.get(2), "ann").result();
            test.runtime()
                    .decline(pending.get(1), Approver.of("bob"), "Not that one.")
                    .result();
            result = test.runtime().approve(pending.get(0), Approver.of("bob")).result();
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
        Tool delete = Steps.approvedTool("delete", (in, context) -> "deleted");
        Recording recording = recorded(Scripts.on("lead").calls("delete", Map.of()), lead("", delete), o -> {});
        RunResult replayed = recording.replay(lead("", delete)).assertSame();
        assertThat(replayed.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(replayed.pendingApprovals()).hasSize(1);
    }

    @Test
    void theDelegationThatBailedFirstBailsFirstAgain() {
        Agent agent = Crew.supervisor();
        Consumer<RunOptions.Builder> bail = o -> o.onDelegationComplete(end -> end.bail());
        CountDownLatch written = new CountDownLatch(1);
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "P1").and(Turn.delegates("writer", "P2"))),
                Turns.of("researcher", Turn.waitsFor(written).and(Turn.says("Late"))),
                Turns.saying("writer", "Early"));
        Recording recording;
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(agent)
                .addListener(event -> {
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
        Script script =
                Scripts.on("lead").says("First").then().says("Second").then().says("Third");
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
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("writer", "Write"), Turn.says("Old"), Turn.says("Fork")),
                Turns.saying("writer", "Text"));
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead("You lead.")).build()) {
            RunId old = test.agent("lead").generate("Go").runId();
            RunId fork = test.runtime()
                    .fork(old, 1, f -> f.addMessage("Differently"))
                    .result()
                    .runId();
            assertThat(Recording.of(test.runtime(), fork)
                            .replay(lead("You lead."))
                            .assertSame())
                    .hasText("Fork");
        }
    }

    @Test
    void onlyRootRunsAreRecorded() {
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("writer", "Write"), Turn.says("Done")), Turns.saying("writer", "Text"));
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead("You lead.")).build()) {
            RunResult result = test.agent("lead").generate("Go");
            Steps.assertMisconfigured(
                    () -> Recording.of(
                            test.runtime(),
                            result.toolResults().getFirst().childRunId().orElseThrow()),
                    result.runId().value());
        }
    }
}
