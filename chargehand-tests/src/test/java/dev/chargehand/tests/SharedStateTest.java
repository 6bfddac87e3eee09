package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nested workflows that share the state of the one above them. */
class SharedStateTest {

    record Progress(int count) {}

    private final TestRuntime test = TestRuntime.with(Scripts.of());

    @AfterEach
    void close() {
        test.close();
    }

    private static Step<String, String> setting(String id, String key, Object value) {
        return Step.of(id, String.class, String.class, (in, context) -> {
                    Map<String, Object> patch = new HashMap<>();
                    patch.put(key, value);
                    context.updateState(patch);
                    return in + " "
                            + context.state().at("/" + key).map(Json::text).orElse("none");
                })
                .repeatable();
    }

    private static final Workflow<String, String> NESTED = Workflow.from("nested", String.class)
            .then(Step.of(
                            "see",
                            String.class,
                            String.class,
                            (in, context) -> in + " " + context.state().text())
                    .repeatable())
            .then(setting("inner", "inner", Map.of("deep", 1)))
            .then(setting("remove", "outer", null))
            .build(String.class);

    private static Workflow<String, String> outer(Workflow<String, String> nested) {
        return Workflow.from("above", String.class)
                .then(setting("outer", "outer", 1))
                .then(setting("kept", "kept", Map.of("a", 1)))
                .then(nested)
                .build(String.class);
    }

    @Test
    void aNestedRunStartsWithTheStateAndItsChangesAreMadeAtItsEnd() {
        RunResult shared =
                test.runtime().start(outer(NESTED.sharingState()), "x", o -> {}).result();
        assertThat(shared.text()).contains("{\"outer\":1,\"kept\":{\"a\":1}}");
        assertThat(shared.workflowState().orElseThrow().canonical())
                .isEqualTo(Json.of(Map.of("kept", Map.of("a", 1), "inner", Map.of("deep", 1)))
                        .canonical());
        RunResult apart = test.runtime().start(outer(NESTED), "x", o -> {}).result();
        assertThat(apart.text()).contains(" {} ");
        assertThat(apart.workflowState().orElseThrow().fields().keySet()).containsExactly("outer", "kept");
    }

    @Test
    void theChangesOfSiblingsAreKept() {
        Workflow<String, String> nested = Workflow.from("nested", String.class)
                .then(setting("inner", "inner", 1))
                .build(String.class)
                .sharingState();
        Workflow<String, Integer> workflow = Workflow.from("above", String.class)
                .parallel(nested.asStep(), nested.asStep().withId("again"), setting("beside", "beside", 2))
                .map("size", Integer.class, (out, context) -> context.state()
                        .fields()
                        .size())
                .build(Integer.class);
        assertThat(test.runtime().run(workflow, "x", o -> {}).output()).isEqualTo(2);
    }

    @Test
    void aStateThatDoesNotFitTheNestedWorkflowFailsTheStep() {
        Workflow<String, String> typed = Workflow.from("nested", String.class)
                .state(Progress.class, new Progress(0))
                .then(setting("inner", "count", 1))
                .build(String.class)
                .sharingState();
        assertThatThrownBy(() -> test.runtime().run(outer(typed), "x", o -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("The shared state breaks the schema of workflow 'nested'");
    }

    private record Ending(String output, String state, List<StepOutcome> steps) {}

    @Test
    void aRunThatIsInterruptedBetweenAnyTwoFactsEndsAsTheUndisturbedOne() {
        Workflow<String, String> workflow = outer(NESTED.sharingState());
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                return TestRuntime.builder(Scripts.of())
                        .store(store)
                        .ids(IdSource.secure())
                        .workflows(workflow)
                        .build();
            }

            @Override
            public RunResult begin(TestRuntime running) {
                return running.runtime().start(workflow, "x", o -> {}).result();
            }

            @Override
            public RunResult resume(TestRuntime running, RunId run) {
                return running.runtime().resume(run, o -> {}).result();
            }

            @Override
            public Ending ending(TestRuntime running, Supplier<RunResult> run) {
                RunResult result = run.get();
                return new Ending(
                        result.text(),
                        result.workflowState().orElseThrow().canonical().text(),
                        StepTimesTest.without(result));
            }
        }.assertEndsAsTheUndisturbedOne();
        assertThat(Arrays.asList(NESTED.sharesState(), NESTED.sharingState().sharesState()))
                .containsExactly(false, true);
    }
}
