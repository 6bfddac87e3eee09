package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RequestContext;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What {@code beforeToolCall} is told, and what becomes of a call that it denies. */
class ToolGuardTest {

    private static final RequestContext.Key<String> TENANT = RequestContext.Key.of("tenant", String.class);

    @Test
    void theGuardIsToldTheCallAndWhereItIsMade() {
        List<ToolCallRequest> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(Crew.CALC),
                o -> o.thread("t")
                        .resource("u")
                        .requestContext(RequestContext.of(TENANT, "acme"))
                        .beforeToolCall(call -> Steps.noted(heard, call, ToolCallDecision.allow())),
                Turn.calls("calc", "{\"a\":1,\"b\":2}"),
                Turn.says("3"));
        assertThat(heard).hasSize(2);
        ToolCallRequest call = heard.getLast();
        assertThat(call.toolName()).isEqualTo("calc");
        assertThat(call.arguments().text()).isEqualTo("{\"a\":1,\"b\":2}");
        assertThat(call.step()).isEqualTo(1);
        assertThat(call.callId())
                .isEqualTo(ran.result().toolResults().getFirst().callId());
        assertThat(call.run().runId()).isEqualTo(ran.result().runId());
        assertThat(call.run().threadId()).contains("t");
        assertThat(call.run().resourceId()).contains("u");
        assertThat(call.run().requestContext().get(TENANT)).contains("acme");
        assertThat(call.messages().stream().map(Wire::line)).containsExactly("user: Do the task");
        assertThat(ran.result()).finished().calledTool("calc");
    }

    @Test
    void aDeniedCallIsNotExecutedAndTheModelGetsTheReason() {
        List<String> executed = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.solo(Steps.noting(executed), Crew.OK),
                o -> o.beforeToolCall(call -> call.toolName().equals("note")
                        ? ToolCallDecision.deny("Read only.")
                        : ToolCallDecision.allow()),
                Turn.calls("note", "{}").and(Turn.calls("ok", "{}")),
                Turn.says("Understood"));
        assertThat(executed).isEmpty();
        assertThat(ran.request("solo", 2))
                .containsExactly(
                        "user: Do the task",
                        "assistant: note{} ok{}",
                        "tool: note error: Tool 'note' was not called. Reason: Read only. ok = {\"fine\":true}");
        assertThatEvents(ran.events())
                .areInOrder("tool-call", "tool-output-denied", "tool-error")
                .doNotContain("delegation-rejected");
        assertThat(ran.all(RunEvent.ToolOutputDenied.class)).singleElement().satisfies(event -> {
            RunEvent.ToolOutputDenied denied = event;
            assertThat(denied.toolName()).isEqualTo("note");
            assertThat(denied.reason()).isEqualTo("Read only.");
        });
    }

    @Test
    void theGuardStandsBeforeDelegationsTooAndComesBeforeTheirOwn() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.beforeToolCall(call -> Steps.noted(
                                heard, call.toolName() + call.arguments().text(), ToolCallDecision.deny("Not today.")))
                        .onDelegationStart(start -> Steps.noted(heard, "start", DelegationDecision.proceed())),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher"));
        assertThat(Both.alike(heard)).containsExactly("agent-researcher{\"prompt\":\"P\"}");
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
        assertThat(ran.result()).finished().toolFailed("agent-researcher", "Not today.");
        assertThatEvents(ran.events())
                .contain("delegation-rejected")
                .doNotContain("delegation-start")
                .doNotContain("delegation-end");
    }

    @Test
    void theGuardIsNotAskedAboutACallThatWouldNotBeExecutedAnyway() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.solo(Crew.CALC),
                o -> o.beforeToolCall(call -> Steps.noted(heard, call.toolName(), ToolCallDecision.allow())),
                Turn.calls("calc", "{\"a\":\"one\"}").and(Turn.calls("unknown", "{}")),
                Turn.says("Sorry"));
        assertThat(heard).isEmpty();
        assertThat(ran.result()).finished().hasText("Sorry");
    }

    @Test
    void aDeniedCallIsNotCountedAgainstTheLimitOfToolCalls() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.limit(Limit.TOOL_CALLS, 1)
                        .beforeToolCall(call -> call.arguments().text().contains("1")
                                ? ToolCallDecision.deny("No.")
                                : ToolCallDecision.allow()),
                Turn.calls("ok", "{\"n\":1}").and(Turn.calls("ok", "{\"n\":2}")),
                Turn.says("Done"));
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.result().toolResults().getLast().output()).isPresent();
    }
}
