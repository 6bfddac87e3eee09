package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What models get of the results and failures of tools. */
class ToolResultsTest extends ToolsFixture {

    record Report(int degrees) {}

    @Test
    void aNullResultIsANullResultAndTheRunGoesOn() {
        Ran ran = call(Steps.tool("nothing", (in, ctx) -> null), "{}");
        assertThat(shown(ran)).isEqualTo("tool: nothing = null");
        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults().getFirst().error()).isEmpty();
        assertThatEvents(ran.events()).contain("tool-result").doNotContain("tool-error");
    }

    @Test
    void aTextResultIsShownAsTextAndAValueAsJson() {
        assertThat(shown(call(Steps.tool("text", (in, ctx) -> "a \"quoted\" text"), "{}")))
                .isEqualTo("tool: text = a \"quoted\" text");
        assertThat(shown(call(Steps.tool("value", (in, ctx) -> new Report(3)), "{}")))
                .isEqualTo("tool: value = {\"degrees\":3}");
        assertThat(shown(call(Steps.tool("bool", (in, ctx) -> true), "{}"))).isEqualTo("tool: bool = true");
        assertThat(shown(call(Steps.tool("list", (in, ctx) -> List.of(1, 2)), "{}")))
                .isEqualTo("tool: list = [1,2]");
    }

    @Test
    void aToolFailureReachesTheModelInItsOwnWords() {
        Ran ran = call(
                Steps.tool("fail", (in, ctx) -> {
                    throw new ToolFailureException("No such city; try Bern.");
                }),
                "{}");
        assertThat(shown(ran)).isEqualTo("tool: fail error: No such city; try Bern.");
    }

    @Test
    void anyOtherExceptionReachesTheModelAsAnErrorIdAndEventsWithItsDetails() {
        Ran ran = call(Crew.BOOM, "{\"n\":1}");
        assertThat(shown(ran)).isEqualTo("tool: boom error: Tool 'boom' failed (error err_1).");
        RunEvent.ToolError event = ran.events().stream()
                .filter(RunEvent.ToolError.class::isInstance)
                .map(RunEvent.ToolError.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(event.message()).doesNotContain("exploded");
        assertThat(event.detail()).contains("IllegalStateException: tool exploded");
    }

    @Test
    void anErrorIsAFailedCallAsWell() {
        Ran ran = call(
                Steps.tool("error", (in, ctx) -> {
                    throw new StackOverflowError("deep inside");
                }),
                "{}");
        assertThat(ran.result()).finished();
        assertThat(shown(ran)).isEqualTo("tool: error error: Tool 'error' failed (error err_1).");
    }

    @Test
    void invalidJsonInsideAToolIsAnyOtherException() {
        Ran ran = call(Steps.tool("parse", (in, ctx) -> Json.parse("{\"password\": hunter2}")), "{}");
        assertThat(shown(ran)).isEqualTo("tool: parse error: Tool 'parse' failed (error err_1).");
    }

    @Test
    void aToolMayExposeItsErrors() {
        Tool tool = Tool.builder("open", "Opens.")
                .input(Crew.ANYTHING)
                .exposeErrors()
                .handler((in, ctx) -> {
                    throw new IOException("disk full");
                })
                .build();
        assertThat(shown(call(tool, "{}"))).isEqualTo("tool: open error: disk full");
    }

    @Test
    void aResultThatBreaksTheOutputSchemaIsAnErrorThatNamesIt() {
        Tool tool = Tool.builder("report", "Reports.")
                .input(Crew.ANYTHING)
                .output(Report.class)
                .handler((in, ctx) -> Map.of("degrees", "warm"))
                .build();
        assertThat(shown(call(tool, "{}")))
                .startsWith("tool: report error: The result of 'report' breaks its output schema: /degrees");
        Tool right = Tool.builder("report", "Reports.")
                .input(Crew.ANYTHING)
                .output(Report.class)
                .handler((in, ctx) -> new Report(4))
                .build();
        assertThat(shown(call(right, "{}"))).isEqualTo("tool: report = {\"degrees\":4}");
    }

    @Test
    void aResultThatContainsItselfIsAnErrorResult() {
        Ran ran = call(
                Steps.tool("circle", (in, ctx) -> {
                    Map<String, Object> map = new HashMap<>();
                    map.put("self", map);
                    return map;
                }),
                "{}");
        assertThat(ran.result()).finished().toolFailed("circle", "its result cannot be written as JSON");
    }

    /** A result that can be written only in part. */
    public record Leaky(String password) {
        /** Throws what no model should read. */
        public int getLength() {
            return Integer.parseInt(password);
        }
    }

    @Test
    void whatAResultThrowsWhileItIsWrittenDoesNotReachTheModel() {
        Ran ran = call(Steps.tool("leaky", (in, ctx) -> new Leaky("hunter2")), "{}");
        assertThat(shown(ran)).matches("tool: leaky error: Tool 'leaky' failed \\(error err_\\d+\\)\\.");
    }
}
