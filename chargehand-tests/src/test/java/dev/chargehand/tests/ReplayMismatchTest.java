package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.hook.DelegationDecision;
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
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A replay that differs from its recording fails with the difference. */
class ReplayMismatchTest extends ReplayFixture {

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
                .isInstanceOf(ReplayMismatchException.class)
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
                .isInstanceOf(ReplayMismatchException.class)
                .hasMessageContaining("In step 1 the model of 'lead/writer'")
                .hasMessageContaining("recorded: user: Write\n")
                .hasMessageContaining("now:      user: Write more");
    }

    @Test
    void changedInstructionsFailWithTheDifference() {
        Path file = recordedOverTheWire();
        assertThatThrownBy(() ->
                        Replay.of(file, lead("You rule.", weather("blue"))).run())
                .isInstanceOf(ReplayMismatchException.class)
                .hasMessageContaining("recorded: You lead.")
                .hasMessageContaining("now:      You rule.");
    }

    @Test
    void anotherOrderOfToolsFailsWithTheDifference() {
        Tool other = Tool.of("clock", "Tells the time.", City.class, (in, context) -> "noon");
        Script script = Scripts.on("lead").says("Noon");
        Recording recording;
        try (TestRuntime test = Crew.playing(script, lead("You lead.", other, weather("blue")))) {
            recording = Recording.of(
                    test.runtime(), test.agent("lead").generate("When?").runId());
        }
        assertThat(recording.replay(lead("You lead.", other, weather("grey"))).assertSame())
                .hasText("Noon");
        assertThatThrownBy(() -> recording
                        .replay(lead("You lead.", weather("blue"), other))
                        .run())
                .isInstanceOf(ReplayMismatchException.class)
                .hasMessageContaining("recorded: agent-writer, clock, weather")
                .hasMessageContaining("now:      agent-writer, weather, clock");
    }

    @Test
    void aRunThatGoesOnWhereTheRecordedOneEndedFailsWithTheReason() {
        Recording recording = recorded(
                Scripts.on("lead", Turn.calls("weather", Map.of("city", "Paris")), Turn.says("never")),
                lead("You lead.", weather("blue")),
                o -> o.stopWhen(step -> true));
        assertThatThrownBy(() -> recording
                        .replay(lead("You lead.", weather("blue")))
                        .options(o -> o.stopWhen(step -> false))
                        .run())
                .isInstanceOf(ReplayMismatchException.class)
                .hasMessageContaining("is asked for step 2")
                .hasMessageContaining("stop-condition-met");
        Steps.assertMisconfigured(
                () -> recording.replay(lead("You lead.", weather("blue"))).run(), "stopWhen");
        assertThat(recording
                        .replay(lead("You lead.", weather("blue")))
                        .options(o -> o.stopWhen(step -> true))
                        .assertSame())
                .stoppedBecause(new StopReason.StopConditionMet(0));
    }

    @Test
    void aRunThatEndsEarlierThanTheRecordedOneIsNotTheSame() {
        Recording recording = recorded(
                Scripts.on("lead", Turn.calls("weather", Map.of("city", "Paris")), Turn.says("Blue")),
                lead("You lead.", weather("blue")),
                o -> {});
        Replay early = recording.replay(lead("You lead.", weather("blue"))).options(o -> o.maxSteps(1));
        assertThat(early.run()).stoppedBecause(new StopReason.MaxStepsReached(1));
        assertThatThrownBy(early::assertSame)
                .isInstanceOf(ReplayMismatchException.class)
                .hasMessageContaining("went another way")
                .hasMessageContaining("recorded: assistant: Blue");
    }

    @Test
    void theAgentIsTheOneThatWasRecorded() {
        Path file = recordedOverTheWire();
        assertThatThrownBy(() -> Replay.of(file, Crew.agent("writer")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("The recording is of agent 'lead', but the replay is by agent 'writer'. Pass agent 'lead',"
                        + " or record a run of 'writer'.");
    }

    @Test
    void aFileThatIsNoRecordingIsNamed() throws IOException {
        Path file = recordedOverTheWire();
        Files.writeString(file, "{\n  no");
        assertThatThrownBy(() -> Replay.of(file, Crew.agent("lead")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(file.toString(), "is not JSON at line 2, column ");
        Files.writeString(file, "{\"runs\": []}");
        assertThatThrownBy(() -> Replay.of(file, Crew.agent("lead")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(file.toString(), "no recording of version 1");
    }
}
