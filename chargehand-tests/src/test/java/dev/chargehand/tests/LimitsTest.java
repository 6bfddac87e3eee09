package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits: what bounds a run whatever its model does. */
class LimitsTest {

    @Test
    void modelCallsAreLimited() {
        Ran ran = Both.ways(Scripts::endless)
                .agent(Crew.solo(Crew.OK))
                .options(o -> o.limit(Limit.MODEL_CALLS, 3))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("modelCalls"))
                .hasSteps(3);
        assertThat(ran.script().requests()).hasSize(3);
    }

    @Test
    void modelCallsOfDelegationsCountToo() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .on("researcher")
                        .answers(Steps.counting())
                        .forever())
                .agent(Crew.supervisorOf(Crew.member("researcher", Crew.OK)))
                .options(o -> o.limit(Limit.MODEL_CALLS, 3))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("modelCalls"))
                .hasStatus(RunStatus.INCOMPLETE)
                .toolFailed("agent-researcher", "The limit 'modelCalls' is reached.");
        assertThat(ran.script().requests()).hasSize(3);
    }

    @Test
    void toolCallsAreLimitedAndTheSurplusIsNotExecuted() {
        List<String> notes = new ArrayList<>();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("note", "{\"n\":1}")
                        .and()
                        .calls("note", "{\"n\":2}")
                        .and()
                        .calls("note", "{\"n\":3}"))
                .agent(Crew.solo(Steps.noting(notes)))
                .options(o -> o.limit(Limit.TOOL_CALLS, 2).toolCallConcurrency(1))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("toolCalls"))
                .toolFailed("note", "All 2 tool calls of the run are used");
        assertThat(notes).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":1}", "{\"n\":2}");
    }

    @Test
    void theSurplusCallsOfOneStepGetAnErrorResultAndTheRunGoesOn() {
        Ran ran = Both.ways(() -> {
                    Script script = ScriptedModel.script().on("solo");
                    for (int i = 0; i < 18; i++) {
                        script.calls("ok", "{\"n\":" + i + "}").and();
                    }
                    return script.says("many").then().says("Done");
                })
                .agent(Crew.solo(Crew.OK))
                .run();
        assertThat(ran.result()).finished().hasText("Done").toolFailed("ok", "One answer may make 16 calls");
        assertThat(ran.result().toolResults().stream().filter(o -> o.error().isPresent()))
                .hasSize(2);
    }

    @Test
    void threeIdenticalCallsInARowEndTheRunAndTheThirdIsNotExecuted() {
        List<String> notes = new ArrayList<>();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("note", "{\"a\":1,\"b\":2}")
                        .then()
                        .calls("note", "{ \"b\": 2, \"a\": 1 }")
                        .then()
                        .calls("note", "{\"a\":1,\"b\":2}"))
                .agent(Crew.solo(Steps.noting(notes)))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("identicalCalls"))
                .hasSteps(3);
        assertThat(notes).hasSize(4);
    }

    @Test
    void identicalCallsThatAreNotInARowAreFine() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("ok", "{}")
                        .and()
                        .calls("ok", "{}")
                        .and()
                        .calls("ok", "{}")
                        .then()
                        .calls("ok", "{}")
                        .then()
                        .calls("ok", "{\"n\":1}")
                        .then()
                        .calls("ok", "{}")
                        .then()
                        .says("Done"))
                .agent(Crew.solo(Crew.OK))
                .run();
        assertThat(ran.result()).finished();
    }

    @Test
    void anAgentTooDeepIsNotCalledAndTheRunGoesOn() {
        Agent leaf = Crew.member("leaf");
        Agent middle = Agent.builder("middle")
                .description("Stands between.")
                .model("a/b")
                .agents(leaf)
                .build();
        Agent top = Agent.builder("top").model("a/b").agents(middle).build();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("top")
                        .delegates("middle", "P")
                        .then()
                        .says("Top")
                        .on("middle")
                        .delegates("leaf", "P")
                        .then()
                        .says("Middle"))
                .agent(top)
                .options(o -> o.limit(Limit.DEPTH, 2))
                .run();
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
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("twin")
                        .delegates("twin", "P1")
                        .then()
                        .delegates("twin", "P2")
                        .then()
                        .says("second")
                        .then()
                        .says("first"))
                .agent(inner)
                .run();
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
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("twin")
                        .delegates("key3", "P1")
                        .then()
                        .delegates("key2", "P2")
                        .then()
                        .says("second")
                        .then()
                        .says("first"))
                .agent(inner)
                .run();
        assertThat(ran.request("twin", 3).getLast()).contains("is already running 2 times above this call");
    }

    @Test
    void whatModelsWriteIsLimited() {
        Ran ran = Both.ways(() -> ScriptedModel.script().on("solo").streams("12345", "67890", "1", "more"))
                .options(o -> o.limit(Limit.OUTPUT_CHARACTERS, 10))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.LimitReached("output"))
                .hasText("1234567890");
    }

    @Test
    void whatModelsWriteWithoutDeltasIsLimitedToo() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("ok", "{\"long\":\"0123456789\"}")
                        .withoutDeltas()
                        .then()
                        .says("never"))
                .agent(Crew.solo(Crew.OK))
                .options(o -> o.limit(Limit.OUTPUT_CHARACTERS, 10))
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.LimitReached("output"));
    }

    @Test
    void argumentsThatAreTooLongOrTooDeepAreNotExecuted() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("ok", "{\"s\":\"" + "x".repeat(100) + "\"}")
                        .and()
                        .calls("ok", "{\"a\":{\"b\":{\"c\":1}}}")
                        .and()
                        .calls("ok", "{\"a\":{\"b\":1}}")
                        .then()
                        .says("Done"))
                .agent(Crew.solo(Crew.OK))
                .options(o -> o.limit(Limit.ARGUMENT_BYTES, 100).limit(Limit.ARGUMENT_NESTING, 2))
                .run();
        assertThat(ran.result())
                .finished()
                .toolFailed("ok", "have 108 bytes, but at most 100 are allowed")
                .toolFailed("ok", "nested too deeply; at most 2 levels");
        assertThat(ran.result().toolResults().getLast().output()).isPresent();
    }

    @Test
    void argumentsOfSixtyFourLevelsAreExecutedAndOneMoreIsNot() {
        String deep = "{\"a\":".repeat(64) + "1" + "}".repeat(64);
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .callsRaw("ok", deep)
                        .and()
                        .callsRaw("ok", "{\"a\":" + deep + "}")
                        .and()
                        .callsRaw("ok", "[".repeat(100_000))
                        .then()
                        .says("Done"))
                .agent(Crew.solo(Crew.OK))
                .run();
        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults())
                .extracting(outcome -> outcome.output().isPresent())
                .containsExactly(true, false, false);
    }

    @Test
    void aLongToolResultIsCutForTheModelAndKeptForTheApplication() {
        String text = "ä".repeat(60);
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("long", "{}")
                        .then()
                        .says("Done"))
                .agent(Crew.solo(Steps.tool("long", (in, ctx) -> text)))
                .options(o -> o.limit(Limit.TOOL_RESULT_BYTES, 101))
                .run();
        assertThat(ran.request("solo", 2).getLast())
                .isEqualTo("tool: long = " + "ä".repeat(50)
                        + "\n[Cut here: 100 of 120 bytes are shown. The whole result is kept with the run.]");
        assertThat(ran.result().toolResults().getFirst().output()).contains(Json.of(text));
    }

    @Test
    void whatAFailedDelegationHadSaidIsCutForTheModelToo() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .then()
                        .says("Done")
                        .on("researcher")
                        .says("x".repeat(500))
                        .finishes(FinishReason.LENGTH))
                .agent(Crew.supervisor())
                .options(o -> o.limit(Limit.TOOL_RESULT_BYTES, 150))
                .run();
        assertThat(ran.request("supervisor", 2).getLast())
                .startsWith("tool: agent-researcher error: Agent 'researcher' gave no complete answer.")
                .contains("[Cut here: 150 of ")
                .hasSizeLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void zeroNeverMeansUnlimited(long value) {
        for (Limit limit : Limit.values()) {
            assertThatThrownBy(() -> Limits.DEFAULT.with(limit, value))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(limit.key());
        }
        for (TimeLimit limit : TimeLimit.values()) {
            assertThatThrownBy(() -> TimeLimits.DEFAULT.with(limit, Duration.ofSeconds(value)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(limit.key());
        }
        Agent agent = Crew.solo();
        assertThatThrownBy(() -> agent.generate("Go", o -> o.maxSteps((int) value)))
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> agent.generate("Go", o -> o.budget(b -> b.tokens(value))))
                .isInstanceOf(ConfigurationException.class);
    }
}
