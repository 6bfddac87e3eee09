package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.ToolFailureException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Known secrets do not show. */
class SecretsTest {

    record Analysis(String summary) {}

    private static final String SECRET = "sk-live-0123456789";
    private static final String LONGER = "sk-live-0123456789-and-more";

    private static final Agent AGENT = Crew.solo(
            Steps.tool("fail", (in, ctx) -> Steps.failing(new ToolFailureException("Refused " + LONGER))),
            Steps.tool("throw", (in, ctx) -> Steps.failing(new IllegalStateException("Refused " + SECRET))),
            Steps.tool("show", (in, ctx) -> {
                ctx.emit("key", Map.of("key", SECRET));
                return List.of(LONGER, SECRET);
            }));

    @Test
    void theyAreTakenOutOfResultsErrorsEventsAndWhatIsStoredOrSentToModels() {
        Script script = Scripts.on(
                "solo",
                Turn.calls("fail", "{}").and(Turn.calls("throw", "{}")).and(Turn.calls("show", "{}")),
                Turn.says("Done"));
        try (TestRuntime test =
                TestRuntime.builder(script).addSecret(SECRET).addSecret(LONGER).build()) {
            var result = test.bind(AGENT)
                    .generate("Go", o -> o.stopWhen(step -> Steps.failing(new IllegalStateException(SECRET))));
            assertThat(result).finished();
            String events = test.events().stream().map(e -> e.toJson().text()).collect(Collectors.joining("\n"));
            String facts = test.store().list(RunFilter.ROOTS).stream()
                    .flatMap(run -> test.store().read(run.runId(), 0).stream())
                    .map(fact -> fact.text())
                    .collect(Collectors.joining("\n"));
            String all = events + facts + script.requests() + result;
            assertThat(all).doesNotContain("sk-live").doesNotContain("and-more").contains("[redacted]");
            assertThat(result.toolResults().get(2).output().orElseThrow().text())
                    .isEqualTo("[\"[redacted]\",\"[redacted]\"]");
        }
    }

    @Test
    void theKeysOfModelsAreKnown() {
        Model leaking = new Model() {
            @Override
            public String name() {
                return "leaking/model";
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                throw new ModelException(ModelException.Kind.AUTHENTICATION, "Bad key " + SECRET, null);
            }

            @Override
            public Set<String> secrets() {
                return Set.of(SECRET);
            }
        };
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script())) {
            Agent agent = test.bind(Agent.builder("a").model(leaking).build());
            assertThatThrownBy(() -> agent.generate("Go"))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("[redacted]")
                    .hasMessageNotContaining(SECRET);
            assertThat(Routed.all(RunEvent.Error.class, test.events()))
                    .allSatisfy(event -> assertThat(event.toJson().text()).doesNotContain(SECRET));
        }
    }

    @Test
    void logsDoNotShowThem() {
        Script script = Scripts.on("solo").calls("throw", "{}").then().says("Done");
        assertThat(logged(script, o -> o.onFinish(result -> Steps.failing(new IllegalStateException(SECRET)))))
                .contains("onFinish")
                .doesNotContain(SECRET);
    }

    @Test
    void logsDoNotShowAnswers() {
        Script script = Scripts.on("solo").says("plain words").then().says("plain words");
        assertThat(logged(
                        script,
                        o -> o.structuredOutput(
                                StructuredOutput.of(Analysis.class).warn())))
                .contains("does not fit its schema")
                .doesNotContain("plain");
    }

    private static String logged(Script script, Consumer<RunOptions.Builder> options) {
        return Logged.during(() -> {
            try (TestRuntime test =
                    TestRuntime.builder(script).addSecret(SECRET).build()) {
                test.bind(AGENT).generate("Go", options);
            }
        });
    }
}
