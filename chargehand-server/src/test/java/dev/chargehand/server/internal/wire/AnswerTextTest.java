package dev.chargehand.server.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sent of a text that arrives in parts, again, or not at all. */
class AnswerTextTest {

    private static final Origin AT = new Origin(new RunId("run_1"), AgentPath.root("writer"), 1, Instant.EPOCH);

    private final AnswerText text = new AnswerText(true);

    private String delta(String part) {
        return text.next(new RunEvent.TextDelta(AT, "t", part)).orElse("");
    }

    private void pass(RunEvent event) {
        assertThat(text.next(event)).isEmpty();
    }

    private static RunEvent end() {
        return new RunEvent.UsageReport(AT, "m", Usage.NONE, 1);
    }

    private static RunEvent retry() {
        return new RunEvent.StepRetry(AT, 1, "m", "connection", Duration.ZERO);
    }

    private static RunEvent finish(String answer) {
        StopReason reason = new StopReason.Finished();
        return new RunEvent.RunFinish(AT, reason.status(), reason, answer, Usage.NONE, Duration.ZERO, List.of());
    }

    @Test
    void partsAreSentAsTheyArriveAndNotAgainAtTheEnd() {
        assertThat(delta("One ")).isEqualTo("One ");
        assertThat(delta("two.")).isEqualTo("two.");
        pass(end());
        pass(finish("One two."));
    }

    @Test
    void aTextThatArrivesAgainIsContinuedWhereItWasCut() {
        assertThat(delta("One ")).isEqualTo("One ");
        pass(retry());
        assertThat(delta("O")).isEmpty();
        assertThat(delta("ne two.")).isEqualTo("two.");
        pass(end());
        assertThat(text.isVoid()).isFalse();
        assertThat(text.sent()).isEqualTo("One two.");
    }

    @Test
    void aRetryWithAnotherTextMakesTheTextVoid() {
        delta("One ");
        pass(retry());
        assertThat(delta("Two")).isEmpty();
        assertThat(text.isVoid()).isTrue();
    }

    @Test
    void aRetryWithAShorterTextMakesTheTextVoid() {
        delta("One ");
        pass(retry());
        delta("On");
        pass(end());
        assertThat(text.isVoid()).isTrue();
    }

    @Test
    void aReaderThatFellBehindBetweenTwoStepsIsSentTheNextText() {
        delta("One.");
        pass(end());
        pass(new RunEvent.StreamResumed(AT, false));
        assertThat(delta("Two.")).isEqualTo("Two.");
        assertThat(text.isVoid()).isFalse();
        assertThat(text.number()).isEqualTo(2);
    }

    @Test
    void anAnswerThatIsNotTheTextOfTheLastStepIsSentAtTheEnd() {
        delta("I ask.");
        pass(end());
        assertThat(text.next(finish("Bailed."))).contains("Bailed.");
    }

    @Test
    void aTextThatIsHeldBackIsSentAtTheEnd() {
        AnswerText heldBack = new AnswerText(false);
        assertThat(heldBack.next(new RunEvent.TextDelta(AT, "t", "One"))).isEmpty();
        assertThat(heldBack.next(finish("One."))).contains("One.");
    }
}
