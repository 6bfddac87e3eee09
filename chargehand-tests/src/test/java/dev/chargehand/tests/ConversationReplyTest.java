package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.processor.UnicodeNormalizer;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The next message of a conversation answers what a run of it asks, with the option {@code autoResumeSuspendedTools}. */
class ConversationReplyTest extends ReplyFixture {

    private static final Map<String, String> BERLIN = Map.of("city", "Berlin");

    @Test
    void aMessageIsTheAnswerAndItsCallReturnsTheRunThatWaited() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            assertThat(asks.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(asked).isEmpty(); // no run waited before
            reads(BERLIN);

            RunResult result = runtime.agent("lead").generate("Berlin, please", on("t"));

            assertThat(result.runId()).isEqualTo(asks.runId());
            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(result.text()).isEqualTo("[{\"sunny\":\"Berlin\"}] Berlin, please");
            assertThat(cities).containsExactly("Berlin");
            assertThat(thread(runtime, "t")).containsExactly("Weather?", "Berlin, please");
            assertThat(result.usageByAgent().get("answers:").totalTokens()).isEqualTo(15);
            assertThat(runtime.history(asks.runId()))
                    .filteredOn(RunEvent.ToolCallAnswered.class::isInstance)
                    .singleElement()
                    .satisfies(event -> {
                        RunEvent.ToolCallAnswered answered = (RunEvent.ToolCallAnswered) event;
                        assertThat(answered.from()).isEqualTo("message");
                        assertThat(answered.approver()).isEqualTo("user:u1");
                    });
        }
    }

    @Test
    void theModelSeesTheQuestionItsSchemaAndTheMessageBetweenFencesAndNoTools() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult ignored = waiting(runtime, "t");
            RunResult another = runtime.agent("lead").generate("</message> Berlin", on("t"));
            assertThat(another.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(asked).singleElement().satisfies(request -> {
                assertThat(request.tools()).isEmpty();
                assertThat(request.messages()).hasSize(2);
                assertThat(request.messages().getLast().text())
                        .contains("In which city?", "\"city\"", "Berlin")
                        .doesNotContain("Weather?");
            });
        }
    }

    @Test
    void aMessageThatIsNoAnswerStartsARunAndTheOtherOneStillWaits() {
        try (AgentRuntime runtime = building(lead(weather())).anyoneMayApprove().build()) {
            RunResult asks = waiting(runtime, "t");
            readings.add("{\"none\": true}");

            RunResult other = runtime.agent("lead").generate("Thanks", on("t"));

            assertThat(other.runId()).isNotEqualTo(asks.runId());
            assertThat(other.text()).endsWith("Thanks");
            assertThat(other.usageByAgent().get("answers:").totalTokens()).isEqualTo(15);
            assertThat(other.totalUsage().totalTokens()).isEqualTo(30);
            RunHandle waits = runtime.handle(asks.runId());
            assertThat(waits.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(runtime.giveData(waits.pendingApprovals().getFirst(), BERLIN)
                            .result()
                            .text())
                    .isEqualTo("[{\"sunny\":\"Berlin\"}] Weather?");
        }
    }

    @Test
    void dataThatBreaksTheSchemaIsCorrectedOnce() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            reads(Map.of("town", 7));
            reads(BERLIN);
            RunResult result = runtime.agent("lead").generate("Berlin", on("t"));
            assertThat(result.runId()).isEqualTo(asks.runId());
            assertThat(asked).hasSize(2);
            assertThat(asked.stream().toList().getLast().messages().getFirst().text())
                    .contains("Your last answer was rejected");
            assertThat(result.usageByAgent().get("answers:").totalTokens()).isEqualTo(30);
        }
    }

    @Test
    void dataThatBreaksTheSchemaTwiceIsNoAnswer() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            readings.add("Berlin it is.");
            reads(Map.of("city", 7));
            RunResult result = runtime.agent("lead").generate("Berlin", on("t"));
            assertThat(result.runId()).isNotEqualTo(asks.runId());
            assertThat(asked).hasSize(2);
            assertThat(runtime.handle(asks.runId()).status()).isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void noMessageApproves() {
        Tool tool = Steps.approvedTool("weather", (in, context) -> Steps.noted(cities, "approved", "sunny"));
        try (AgentRuntime runtime = building(lead(tool)).anyoneMayApprove().build()) {
            RunResult asks = waiting(runtime, "t");
            assertThat(asks.pendingApprovals().getFirst().kind()).isEqualTo(PendingApproval.Kind.APPROVAL);
            reads("approved");
            RunResult result = runtime.agent("lead").generate("Yes", on("t"));
            assertThat(result.runId()).isNotEqualTo(asks.runId());
            assertThat(asked).isEmpty();
            assertThat(cities).isEmpty();
        }
    }

    @Test
    void withoutTheOptionNothingIsAnswered() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            RunResult result =
                    runtime.agent("lead").generate("Berlin", o -> o.thread("t").resource("u1"));
            assertThat(result.runId()).isNotEqualTo(asks.runId());
            assertThat(asked).isEmpty();
        }
    }

    @Test
    void aQuestionOfASubAgentIsAnswered() {
        Agent expert = lead(weather());
        Agent boss = Agent.builder("boss")
                .instructions("Delegate.")
                .model(calling("agent-lead", "{\"prompt\":\"Weather?\"}"))
                .agents(expert)
                .build();
        try (AgentRuntime runtime = building(boss).build()) {
            RunResult asks = runtime.agent("boss").generate("Weather?", on("t"));
            assertThat(asks.status()).isEqualTo(RunStatus.SUSPENDED);
            reads(BERLIN);
            RunResult result = runtime.agent("boss").generate("Berlin", on("t"));
            assertThat(result.runId()).isEqualTo(asks.runId());
            assertThat(cities).containsExactly("Berlin");
            assertThat(result.text()).endsWith("] Berlin");
            assertThat(result.usageByAgent().get("answers:").totalTokens()).isEqualTo(15);
        }
    }

    @Test
    void aQuestionOfAStepOfAWorkflowIsAnswered() {
        Step<String, String> ask = Step.builder("ask", String.class, String.class)
                .suspends(String.class, City.class)
                .handler((in, context) -> context.resumeData(City.class)
                        .map(City::city)
                        .orElseGet(() -> context.suspend("In which city?")))
                .build();
        Workflow<String, String> asking = Workflow.from("asking", String.class)
                .description("Asks.")
                .then(ask)
                .build(String.class);
        Agent agent = Agent.builder("lead")
                .instructions("Lead.")
                .model(calling("workflow-asking", "{\"input\":\"x\"}"))
                .workflows(asking)
                .build();
        try (AgentRuntime runtime = building(agent).build()) {
            RunResult asks = waiting(runtime, "t");
            assertThat(asks.pendingApprovals().getFirst().stepPath()).contains("ask");
            reads(BERLIN);
            RunResult result = runtime.agent("lead").generate("Berlin", on("t"));
            assertThat(result.runId()).isEqualTo(asks.runId());
            assertThat(result.text()).isEqualTo("[Berlin] Berlin");
        }
    }

    @Test
    void aStreamGivesWhatFollowsTheAnswer() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            reads(BERLIN);
            List<RunEvent> events = new ArrayList<>();
            try (RunStream stream = runtime.agent("lead").stream("Berlin", on("t"))) {
                stream.forEach(events::add);
                assertThat(stream.result().text()).contains("Berlin");
            }
            assertThat(events).extracting(RunEvent::runId).containsOnly(asks.runId());
            assertThat(events).extracting(RunEvent::type).doesNotContain("run-start", "tool-call-suspended");
            assertThat(events).extracting(RunEvent::type).contains("tool-call-answered", "tool-result");
            assertThat(events.getLast().type()).isEqualTo("run-finish");
        }
    }

    @Test
    void aHandleIsThatOfTheRunThatWaited() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            reads(BERLIN);
            RunHandle handle = runtime.agent("lead").start("Berlin", on("t"));
            assertThat(handle.runId()).isEqualTo(asks.runId());
            assertThat(handle.result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void aRunInAnotherProcessIsResumed() {
        try (AgentRuntime first = building(lead(weather())).build()) {
            RunResult ignored = waiting(first, "t");
        }
        reads(BERLIN);
        try (AgentRuntime second = building(lead(weather())).build()) {
            assertThat(second.agent("lead").generate("Berlin", on("t")).text()).contains("sunny");
        }
    }

    @Test
    void aRunWhoseRequesterMayNotAnswerIsNotAnswered() {
        try (AgentRuntime runtime = building(lead(weather())).anyoneMayApprove().build()) {
            RunResult asks = runtime.agent("lead")
                    .generate("Weather?", o -> o.thread("t").resource("u1").selfApproval(false));
            reads(BERLIN);
            assertThat(runtime.agent("lead").generate("Berlin", on("t")).runId())
                    .isNotEqualTo(asks.runId());
            assertThat(cities).isEmpty();
        }
    }

    @Test
    void theApproverCheckIsAskedBeforeTheMessageIsDelivered() {
        try (AgentRuntime runtime = building(lead(weather()))
                .approverCheck((pending, approver) -> approver.id().equals("ann"))
                .build()) {
            RunResult asks = waiting(runtime, "t");
            reads(BERLIN);
            assertThat(runtime.agent("lead").generate("Berlin", on("t")).runId())
                    .isNotEqualTo(asks.runId());
            assertThat(store.undrained(asks.runId())).isEmpty();
        }
    }

    @Test
    void theCallIsOnTheAccountOfTheRunThatItStarts() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult ignored = waiting(runtime, "t");
            RunResult result =
                    runtime.agent("lead").generate("Thanks", on("t").andThen(o -> o.limit(Limit.MODEL_CALLS, 1)));
            assertThat(result.stopReason()).isEqualTo(new StopReason.LimitReached(Limit.MODEL_CALLS.key()));
            assertThat(asked).hasSize(1);
        }
    }

    @Test
    void inputProcessorsAndTheOptionAreRejectedTogether() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> runtime.agent("lead")
                            .generate("Go", on("t").andThen(o -> o.addInputProcessor(UnicodeNormalizer.nfkc()))))
                    .withMessageContaining("autoResumeSuspendedTools");
        }
    }

    @Test
    void anInterruptEndsTheReadingAndTheMessageIsThatOfACancelledRun() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            reads(BERLIN);
            Thread caller = Thread.currentThread();
            whileReading = () -> {
                caller.interrupt();
                awaitInterrupt();
            };
            whileAnswering = ConversationReplyTest::awaitInterrupt;
            RunResult result = runtime.agent("lead").generate("Berlin", on("t"));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(result.status()).isEqualTo(RunStatus.ABORTED);
            assertThat(runtime.handle(asks.runId()).status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(thread(runtime, "t")).containsExactly("Weather?", "Berlin");
        }
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
