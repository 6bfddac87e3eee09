package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A component that may be null may be null in JSON too, in both directions, as an {@code Optional} may be. */
class NullableComponentsTest {

    enum Order {
        NEWEST,
        BEST
    }

    record Area(String country, @Nullable String town) {}

    record Search(String query, @Nullable Integer limit) {}

    record Wide(
            String query,
            @Nullable Area area,
            @Nullable Order order,
            @Nullable List<String> words) {}

    @Test
    void aModelMayWriteNullForWhatItLeavesOut() {
        List<Object> seen = new ArrayList<>();
        Tool plain = Tool.of("plain", "Searches.", Search.class, (in, context) -> seen.add(in));
        Tool wide = Tool.of("wide", "Searches.", Wide.class, (in, context) -> seen.add(in));
        Script script = Scripts.on("solo")
                .calls("plain", "{\"query\":\"a\",\"limit\":null}")
                .then()
                .calls("wide", "{\"query\":\"b\",\"area\":null,\"order\":null,\"words\":null}")
                .then()
                .calls("wide", "{\"query\":\"c\",\"area\":{\"country\":\"NO\",\"town\":null},\"order\":\"BEST\"}")
                .then()
                .says("Done");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = test.bind(Crew.agent("solo", agent -> agent.tools(plain, wide)))
                    .generate("Go");
            assertThat(result).finished().hasText("Done");
        }
        assertThat(seen)
                .containsExactly(
                        new Search("a", null),
                        new Wide("b", null, null, null),
                        new Wide("c", new Area("NO", null), Order.BEST, null));
    }

    @Test
    void aToolMayReturnNullForWhatItDoesNotKnow() {
        Tool tool = Tool.builder("find", "Finds.")
                .input(Search.class)
                .output(Wide.class)
                .handler((in, context) -> new Wide(in.query(), null, null, null))
                .build();
        Script script =
                Scripts.on("solo").calls("find", "{\"query\":\"a\"}").then().says("Done");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result =
                    test.bind(Crew.agent("solo", agent -> agent.tools(tool))).generate("Go");
            assertThat(result.toolResults().getFirst().error()).isEmpty();
        }
    }

    @Test
    void anAnswerMayHaveThem() {
        Script script = Scripts.on("solo").says("{\"query\":\"a\",\"limit\":null}");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = test.bind(Crew.solo())
                    .generate(
                            "Go",
                            o -> o.structuredOutput(
                                    StructuredOutput.of(Search.class).fallback(new Search("none", null))));
            assertThat(result.object(Search.class)).isEqualTo(new Search("a", null));
        }
    }

    @Test
    void aWorkflowMayPassThemOnAndKeepThem() {
        Step<Wide, Search> step = Step.of("narrow", Wide.class, Search.class, (in, context) -> {
            context.updateState(Map.of("query", in.query()));
            return new Search(in.query(), null);
        });
        Workflow<Wide, Search> workflow = Workflow.from("search", Wide.class)
                .state(Search.class, new Search("", null))
                .then(step)
                .build(Search.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(workflow).build()) {
            var result =
                    runtime.run(workflow, new Wide("a", null, null, null), o -> o.initialState(new Search("b", null)));
            assertThat(result.output()).isEqualTo(new Search("a", null));
            assertThat(result.state().as(Search.class)).isEqualTo(new Search("a", null));
        }
    }
}
