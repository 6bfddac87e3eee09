package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.model.ModelWire.Trouble;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What runs make of the model: an agent with tools, and one that delegates. */
interface RunRules extends HasModel {

    /** What the tool of these runs is called with. */
    record Payment(int sum) {}

    /** What a tool without parameters is called with. */
    record Nothing() {}

    FunctionCall PAY = Reply.call("p1", "pay", "{\"sum\":3}");

    private Agent agent(AgentRuntime runtime, List<Integer> paid) {
        Tool pay = Tool.of("pay", "Pays.", Payment.class, (in, context) -> {
            paid.add(in.sum());
            return "paid " + in.sum();
        });
        return runtime.bind(Agent.builder("teller")
                .instructions("You pay.")
                .model(theModel())
                .tools(pay)
                .build());
    }

    private RunResult run(List<Integer> paid) {
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            return agent(runtime, paid).generate("Pay 3.");
        }
    }

    @Test
    default void anAgentCallsItsToolAndAnswers() {
        List<Integer> paid = new CopyOnWriteArrayList<>();
        theProvider()
                .enqueue(
                        theWire()
                                .reply(WireAnswer.calls(PAY)
                                        .reasoning("They want it.")
                                        .signature("c2lnbmF0dXJl")),
                        theWire().reply(WireAnswer.text("It is paid.")));

        RunResult result = run(paid);

        assertEquals("It is paid.", result.text());
        assertEquals(List.of(3), paid);
        assertEquals(20, result.totalUsage().inputTokens());
        assertTrue(sent().body().contains("paid 3"));
        if (can(Capability.SIGNATURES)) {
            assertTrue(sent().body().contains("\"c2lnbmF0dXJl\""), "what the provider wants back");
        }
    }

    @Test
    default void aToolWithoutParametersIsCalledByAnEmptyText() {
        List<String> asked = new CopyOnWriteArrayList<>();
        theProvider()
                .enqueue(
                        theWire().reply(WireAnswer.calls(Reply.call("n1", "now", ""))),
                        theWire().reply(WireAnswer.text("It is noon.")));
        Tool now = Tool.of("now", "Tells the time.", Nothing.class, (in, context) -> {
            asked.add("now");
            return "12:00";
        });
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            Agent clock = Agent.builder("clock")
                    .instructions("You tell the time.")
                    .model(theModel())
                    .tools(now)
                    .build();

            assertEquals("It is noon.", runtime.bind(clock).generate("Time?").text());
        }
        assertEquals(List.of("now"), asked);
        assertTrue(sent().body().contains("12:00"), "the result");
    }

    @Test
    default void noToolOfAnAnswerThatIsNotCompleteIsExecuted() {
        for (FinishReason cut : new FinishReason[] {FinishReason.LENGTH, FinishReason.UNKNOWN, FinishReason.MISSING}) {
            List<Integer> paid = new CopyOnWriteArrayList<>();
            theProvider()
                    .enqueue(theWire().reply(WireAnswer.calls(PAY).finish(cut == FinishReason.MISSING ? null : cut)));

            RunResult result = run(paid);

            assertEquals(RunStatus.INCOMPLETE, result.status(), cut.name());
            assertEquals(List.of(), paid, cut.name());
        }
    }

    @Test
    default void aProviderThatIsOverloadedIsAskedAgain() {
        theProvider()
                .enqueue(
                        theWire().failure(529, Trouble.OVERLOADED, "x").header("Retry-After", "0"),
                        theWire().failure(429, Trouble.RATE_LIMIT, "x").header("Retry-After", "0"),
                        theWire().reply(WireAnswer.text("At last.")));

        assertEquals("At last.", run(new CopyOnWriteArrayList<>()).text());
        assertEquals(3, theProvider().requestCount());
    }

    @Test
    default void aSupervisorDelegatesAndUsesTheAnswer() {
        theProvider()
                .enqueue(
                        theWire()
                                .reply(WireAnswer.calls(
                                        Reply.call("p1", "agent-researcher", "{\"prompt\":\"How warm is Rome?\"}"))),
                        theWire().reply(WireAnswer.text("31 ", "degrees")),
                        theWire().reply(WireAnswer.text("Rome has 31 degrees.")));
        Agent researcher = Agent.builder("researcher")
                .description("Finds facts.")
                .instructions("You find facts.")
                .model(theModel())
                .build();
        Agent lead = Agent.builder("lead")
                .instructions("You delegate.")
                .model(theModel())
                .agents(researcher)
                .build();
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            RunResult result = runtime.bind(lead).generate("How warm is Rome?");

            assertEquals("Rome has 31 degrees.", result.text());
            assertEquals(new StopReason.Finished(), result.stopReason());
            assertEquals(30, result.totalUsage().inputTokens());
        }
        assertTrue(sent().body().contains("31 degrees"));
        assertEquals(
                "You find facts.",
                theWire().instructions(theProvider().log().get(1).request()));
    }
}
