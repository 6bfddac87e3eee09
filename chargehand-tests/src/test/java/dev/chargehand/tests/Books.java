package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;

/** What holds of every run, however it ended. */
final class Books {

    private Books() {}

    /** Holds a run to it: pairs of events, pairs of calls and results, and tokens that add up. */
    static void balance(RunResult result, List<RunEvent> events) {
        assertThatEvents(events).arePaired().endWithRunFinish().haveGrowingIds();
        assertPaired(result.messages());
        Usage told = events.stream()
                .filter(RunEvent.UsageReport.class::isInstance)
                .map(event -> ((RunEvent.UsageReport) event).usage())
                .reduce(Usage.NONE, Usage::plus);
        Usage judges = events.stream()
                .filter(RunEvent.ScoringComplete.class::isInstance)
                .map(event -> ((RunEvent.ScoringComplete) event).usage())
                .reduce(Usage.NONE, Usage::plus);
        assertThat(result.totalUsage()).as("tokens").isEqualTo(told.plus(judges));
        assertThat(result.usageByAgent().values().stream().reduce(Usage.NONE, Usage::plus))
                .as("tokens by agent")
                .isEqualTo(result.totalUsage());
    }

    /** Every call is followed by its results, all and in order. */
    static void assertPaired(List<Message> messages) {
        List<String> called = new ArrayList<>();
        List<String> closed = new ArrayList<>();
        for (Message message : messages) {
            if (message.toolResults().isEmpty()) {
                assertThat(closed).as("results, in order of the calls").isEqualTo(called);
            }
            message.toolCalls().stream().map(Part.ToolCall::callId).forEach(called::add);
            message.toolResults().stream().map(Part.ToolResult::callId).forEach(closed::add);
        }
        assertThat(closed)
                .as("results, in order of the calls")
                .isEqualTo(called)
                .doesNotHaveDuplicates();
    }
}
