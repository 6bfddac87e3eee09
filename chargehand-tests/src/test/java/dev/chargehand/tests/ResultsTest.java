package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.Prices;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a result says. */
class ResultsTest {

    static List<StopReason> reasons() {
        return List.of(
                new StopReason.Finished(),
                new StopReason.TaskComplete(),
                new StopReason.Bailed("writer", "call_1", null),
                new StopReason.Bailed("writer", "call_1", "max-steps-reached"),
                new StopReason.StoppedByHook(),
                new StopReason.TaskIncomplete(),
                new StopReason.StopConditionMet(3),
                new StopReason.MaxStepsReached(10),
                new StopReason.BudgetExhausted("tokens"),
                new StopReason.LimitReached("modelCalls"),
                new StopReason.OutputTruncated(),
                new StopReason.ContentFiltered(),
                new StopReason.AnswerIncomplete(),
                new StopReason.Tripwire("p", ProcessorPhase.INPUT, "Not this", null),
                new StopReason.Tripwire("p", ProcessorPhase.OUTPUT_STREAM, "Not.", Json.parse("{\"a\":[1]}")),
                new StopReason.Suspended(),
                new StopReason.Cancelled("caller"),
                new StopReason.Failed("model-timeout", "It \"failed\".", true));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void everyStopReasonHasACodeAndAnExplanation(StopReason reason) {
        assertThat(reason.code()).matches("[a-z]+(-[a-z]+)*");
        assertThat(reason.explanation()).endsWith(".");
        assertThat(reason.status().isEnded()).isEqualTo(!reason.equals(new StopReason.Suspended()));
    }

    @Test
    void everyStopReasonIsCovered() {
        assertThat(reasons()).extracting(reason -> (Object) reason.getClass()).containsOnly((Object[])
                StopReason.class.getPermittedSubclasses());
    }

    @Test
    void aFailedRunThrowsWithItsPartialResult() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                Turn.calls("ok", "{}"),
                Turn.says("Half")
                        .and(Turn.failsWith(new ModelException(ModelException.Kind.PROTOCOL, "Broken.", null))));
        RunFailedException failure = ran.failure();
        assertThat(failure)
                .hasMessage("Run run_1 of agent 'solo' failed: Broken.")
                .hasCauseInstanceOf(ModelException.class);
        assertThat(failure.result())
                .hasStatus(RunStatus.FAILED)
                .stoppedBecause(new StopReason.Failed("model-protocol", "Broken.", false))
                .hasSteps(1)
                .hasText("Half")
                .calledTool("ok");
    }

    @Test
    void askingAFailedStreamForItsResultThrowsEveryTime() {
        Script script = Scripts.on("solo").failsWith(new ModelException(ModelException.Kind.PROTOCOL, "No.", null));
        try (TestRuntime test = TestRuntime.with(script);
                var run = test.bind(Crew.solo()).stream("Go")) {
            assertThatThrownBy(run::result).isInstanceOf(RunFailedException.class);
            assertThatThrownBy(run::result).isInstanceOf(RunFailedException.class);
        }
    }

    @Test
    void messagesAreWhatTheRunAddedToTheConversation() {
        Ran ran = Both.run(Crew.solo(Crew.OK), Turn.reasons("Hm.").and(Turn.calls("ok", "{}")), Turn.says("Done"));
        assertThat(ran.result().messages().stream().map(Wire::line))
                .containsExactly(
                        "user: Do the task", "assistant: (Hm.) ok{}", "tool: ok = {\"fine\":true}", "assistant: Done");
        assertThat(ran.result().steps().getFirst().reasoning()).isEqualTo("Hm.");
    }

    @Test
    void usageIsCountedPerAgentWithCachedAndReasoningTokens() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.prices(Prices.NONE.with("scripted/supervisor", new BigDecimal("1000"), new BigDecimal("10000"))),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P").uses(new Usage(100, 20, 50, 5)),
                        Turn.says("Done").uses(new Usage(10, 1, 0, 0))),
                Turns.of("researcher", Turn.says("Fact").uses(new Usage(7, 3, 2, 1))));
        assertThat(ran.result())
                .hasUsage(new Usage(110, 21, 50, 5))
                .hasUsageOf("researcher", new Usage(7, 3, 2, 1))
                .hasTotalUsage(new Usage(117, 24, 52, 6));
        assertThat(ran.result().cost()).isEqualByComparingTo("0.32");
    }

    @Test
    void anImageReachesTheModelAndTheSubAgent() {
        Message picture = Message.of(
                Role.USER, new Part.Text("What is this?"), new Part.Image("image/png", "data:image/png;base64,AAAA"));
        Script script = Scripts.oneDelegation();
        try (TestRuntime test = TestRuntime.with(script)) {
            test.bind(Crew.supervisor()).generate(List.of(picture), o -> {});
            assertThat(Wire.lines(script.requestsOf("researcher").getFirst()))
                    .contains("user: What is this? <data:image/png;base64,AAAA>");
        }
    }

    @Test
    void unpairedSurrogatesAreTheSameReplacementEverywhere() {
        Ran ran = Both.ways(Turn.calls("echo", "{\"s\":\"x\"}"), Turn.says("Done"))
                .agent(Crew.solo(Steps.tool("echo", (in, ctx) -> "a\ud800b")))
                .input("q\udc00")
                .run();
        assertThat(ran.request("solo", 2))
                .containsExactly("user: q\ufffd", "assistant: echo{\"s\":\"x\"}", "tool: echo = a\ufffdb");
    }

    @Test
    void aFailedRunOfAWorkflowIsCalledThat() {
        Step<String, String> broken = Step.of("broken", String.class, String.class, (text, context) -> {
            throw new IllegalStateException("Broken.");
        });
        Workflow<String, String> letters =
                Workflow.from("letters", String.class).then(broken).build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .workflows(letters)
                .build()) {
            RunHandle run = runtime.start(letters, "A", o -> {});
            assertThatThrownBy(run::result).isInstanceOfSatisfying(RunFailedException.class, failed -> {
                assertThat(failed)
                        .hasMessageStartingWith("Run " + run.runId() + " of workflow 'letters' failed: Step 'broken'");
                assertThatThrownBy(() -> failed.result().object(String.class))
                        .hasMessageStartingWith("Run " + run.runId() + " of workflow 'letters': its object");
            });
        }
    }
}
