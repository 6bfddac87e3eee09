package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are not whole, and an end without an answer. */
class IncompleteAnswerTest {

    @ParameterizedTest
    @EnumSource(FinishReason.class)
    void anAnswerThatIsNotWholeIsMarkedInItsThreadAsAPartialOneIs(FinishReason finish) {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Half a").finishes(finish), Crew.solo())) {
            var result = test.agent("solo")
                    .generate("Go", o -> o.thread("t").resource("u").maxSteps(1));

            for (List<Message> messages : List.of(test.thread("t", "u"), result.messages())) {
                assertThat(messages.getLast().text()).isEqualTo("Half a");
                assertThat(messages.getLast().id().endsWith(".partial")).isEqualTo(!finish.isComplete());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void aRunWhoseLastAnswerIsEmptyHasNotFinished(String text) {
        Ran ran = Both.run(Crew.solo(Crew.OK), Turn.calls("ok", "{}"), Turn.says(text));

        assertThat(ran.result()).hasStatus(RunStatus.INCOMPLETE);
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.AnswerIncomplete());
        assertThat(ran.result().stopReason().explanation()).contains("empty");
    }

    @Test
    void reasoningAloneIsNoAnswer() {
        Ran ran = Both.run(Crew.solo(), Turn.reasons("Hm."));

        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.AnswerIncomplete());
    }

    @Test
    void aDelegationThatSaysNothingIsAnErrorResultAsBefore() {
        Ran ran = Both.run(
                Crew.supervisor(),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.saying("researcher", ""));

        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow()).contains("Its answer was empty.");
    }
}
