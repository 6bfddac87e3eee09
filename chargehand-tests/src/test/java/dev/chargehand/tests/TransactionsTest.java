package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How often a run commits, its beginning aside. */
class TransactionsTest {

    private static final Tool NEEDS_APPROVAL = Steps.approvedTool("pay", (in, context) -> "paid");

    private static int transactions(Script script, Consumer<RunOptions.Builder> options) {
        FaultyStore store = FaultyStore.over(InMemoryStore.create());
        try (TestRuntime test = TestRuntime.builder(script)
                .store(store)
                .agents(Crew.agent("solo", agent -> agent.tools(Crew.OK, NEEDS_APPROVAL)))
                .build()) {
            test.agent("solo").generate("Go", options.andThen(o -> o.thread("t").resource("u")));
            return store.count(FaultyStore.Operation.APPEND) - 1;
        }
    }

    @Test
    void aRunOnANewThreadReadsItsRecordAndNoMessages() {
        FaultyStore store = FaultyStore.over(InMemoryStore.create());
        try (TestRuntime test = TestRuntime.builder(says())
                .store(store)
                .agents(Crew.agent("solo"))
                .build()) {
            var ignored = test.agent("solo").generate("Go", o -> o.thread("t").resource("u"));

            assertThat(store.count(FaultyStore.Operation.FIND_THREAD)).isEqualTo(1);
            assertThat(store.count(FaultyStore.Operation.READ_THREAD)).isZero();
        }
    }

    private static Script says() {
        return Scripts.on("solo").says("Done");
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
    void aStepWithToolsCostsOneForItsAnswerAndIntentsAndAtMostOneForEachResult() {
        Script script =
                Scripts.on("solo", Turn.calls("ok", "{}").and(Turn.calls("ok", Map.of("n", 2))), Turn.says("Done"));
        assertThat(transactions(script, o -> {}))
                .isBetween(1 + 1 + 1, 1 + 2 + 1); // results that come together share one, the last one with the step
    }

    @Test
    void aStepWithAToolThatAHookIsAskedAboutCostsOneMoreForTheResult() {
        assertThat(transactions(callsOnce(), o -> {})).isEqualTo(2 + 1);
        assertThat(transactions(callsOnce(), o -> o.onIterationComplete(it -> IterationDecision.proceed())))
                .isEqualTo(3 + 2);
    }

    @Test
    void theLastResultOfARunThatItsStepEndsCostsOne() {
        assertThat(transactions(callsOnce(), o -> o.maxSteps(1))).isEqualTo(1 + 1 + 1);
    }

    private static Script callsOnce() {
        return Scripts.on("solo", Turn.calls("ok", "{}"), Turn.says("Done"));
    }

    @Test
    void resultsThatComeTogetherShareOne() {
        int calls = 10;
        int alone = 1 + calls + 1;
        int fewest = alone;
        for (int i = 0; i < 100 && fewest == alone; i++) { // which results come together is left to chance
            fewest = Math.min(fewest, transactions(manyAtOnce(calls), o -> {}));
        }
        assertThat(fewest).isLessThan(alone);
    }

    private static Script manyAtOnce(int calls) {
        Turn turn = Turn.calls("ok", Map.of("n", 0));
        for (int n = 1; n < calls; n++) {
            turn = turn.and(Turn.calls("ok", Map.of("n", n)));
        }
        return Scripts.on("solo", turn, Turn.says("Done"));
    }

    @Test
    void aStepThatMustWaitCostsOneForItsAnswerOneForWhatWaitsAndOneForTheSuspension() {
        Script script = Scripts.on("solo").calls("pay", "{}").and().calls("pay", Map.of("n", 2));
        assertThat(transactions(script, o -> {})).isEqualTo(1 + 1 + 1);
    }
}
