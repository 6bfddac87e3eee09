package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs the typed analysis with scripted models. */
class TypedAnalysisTest {

    private static final String JSON =
            "{\"summary\":\"It grows.\",\"recommendations\":[\"Buy.\",\"Hold.\"],\"confidence\":0.8}";
    private static final TypedAnalysis.Analysis ANALYSIS =
            new TypedAnalysis.Analysis("It grows.", List.of("Buy.", "Hold."), 0.8);

    private static Script script() {
        return ScriptedModel.script()
                .on("analyst")
                .delegates("researcher", "Figures, please")
                .then()
                .streams(
                        "{\"summary\":\"It ",
                        "grows.\",\"recommendations\":[\"Buy",
                        ".\",\"Hold.\"],\"conf",
                        "idence\":0.8}")
                .on("researcher")
                .says("4 percent a year [1]");
    }

    @Test
    void theAnalysisIsSeenAsItArrivesAndIsTypedInTheEnd() {
        Script script = script();
        try (TestRuntime test = TestRuntime.with(script)) {
            List<String> seen = new ArrayList<>();
            Agent analyst = test.bind(TypedAnalysis.analyst("openai/gpt-5-mini"));
            assertThat(TypedAnalysis.watch(analyst, partial -> seen.add(partial.text())))
                    .isEqualTo(ANALYSIS);
            assertThat(seen)
                    .containsExactly(
                            "{\"summary\":\"It \"}",
                            "{\"summary\":\"It grows.\",\"recommendations\":[\"Buy\"]}",
                            "{\"summary\":\"It grows.\",\"recommendations\":[\"Buy.\",\"Hold.\"]}",
                            JSON,
                            JSON);
            script.assertExhausted();
        }
        assertThat(script.requestsOf("analyst").getFirst().output().json().text())
                .contains("Confidence score");
    }

    @Test
    void itsEventsArePartialObjectsAndThenTheResult() {
        try (TestRuntime test = TestRuntime.with(script());
                RunStream run = test.bind(TypedAnalysis.analyst("openai/gpt-5-mini")).stream(
                        "Go", o -> o.structuredOutput(TypedAnalysis.Analysis.class))) {
            List<RunEvent> events = new ArrayList<>();
            run.forEach(events::add);
            assertThat(events)
                    .extracting(RunEvent::type)
                    .containsSubsequence(
                            "delegation-start", "delegation-end", "object", "object", "object-result", "run-finish");
            assertThat(events)
                    .filteredOn(RunEvent.ObjectResult.class::isInstance)
                    .singleElement()
                    .extracting(event -> event.toJson().at("/object"))
                    .isEqualTo(Optional.of(Json.parse(JSON)));
        }
    }

    @Test
    void theAnalysisOfACallIsTyped() {
        try (TestRuntime test = TestRuntime.with(script())) {
            assertThat(TypedAnalysis.analyse(test.bind(TypedAnalysis.analyst("openai/gpt-5-mini"))))
                    .isEqualTo(ANALYSIS);
        }
    }
}
