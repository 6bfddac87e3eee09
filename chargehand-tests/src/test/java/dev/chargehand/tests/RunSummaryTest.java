package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The record of a run says how it stands, without its facts. */
class RunSummaryTest {

    private static RunSummary summary(TestRuntime test, String agent) {
        return test.store()
                .list(RunFilter.ALL.agent(agent))
                .getFirst()
                .summary()
                .orElseThrow();
    }

    @Test
    void itHasUsageCostStepAndFirstWordsOfEachRun() {
        Script script = Scripts.on("supervisor", Turn.delegates("researcher", "Find  it.\n"), Turn.says("Done"))
                .on("researcher")
                .says("Fact")
                .and()
                .uses(100, 10);
        try (TestRuntime test = Crew.playing(script, Crew.supervisor())) {
            RunResult result = test.agent("supervisor")
                    .generate(
                            "  Write\tabout boats. ",
                            o -> o.prices(
                                    Prices.NONE.with("none/none", new BigDecimal("1000"), new BigDecimal("1000"))));

            RunSummary root = summary(test, "supervisor");
            assertThat(root.kind()).isEqualTo("agent");
            assertThat(root.firstWords()).isEqualTo("Write about boats.");
            assertThat(root.step()).isEqualTo(2);
            assertThat(root.usage()).isEqualTo(result.totalUsage());
            assertThat(root.cost()).isEqualByComparingTo(result.cost());
            assertThat(root.stopCode()).contains("finished");
            RunSummary nested = summary(test, "researcher");
            assertThat(nested.firstWords()).isEqualTo("Find it.");
            assertThat(nested.usage()).isEqualTo(Usage.of(100, 10));
            assertThat(nested.step()).isEqualTo(1);
        }
    }

    @Test
    void itIsStoredByEachStep() {
        List<RunSummary> seen = new ArrayList<>();
        Script script = Scripts.on("solo")
                .calls("ok", Map.of())
                .and()
                .uses(7, 1)
                .then()
                .says("Done")
                .and()
                .uses(8, 2);
        try (TestRuntime test = Crew.playing(script, Crew.solo(Crew.OK))) {
            var ignored = test.agent("solo")
                    .generate(
                            "Go",
                            o -> o.beforeToolCall(call -> {
                                seen.add(summary(test, "solo"));
                                return ToolCallDecision.allow();
                            }));

            assertThat(seen).singleElement().satisfies(running -> {
                assertThat(running.step()).isEqualTo(1);
                assertThat(running.usage()).isEqualTo(Usage.of(7, 1));
                assertThat(running.stop()).isEmpty();
            });
            assertThat(summary(test, "solo").usage()).isEqualTo(Usage.of(15, 3));
        }
    }

    @Test
    void aLongInputIsCutBetweenCharacters() {
        try (TestRuntime test = Crew.playing(Scripts.drafts("solo", "Done"), Crew.solo())) {
            var ignored = test.agent("solo").generate("x".repeat(199) + "\uD83D\uDE80".repeat(1000));

            assertThat(summary(test, "solo").firstWords()).isEqualTo("x".repeat(199));
        }
    }

    @Test
    void whatAProcessorRemovedIsNotInTheFirstWords() {
        InputProcessor removing = InputProcessor.of(
                "removing", (context, messages) -> Processed.rewritten(List.of(Message.user("My number is ***."))));
        try (TestRuntime test = Crew.playing(Scripts.drafts("solo", "Done"), Crew.solo())) {
            var ignored = test.agent("solo").generate("My number is 1234.", o -> o.inputProcessors(removing));

            assertThat(summary(test, "solo").firstWords()).isEqualTo("My number is ***.");
        }
    }

    @Test
    void theReasonOfAnEndHasItsDetails() {
        try (TestRuntime test = Crew.playing(Scripts.endless(), Crew.solo(Crew.OK))) {
            var ignored = test.agent("solo").generate("Go", o -> o.maxSteps(2));

            RunRecord run = test.store().list(RunFilter.ROOTS).getFirst();
            assertThat(run.status()).isEqualTo(RunStatus.INCOMPLETE);
            assertThat(run.summary().flatMap(RunSummary::stop))
                    .contains(Json.parse("{\"code\":\"max-steps-reached\",\"maxSteps\":2}"));
            assertThat(run.summary().orElseThrow().step()).isEqualTo(2);
        }
    }

    @Test
    void aRunInTheStoreOfAProgramIsListedByItsAgent() {
        try (TestRuntime test =
                Crew.playing(InMemoryStore.keepingEndedRuns(), Scripts.oneDelegation(), Crew.supervisor())) {
            var ignored = test.agent("supervisor").generate("Go");

            assertThat(test.runtime().runs(RunFilter.ROOTS.agent("researcher"))).isEmpty();
            assertThat(test.runtime().runs(RunFilter.ALL.agent("researcher"))).hasSize(1);
        }
    }
}
