package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.json.Json;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the application's own code throws does not reach a model, unless it says so. */
class ForeignWordsTest {

    private static final String INSIDE = "row 4711 of table users";

    /** Says what is wrong with it to nobody but the log. */
    record Range(int from, int to) {
        Range {
            if (from > to) {
                throw new IllegalArgumentException(INSIDE);
            }
        }
    }

    /** Says what is wrong with it to the model. */
    record Period(int from, int to) {
        Period {
            if (from > to) {
                throw new ToolFailureException("'from' must not be after 'to'");
            }
        }
    }

    record Search(Range range, Period period, Instant since, Integer limit) {}

    /** Has an accessor that throws. */
    record Found(String text) {
        @Override
        public String text() {
            throw new IllegalStateException(INSIDE);
        }
    }

    private static final Tool SEARCH = Tool.builder("search", "Searches.")
            .input(Search.class)
            .handler((in, context) -> "found")
            .build();

    private static RunResult run(Script script, Agent agent, Consumer<RunOptions.Builder> options) {
        try (TestRuntime test = TestRuntime.with(script)) {
            return test.bind(agent).generate("Go", options);
        }
    }

    private static String requests(Script script) {
        String all = script.requests().toString();
        assertThat(all).doesNotContain(INSIDE, "4711", "Exception", "ForeignWords", "java.", "dev.chargehand");
        return all;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"range\":{\"from\":2,\"to\":1}} | The value at /range is not valid.",
                "{\"period\":{\"from\":2,\"to\":1}} | 'from' must not be after 'to'",
                "{\"since\":\"soon\"} | /since",
                "{\"limit\":5000000000} | /limit"
            })
    void aConstructorOfAToolsInput(String part, String told) {
        Json arguments = Json.parse(part);
        String whole = Json.of(Map.of(
                        "range", arguments.at("/range").orElse(Json.of(new Range(1, 2))),
                        "period", arguments.at("/period").orElse(Json.of(new Period(1, 2))),
                        "since", arguments.at("/since").orElse(Json.of("2026-01-01T00:00:00Z")),
                        "limit", arguments.at("/limit").orElse(Json.of(5))))
                .text();
        Script script = Scripts.on("solo").calls("search", whole).then().says("Done");
        RunResult result = run(script, Crew.solo(SEARCH), o -> {});
        ToolOutcome outcome = result.toolResults().getFirst();
        assertThat(outcome.error().orElseThrow()).contains(told);
        assertThat(requests(script)).contains(told);
    }

    @Test
    void theApplicationSeesWhatAConstructorThrew() {
        Script script = Scripts.on(
                "solo",
                Turn.calls(
                        "search",
                        "{\"range\":{\"from\":2,\"to\":1},\"period\":{\"from\":1,\"to\":2},\"limit\":1,"
                                + "\"since\":\"2026-01-01T00:00:00Z\"}"),
                Turn.says("Done"));
        RunResult result = run(script, Crew.solo(SEARCH), o -> {});
        assertThat(result.toolResults().getFirst().detail().orElseThrow())
                .contains("IllegalArgumentException: " + INSIDE);
    }

    @Test
    void aConstructorOfAnAnswer() {
        Script script = Scripts.on("solo", Turn.says("{\"from\":2,\"to\":1}"), Turn.says("{\"from\":1,\"to\":2}"));
        String log = Logged.during(() -> assertThat(run(script, Crew.solo(), o -> o.structuredOutput(Range.class)))
                .hasObject(new Range(1, 2)));
        assertThat(log)
                .contains("WARN run run_1: the constructor of " + Range.class.getName() + " has rejected its answer: "
                        + "java.lang.IllegalArgumentException: " + INSIDE);
        assertThat(requests(script)).contains("The answer is not what was asked for: The value is not valid\n");
    }

    @Test
    void aConstructorOfAnAnswerThatTellsTheModel() {
        Script script = Scripts.on("solo", Turn.says("{\"from\":2,\"to\":1}"), Turn.says("{\"from\":1,\"to\":2}"));
        assertThat(run(script, Crew.solo(), o -> o.structuredOutput(Period.class)))
                .hasObject(new Period(1, 2));
        assertThat(requests(script)).contains("The answer is not what was asked for: 'from' must not be after 'to'\n");
    }

    @Test
    void aResultOfAToolThatContainsItself() {
        Script script = Scripts.on("solo").calls("look", "{}").then().says("Done");
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        RunResult result = run(script, Crew.solo(Steps.tool("look", (in, ctx) -> endless)), o -> {});
        assertThat(result.toolResults().getFirst().error().orElseThrow())
                .isEqualTo("Tool 'look': its result cannot be written as JSON: it is too large, nested too deeply,"
                        + " or contains itself.");
    }

    @Test
    void anAccessorOfAToolsResult() {
        Script script = Scripts.on("solo").calls("look", "{}").then().says("Done");
        RunResult result = run(script, Crew.solo(Steps.tool("look", (in, ctx) -> new Found("x"))), o -> {});
        assertThat(result.toolResults().getFirst().detail().orElseThrow()).contains(INSIDE);
        assertThat(requests(script)).contains("Tool 'look' failed (error err_1).");
    }

    @Test
    void aScorer() {
        Script script = Scripts.on("solo").says("One").then().says("Two");
        Scorer throwing = Scorer.of("strict", context -> Steps.failing(new IllegalStateException(INSIDE)));
        RunResult result = run(script, Crew.solo(), o -> o.maxSteps(2).completion(Completion.all(throwing)));
        assertThat(requests(script))
                .contains("strict: failed (score 0.0, needed 1.0): the scorer failed (error err_1)");
        assertThat(result.completion().orElseThrow().scorers())
                .singleElement()
                .satisfies(scored -> assertThat(scored.reason()).contains(INSIDE))
                .satisfies(scored -> assertThat(scored.errorId()).startsWith("err_"));
    }

    @Test
    void guardsFiltersAndHooks() {
        for (Consumer<RunOptions.Builder> hook : List.<Consumer<RunOptions.Builder>>of(
                o -> o.beforeToolCall(call -> Steps.failing(new IllegalStateException(INSIDE))),
                o -> o.onDelegationStart(context -> Steps.failing(new IllegalStateException(INSIDE))),
                o -> o.messageFilter(context -> Steps.failing(new IllegalStateException(INSIDE))))) {
            Script each = Scripts.on("boss", Turn.calls("agent-w", "{\"prompt\":\"a\"}"), Turn.says("Done"));
            Agent w =
                    Agent.builder("w").description("Works.").model("none/none").build();
            Agent boss = Agent.builder("boss").model("none/none").agents(w).build();
            assertThat(run(each, boss, hook)).finished();
            requests(each);
        }
    }

    @Test
    void aProcessorOfASubAgent() {
        Script script =
                Scripts.on("boss").calls("agent-w", "{\"prompt\":\"a\"}").then().says("Done");
        Agent w = Crew.agent(
                "w",
                agent -> agent.inputProcessors(InputProcessor.of(
                        "check", (context, messages) -> Steps.failing(new IllegalStateException(INSIDE)))));
        assertThat(run(
                        script,
                        Agent.builder("boss").model("none/none").agents(w).build(),
                        o -> {}))
                .finished();
        assertThat(requests(script)).contains("hook-failed");
    }
}
