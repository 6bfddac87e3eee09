package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits: what bounds a run whatever its model does. */
class LimitsTest {

    @Test
    void modelCallsAreLimited() {
        Ran ran = Both.run(Crew.solo(Crew.OK), o -> o.limit(Limit.MODEL_CALLS, 3), Scripts::endless);
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("modelCalls"))
                .hasSteps(3);
        assertThat(ran.script().requests()).hasSize(3);
    }

    @Test
    void modelCallsOfDelegationsCountToo() {
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.member("researcher", Crew.OK)),
                o -> o.limit(Limit.MODEL_CALLS, 3),
                Turns.of("supervisor", Turn.delegates("researcher", "P")),
                Turns.of("researcher", Turn.answers(Steps.counting()).forever()));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("modelCalls"))
                .hasStatus(RunStatus.INCOMPLETE)
                .toolFailed("agent-researcher", "The limit 'modelCalls' is reached.");
        assertThat(ran.script().requests()).hasSize(3);
    }

    @Test
    void toolCallsAreLimitedAndTheSurplusIsNotExecuted() {
        List<String> notes = new ArrayList<>();
        Ran ran = Both.run(
                Crew.solo(Steps.noting(notes)),
                o -> o.limit(Limit.TOOL_CALLS, 2).toolCallConcurrency(1),
                Turn.calls("note", "{\"n\":1}")
                        .and(Turn.calls("note", "{\"n\":2}"))
                        .and(Turn.calls("note", "{\"n\":3}")));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("toolCalls"))
                .toolFailed("note", "All 2 tool calls of the run are used");
        assertThat(notes).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":1}", "{\"n\":2}");
    }

    @Test
    void aRunThatWaitsAfterASurplusCallEndsByTheLimitInAnotherProcess(@TempDir Path folder) {
        List<String> notes = new ArrayList<>();
        Agent lead = ApprovalFixture.lead(Steps.noting(notes), Steps.approvedTool("pay", (in, context) -> "Paid"));
        Path file = folder.resolve("runs.db");
        Script first = Scripts.on(
                "lead",
                Turn.calls("note", "{\"n\":1}")
                        .and(Turn.calls("note", "{\"n\":2}"))
                        .and(Turn.calls("pay", "{}")));
        PendingApproval waits;
        try (TestRuntime test = Crew.playing(JdbcStore.sqlite(file), first, lead)) {
            waits = test.agent("lead")
                    .generate("Go", o -> o.limit(Limit.TOOL_CALLS, 1).toolCallConcurrency(1))
                    .pendingApprovals()
                    .getFirst();
        }
        try (TestRuntime test = Crew.playing(JdbcStore.sqlite(file), Scripts.on("lead"), lead)) {
            RunResult result = test.runtime()
                    .decline(waits, Approver.of("ann"), "Not today")
                    .result();

            assertThat(result).stoppedBecause(new StopReason.LimitReached("toolCalls"));
            assertThat(notes).containsExactly("{\"n\":1}");
        }
    }

    @Test
    void theSurplusCallsOfOneStepGetAnErrorResultAndTheRunGoesOn() {
        Ran ran = Both.run(Crew.solo(Crew.OK), () -> {
            Script script = Scripts.on("solo");
            for (int i = 0; i < 18; i++) {
                script.calls("ok", "{\"n\":" + i + "}").and();
            }
            return script.says("many").then().says("Done");
        });
        assertThat(ran.result()).finished().hasText("Done").toolFailed("ok", "One answer may make 16 calls");
        assertThat(ran.result().toolResults().stream().filter(o -> o.error().isPresent()))
                .hasSize(2);
    }

    @Test
    void threeIdenticalCallsInARowEndTheRunAndTheThirdIsNotExecuted() {
        List<String> notes = new ArrayList<>();
        Ran ran = Both.run(
                Crew.solo(Steps.noting(notes)),
                Turn.calls("note", "{\"a\":1,\"b\":2}"),
                Turn.calls("note", "{ \"b\": 2, \"a\": 1 }"),
                Turn.calls("note", "{\"a\":1,\"b\":2}"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("identicalCalls"))
                .hasSteps(3);
        assertThat(ran.result().stopReason().explanation())
                .isEqualTo("The limit 'identicalCalls' is reached: the model made the same call several times in a row;"
                        + " declare a tool polling if it is meant to be called like that.");
        assertThat(notes).hasSize(4);
    }

    @Test
    void identicalCallsThatAreNotInARowAreFine() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                Turn.calls("ok", "{}").and(Turn.calls("ok", "{}")).and(Turn.calls("ok", "{}")),
                Turn.calls("ok", "{}"),
                Turn.calls("ok", "{\"n\":1}"),
                Turn.calls("ok", "{}"),
                Turn.says("Done"));
        assertThat(ran.result()).finished();
    }

    @Test
    void anAgentTooDeepIsNotCalledAndTheRunGoesOn() {
        Agent leaf = Crew.member("leaf");
        Agent middle = Crew.agent("middle", agent -> agent.agents(leaf));
        Agent top = Agent.builder("top").model("a/b").agents(middle).build();
        Ran ran = Both.run(
                top,
                o -> o.limit(Limit.DEPTH, 2),
                Turns.of("top", Turn.delegates("middle", "P"), Turn.says("Top")),
                Turns.of("middle", Turn.delegates("leaf", "P"), Turn.says("Middle")));
        assertThat(ran.result()).finished().hasText("Top");
        assertThat(ran.request("middle", 2).getLast())
                .isEqualTo("tool: agent-leaf error: Agents may be nested 2 deep; 'leaf' was not called. Do the work"
                        + " without it.");
    }

    @Test
    void theSameAgentStandsOnAPathAtMostTwice() {
        Agent inner = null;
        for (int i = 0; i < 4; i++) {
            var builder = Agent.builder("twin").description("Itself.").model("a/b");
            builder.defaultOptions(o -> o.limit(Limit.DEPTH, 8));
            inner = (inner == null ? builder : builder.agents(inner)).build();
        }
        Ran ran = Both.run(
                inner,
                Turns.of(
                        "twin",
                        Turn.delegates("twin", "P1"),
                        Turn.delegates("twin", "P2"),
                        Turn.says("second"),
                        Turn.says("first")));
        assertThat(ran.result()).finished().hasText("first");
        assertThat(ran.request("twin", 3).getLast()).contains("is already running 2 times above this call");
    }

    @Test
    void theSameAgentUnderOtherKeysIsStillTheSame() {
        Agent inner = null;
        for (int i = 0; i < 4; i++) {
            var builder = Agent.builder("twin").description("Itself.").model("a/b");
            builder.defaultOptions(o -> o.limit(Limit.DEPTH, 8));
            inner = (inner == null ? builder : builder.addAgent("key" + i, inner)).build();
        }
        Ran ran = Both.run(
                inner,
                Turns.of(
                        "twin",
                        Turn.delegates("key3", "P1"),
                        Turn.delegates("key2", "P2"),
                        Turn.says("second"),
                        Turn.says("first")));
        assertThat(ran.request("twin", 3).getLast()).contains("is already running 2 times above this call");
    }

    @Test
    void whatModelsWriteIsLimited() {
        Ran ran = Both.run(
                Crew.solo(), o -> o.limit(Limit.OUTPUT_CHARACTERS, 10), Turn.streams("12345", "67890", "1", "more"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("output"))
                .hasText("1234567890");
    }

    @Test
    void whatModelsWriteWithoutDeltasIsLimitedToo() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.limit(Limit.OUTPUT_CHARACTERS, 10),
                Turn.of(t -> t.calls("ok", "{\"long\":\"0123456789\"}").withoutDeltas()),
                Turn.says("never"));
        assertThat(ran.result()).stoppedBecause(new StopReason.LimitReached("output"));
    }

    @Test
    void argumentsThatAreTooLongOrTooDeepAreNotExecuted() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.limit(Limit.ARGUMENT_BYTES, 100).limit(Limit.ARGUMENT_NESTING, 2),
                Turn.calls("ok", "{\"s\":\"" + "x".repeat(100) + "\"}")
                        .and(Turn.calls("ok", "{\"a\":{\"b\":{\"c\":1}}}"))
                        .and(Turn.calls("ok", "{\"a\":{\"b\":1}}")),
                Turn.says("Done"));
        assertThat(ran.result())
                .finished()
                .toolFailed("ok", "have 108 bytes, but at most 100 are allowed")
                .toolFailed("ok", "nested too deeply; at most 2 levels");
        assertThat(ran.result().toolResults().getLast().output()).isPresent();
    }

    @Test
    void argumentsOfSixtyFourLevelsAreExecutedAndOneMoreIsNot() {
        String deep = "{\"a\":".repeat(64) + "1" + "}".repeat(64);
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                Turn.callsRaw("ok", deep)
                        .and(Turn.callsRaw("ok", "{\"a\":" + deep + "}"))
                        .and(Turn.callsRaw("ok", "[".repeat(100_000))),
                Turn.says("Done"));
        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults())
                .extracting(outcome -> outcome.output().isPresent())
                .containsExactly(true, false, false);
    }

    @Test
    void aLongToolResultIsCutForTheModelAndKeptForTheApplication() {
        String text = "ä".repeat(60);
        Ran ran = Both.run(
                Crew.solo(Steps.tool("long", (in, ctx) -> text)),
                o -> o.limit(Limit.TOOL_RESULT_BYTES, 101),
                Turn.calls("long", "{}"),
                Turn.says("Done"));
        assertThat(ran.request("solo", 2).getLast())
                .isEqualTo("tool: long = " + "ä".repeat(50)
                        + "\n[Cut here: 100 of 120 bytes are shown. The whole result is kept with the run.]");
        assertThat(ran.result().toolResults().getFirst().output()).contains(Json.of(text));
    }

    @Test
    void whatAFailedDelegationHadSaidIsCutForTheModelToo() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.limit(Limit.TOOL_RESULT_BYTES, 150),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher", Turn.of(t -> t.says("x".repeat(500)).finishes(FinishReason.LENGTH))));
        assertThat(ran.request("supervisor", 2).getLast())
                .startsWith("tool: agent-researcher error: Agent 'researcher' gave no complete answer.")
                .contains("[Cut here: 150 of ")
                .hasSizeLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void zeroNeverMeansUnlimited(long value) {
        for (Limit limit : Limit.values()) {
            Steps.assertMisconfigured(() -> Limits.DEFAULT.with(limit, value), limit.key());
        }
        for (TimeLimit limit : TimeLimit.values()) {
            Steps.assertMisconfigured(() -> TimeLimits.DEFAULT.with(limit, Duration.ofSeconds(value)), limit.key());
        }
        Agent agent = Crew.solo();
        Steps.assertMisconfigured(() -> agent.generate("Go", o -> o.maxSteps((int) value)));
        Steps.assertMisconfigured(() -> agent.generate("Go", o -> o.budget(b -> b.tokens(value))));
    }
}
