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

    private final AnswerText text = new AnswerText(AnswerText.Timing.LIVE);

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
    void anEmptyPartStartsNoText() {
        assertThat(delta("")).isEmpty();
        assertThat(text.number()).isZero();
        assertThat(delta("One")).isEqualTo("One");
        assertThat(text.number()).isEqualTo(1);
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
        AnswerText heldBack = new AnswerText(AnswerText.Timing.AT_END);
        assertThat(heldBack.next(new RunEvent.TextDelta(AT, "t", "One"))).isEmpty();
        assertThat(heldBack.next(finish("One."))).contains("One.");
    }

    private static RunEvent closed(int calls) {
        return new RunEvent.StepFinish(AT, calls > 0 ? "tool-calls" : "stop", calls, Usage.NONE, Duration.ZERO);
    }

    private static RunEvent said(String part) {
        return new RunEvent.TextDelta(AT, "t", part);
    }

    @Test
    void ofStepsOnlyTextBeforeCallsAndTheAnswerAreSent() {
        AnswerText byStep = new AnswerText(AnswerText.Timing.BY_STEP);
        List<RunEvent> before = List.of(new RunEvent.StepStart(AT), said("I "), retry(), said("I ask."), closed(1));
        before.forEach(event -> assertThat(byStep.next(event)).isEmpty());
        assertThat(byStep.next(new RunEvent.StepStart(AT))).contains("I ask.");
        List<RunEvent> rejected =
                List.of(said("Bad."), closed(0), new RunEvent.StepStart(AT), said("Good."), closed(0));
        rejected.forEach(event -> assertThat(byStep.next(event)).isEmpty());
        assertThat(byStep.next(finish("Good."))).contains("Good.");
        assertThat(byStep.isVoid()).isFalse();
        assertThat(byStep.number()).isEqualTo(2);
    }

    @Test
    void aReaderOfStepsThatFellBehindIsSentATextOnce() {
        AnswerText byStep = new AnswerText(AnswerText.Timing.BY_STEP);
        RunEvent behind = new RunEvent.StreamResumed(AT, false);
        List<RunEvent> events = List.of(said("I "), behind, said("I ask."), end(), closed(1), behind);
        events.forEach(event -> assertThat(byStep.next(event)).isEmpty());
        assertThat(byStep.next(new RunEvent.StepStart(AT))).contains("I ask.");
        assertThat(byStep.next(behind)).isEmpty();
        assertThat(byStep.next(new RunEvent.StepStart(AT))).isEmpty();
        assertThat(byStep.next(finish("I ask."))).contains("I ask."); // the same words again
    }

    @Test
    void aTextBeforeACallIsKeptWhenTheStreamOfASubAgentStartsAgain() {
        AnswerText byStep = new AnswerText(AnswerText.Timing.BY_STEP);
        RunEvent behind = new RunEvent.StreamResumed(AT, false);
        List<RunEvent> events = List.of(new RunEvent.StepStart(AT), said("I ask."), end(), behind, closed(1));
        events.forEach(event -> assertThat(byStep.next(event)).isEmpty());
        assertThat(byStep.next(new RunEvent.StepStart(AT))).contains("I ask.");
        List<RunEvent> next = List.of(said("A"), behind, said("Again."), end(), closed(1));
        next.forEach(event -> assertThat(byStep.next(event)).isEmpty());
        assertThat(byStep.next(new RunEvent.StepStart(AT))).contains("Again.");
    }
}
