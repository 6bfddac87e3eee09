package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How often a run commits, its beginning aside. */
class TransactionsTest {

    private static final Tool NEEDS_APPROVAL = Tool.builder("pay", "Pays.")
            .input(Crew.ANYTHING)
            .requiresApproval()
            .handler((in, context) -> "paid")
            .build();

    private static int transactions(Script script, Consumer<RunOptions.Builder> options) {
        FaultyStore store = FaultyStore.over(InMemoryStore.create());
        try (TestRuntime test = TestRuntime.builder(script)
                .store(store)
                .agents(Agent.builder("solo")
                        .model("none/none")
                        .tools(Crew.OK, NEEDS_APPROVAL)
                        .build())
                .build()) {
            test.agent("solo").generate("Go", options.andThen(o -> o.thread("t").resource("u")));
            return store.count(FaultyStore.Operation.APPEND) - 1;
        }
    }

    private static Script says() {
        return ScriptedModel.script().on("solo").says("Done");
    }

    @Test
    void aStepWithoutToolsCostsOne() {
        assertThat(transactions(says(), o -> {})).isEqualTo(1);
    }

    @Test
    void aStepThatAHookIsAskedAboutCostsTwo() {
        assertThat(transactions(says(), o -> o.onIterationComplete(it -> IterationDecision.proceed())))
                .isEqualTo(2);
    }

    @Test
    void aStepWithToolsCostsOneForItsAnswerAndIntentsOneForEachResultAndOneForTheStep() {
        Script script = ScriptedModel.script()
                .on("solo")
                .calls("ok", "{}")
                .and()
                .calls("ok", Map.of("n", 2))
                .then()
                .says("Done");
        assertThat(transactions(script, o -> {})).isEqualTo(1 + 2 + 1 + 1);
    }

    @Test
    void aStepThatMustWaitCostsOneForItsAnswerOneForWhatWaitsAndOneForTheSuspension() {
        Script script =
                ScriptedModel.script().on("solo").calls("pay", "{}").and().calls("pay", Map.of("n", 2));
        assertThat(transactions(script, o -> {})).isEqualTo(1 + 1 + 1);
    }
}
