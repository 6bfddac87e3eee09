package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.replay.Recording;
import dev.chargehand.tool.Tool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A runtime brings the runs of earlier versions up to date before it serves anything. */
class OutdatedRunsTest {

    private static final Tool PAY = Tool.builder("pay", "Pays.")
            .input(Crew.ANYTHING)
            .requiresApproval()
            .handler((in, context) -> "paid")
            .build();

    private static Agent boss() {
        return Agent.builder("boss")
                .model("none/none")
                .agents(Crew.member("payer", PAY))
                .build();
    }

    private static Script script() {
        return Scripts.of(
                Turns.of("boss", Turn.delegates("payer", "Pay"), Turn.says("All done")),
                Turns.of("payer", Turn.calls("pay", Map.of()), Turn.says("Paid")));
    }

    /** Returns a store with a run that waits at depth 2, without anything derived from its facts. */
    private static Store before() {
        Store now = InMemoryStore.keepingEndedRuns();
        TestRuntime test = Crew.playing(now, script(), boss());
        RunId run = test.agent("boss").generate("Pay the bill").runId();
        Store before = InMemoryStore.keepingEndedRuns();
        Recording.of(now, run).restore(before);
        test.close();
        assertThat(before.list(RunFilter.ALL.outdated(true))).hasSize(2);
        assertThat(before.waiting(run)).isEmpty();
        return before;
    }

    @Test
    void whatWaitsIsListedOnceARuntimeIsBuiltAndCanBeAnswered() {
        Store store = before();
        Script rest = Scripts.of(Turns.saying("payer", "Paid"), Turns.saying("boss", "All done"));
        try (TestRuntime test = Crew.playing(store, rest, boss())) {
            RunRecord root = store.list(RunFilter.ROOTS).getFirst();
            assertThat(store.list(RunFilter.ALL.outdated(true))).isEmpty();
            assertThat(store.waiting(root.runId())).singleElement().satisfies(call -> assertThat(call.toolName())
                    .isEqualTo("pay"));
            assertThat(root.summary().map(RunSummary::firstWords)).contains("Pay the bill");

            PendingApproval pending =
                    test.runtime().handle(root.runId()).pendingApprovals().getFirst();
            RunResult result =
                    test.runtime().approve(pending, Approver.of("ann")).result();

            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(result.text()).isEqualTo("All done");
        }
    }

    @Test
    void aDamagedRunIsLeftAsItIs() {
        Store store = before();
        RunId damaged = new RunId("damaged");
        var ignored = store.append(Append.start(
                RunRecord.builder(damaged, "boss", "gone", Instant.EPOCH).build(),
                List.of(FactEntry.of("started", 4, "{\"agentId\":7}"))));

        try (TestRuntime test = Crew.playing(store, script(), boss())) {
            assertThat(test.store().list(RunFilter.ALL.outdated(true)))
                    .extracting(RunRecord::runId)
                    .containsExactly(damaged);
        }
    }

    @Test
    void manyRunsAreBroughtUpToDatePageByPage() {
        Store store = before();
        RunRecord root = store.list(RunFilter.ROOTS).getFirst();
        List<FactEntry> facts = store.read(root.runId(), 0).subList(0, 1);
        for (int i = 0; i < 250; i++) {
            RunId run = new RunId("run-" + i);
            var ignored = store.append(Append.start(
                    RunRecord.builder(run, "boss", "gone", Instant.EPOCH).build(), facts));
        }

        try (TestRuntime test = Crew.playing(store, script(), boss())) {
            assertThat(test.store().list(RunFilter.ALL.outdated(true))).isEmpty();
        }
    }

    @Test
    void anEndedRunIsSummarizedWhenItIsRead() {
        Store now = InMemoryStore.keepingEndedRuns();
        Store store = InMemoryStore.keepingEndedRuns();
        try (TestRuntime test = Crew.playing(now, Scripts.drafts("solo", "Done"), Crew.solo())) {
            Recording.of(now, test.agent("solo").generate("Go").runId()).restore(store);
        }
        try (TestRuntime test = Crew.playing(store, Scripts.drafts("solo", "Done"), Crew.solo())) {
            RunRecord ended = store.list(RunFilter.ROOTS).getFirst();
            assertThat(ended.summary()).isEmpty();

            assertThat(test.runtime().history(ended.runId())).isNotEmpty();

            assertThat(store.find(ended.runId()).orElseThrow().summary().flatMap(RunSummary::stopCode))
                    .contains("finished");
        }
    }

    @Test
    void aRuntimeIsNotBuiltOnAStoreThatCannotBeRead() {
        FaultyStore store = FaultyStore.over(InMemoryStore.create()).failOn(FaultyStore.Operation.LIST, 1);

        assertThatThrownBy(() -> Crew.playing(store, script(), boss()).close()).isInstanceOf(StoreException.class);
    }
}
