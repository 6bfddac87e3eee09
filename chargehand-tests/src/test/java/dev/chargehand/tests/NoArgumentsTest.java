package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that come without arguments, in the forms in which providers and models leave them out. */
class NoArgumentsTest {

    record Nothing() {}

    private static final Tool NOW = Tool.of("now", "Tells the time.", Nothing.class, (in, context) -> "12:00");

    private static List<Part.ToolCall> calls(List<Message> messages) {
        return messages.stream()
                .flatMap(message -> message.toolCalls().stream())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t", "null", " null ", "{}"})
    void aToolWithoutParametersIsExecuted(String arguments) {
        Ran ran = Both.run(Crew.solo(NOW), Turn.callsRaw("now", arguments), Turn.says("Noon"));

        assertThat(ran.result()).finished().hasText("Noon");
        assertThat(ran.result().toolResults().getFirst().output()).contains(Json.of("12:00"));
        assertThat(ran.result().toolResults().getFirst().arguments()).isEqualTo("{}");
        assertThat(Stream.of(
                                calls(ran.result().messages()),
                                calls(ran.script().requestsOf("solo").get(1).messages()))
                        .flatMap(List::stream)
                        .map(Part.ToolCall::arguments)
                        .toList())
                .containsExactly("{}", "{}");
        assertThat(ran.events().stream()
                        .filter(RunEvent.ToolCall.class::isInstance)
                        .map(event -> ((RunEvent.ToolCall) event).arguments())
                        .toList())
                .containsExactly("{}");
    }

    @ParameterizedTest
    @NullAndEmptySource
    void theAnswerOfAnyModelMayLeaveThemOut(String arguments) {
        Ran ran = Both.run(
                Crew.solo(NOW),
                Turn.answers(request -> new ModelResponse(
                        "",
                        "",
                        List.of(new RequestedCall(null, "now", arguments)),
                        FinishReason.TOOL_CALLS,
                        Usage.NONE)),
                Turn.says("Noon"));

        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults().getFirst().error()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "null"})
    void whatAToolNeedsIsMissingAndNotInvalidJson(String arguments) {
        Ran ran = Both.run(
                Crew.supervisor(Crew.CALC),
                Turn.callsRaw("agent-researcher", arguments).and(Turn.callsRaw("calc", arguments)),
                Turn.says("Done"));

        assertThat(ran.result().toolResults())
                .extracting(outcome -> outcome.error().orElseThrow())
                .allSatisfy(error -> assertThat(error).contains("required").doesNotContain("JSON"))
                .satisfiesExactly(
                        error -> assertThat(error).contains("agent-researcher", "prompt"),
                        error -> assertThat(error).contains("calc", "'a'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null"})
    void aRouterMayLeaveThemOutToo(String prompt) {
        Ran ran = Both.ways(Turns.saying("supervisor", Routed.tool("now", prompt), Routed.complete("ok", "")))
                .agent(Crew.supervisor(NOW))
                .network()
                .run();

        assertThat(ran.result().toolResults().getFirst().error()).isEmpty();
        assertThat(ran.result().toolResults().getFirst().arguments()).isEqualTo("{}");
    }
}
