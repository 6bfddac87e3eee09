package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.examples.tools.OrderTools;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import org.junit.jupiter.api.Test;

/** The methods of the order service are tools of the clerk. */
class OrderToolsTest {

    @Test
    void aSearchIsExecutedAndOneBeyondTheBoundIsRejected() {
        Script script = ScriptedModel.script()
                .on("clerk")
                .callsRaw("findOrders", "{\"limit\":51}")
                .then()
                .callsRaw("findOrders", "{\"limit\":50,\"state\":\"open\"}")
                .then()
                .says("A-1 is open.");
        try (TestRuntime test = TestRuntime.with(script)) {
            test.bind(new OrderTools().clerk(new OrderTools.Orders())).generate("Which orders are open?");
        }
        assertThat(script.requestsOf("clerk").get(1).toString()).contains("/limit");
        assertThat(script.requestsOf("clerk").get(2).toString()).contains("A-1").doesNotContain("A-2");
    }

    @Test
    void aCancellationWaitsForApproval() {
        Script script = ScriptedModel.script().on("clerk").callsRaw("cancelOrder", "{\"order\":\"A-1\"}");
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThat(test.bind(new OrderTools().clerk(new OrderTools.Orders()))
                            .generate("Cancel A-1")
                            .status())
                    .isEqualTo(RunStatus.SUSPENDED);
        }
    }
}
