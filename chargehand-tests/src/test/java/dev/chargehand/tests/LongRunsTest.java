package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.StopReason;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a step does with the steps before it: it is not done again in each of them. */
class LongRunsTest {

    /** A provider may rely on that too. */
    @Test
    void aRequestHasTheVeryMessagesOfTheRequestBefore() {
        Ran ran = Both.run(
                Crew.supervisor(Crew.OK),
                o -> o.onIterationComplete(
                        it -> it.isFinal() ? IterationDecision.proceed() : IterationDecision.proceedWith("Go on.")),
                Turns.of(
                        "supervisor",
                        Turn.calls("ok", "{\"n\":1}"),
                        Turn.delegates("researcher", "P"),
                        Turn.calls("ok", "{\"n\":2}"),
                        Turn.says("Done")),
                Turns.saying("researcher", "Fact"));

        List<ModelRequest> requests = ran.script().requestsOf("supervisor");
        assertThat(requests).hasSizeGreaterThan(3);
        for (int i = 1; i < requests.size(); i++) {
            List<Message> before = withoutInstructions(requests.get(i - 1));
            List<Message> next = withoutInstructions(requests.get(i));
            assertThat(next).hasSizeGreaterThan(before.size());
            assertThat(next.subList(0, before.size()))
                    .usingElementComparator((one, other) -> one == other ? 0 : 1)
                    .isEqualTo(before);
        }
    }

    private static List<Message> withoutInstructions(ModelRequest request) {
        return request.messages().subList(1, request.messages().size());
    }

    /** An executed call is compared by the digest of its arguments, which one that was denied does not have. */
    @Test
    void aDeniedCallCountsAsTheSameAsAnExecutedOneInOtherWords() {
        List<String> notes = new ArrayList<>();
        Ran ran = Both.run(
                Crew.solo(Steps.noting(notes)),
                o -> o.beforeToolCall(
                        call -> call.step() == 1 ? ToolCallDecision.deny("No.") : ToolCallDecision.allow()),
                Turn.calls("note", "{\"a\":1,\"b\":2}"),
                Turn.calls("note", "{ \"b\": 2, \"a\": 1 }"),
                Turn.calls("note", "{\"a\":1, \"b\":2}"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("identicalCalls"))
                .hasSteps(3);
        assertThat(notes).hasSize(2);
    }
}
