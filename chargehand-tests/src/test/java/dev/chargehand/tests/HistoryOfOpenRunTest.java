package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stored facts tell of runs that wait, that go on, or that a crash cut in two. */
class HistoryOfOpenRunTest {

    private static final Approver ANN = Approver.of("ann");

    private static final Tool DELETE = Steps.approvedTool("deleteRecord", (in, context) -> "deleted");

    @Test
    void whatWaitedSaysForWhatAndWhoAnswered() {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "Delete"), Turn.says("All done")),
                Turns.of(
                        "researcher",
                        Turn.calls("deleteRecord", Map.of("id", "r1"))
                                .and(Turn.calls("deleteRecord", Map.of("id", "r2"))),
                        Turn.says("Deleted r1")));
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.supervisorOf(Crew.member("researcher", DELETE)))
                .manualClock()
                .build()) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            Retold.assertTold(test, waiting.runId());
            assertThat(test.runtime().history(waiting.runId()).getLast())
                    .isInstanceOfSatisfying(RunEvent.RunSuspend.class, suspend -> assertThat(suspend.pending())
                            .isEqualTo(waiting.pendingApprovals()));

            RunResult still = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), ANN)
                    .result();
            Retold.assertTold(test, waiting.runId());
            RunResult done = test.runtime()
                    .decline(still.pendingApprovals().getFirst(), ANN, "not r2")
                    .result();

            assertThat(done.text()).isEqualTo("All done");
            Retold.assertTold(test, waiting.runId());
            List<RunEvent> history = test.runtime().history(waiting.runId());
            assertThatEvents(history).arePaired().endWithRunFinish();
            assertThat(Routed.all(RunEvent.ToolCallAnswered.class, history))
                    .extracting(event -> event.toJson().text().replaceAll(".*\"toolName\"", "{\"toolName\""))
                    .containsExactly(
                            "{\"toolName\":\"deleteRecord\",\"answer\":\"approved\",\"approver\":\"ann\"}",
                            "{\"toolName\":\"deleteRecord\",\"answer\":\"declined\",\"approver\":\"ann\",\"reason\":\"not"
                                    + " r2\"}");
        }
    }

    @Test
    void whatNobodyAnsweredInTimeIsTold() {
        Script script = Scripts.on("lead", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Not deleted"));
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead()).manualClock().build()) {
            RunResult waiting = test.agent("lead").generate("Go");
            test.clock().advance(Duration.ofDays(2));
            test.runtime().recover().await();

            Retold.assertTold(test, waiting.runId());
            assertThat(test.runtime().history(waiting.runId()))
                    .filteredOn(RunEvent.ToolCallAnswered.class::isInstance)
                    .singleElement()
                    .satisfies(event -> {
                        RunEvent.ToolCallAnswered answered = (RunEvent.ToolCallAnswered) event;
                        assertThat(answered.answer()).isEqualTo("expired");
                        assertThat(answered.approver()).isNull();
                        assertThat(answered.time()).isEqualTo(test.clock().now());
                    });
        }
    }

    @Test
    void aWaitingRunThatWasCancelledEndsFromBelow() {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "Delete r1")),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r1"))));
        try (TestRuntime test = Crew.playing(script, Crew.supervisorOf(Crew.member("researcher", DELETE)))) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            test.runtime().cancel(waiting.runId());

            List<RunEvent> history = test.runtime().history(waiting.runId());
            assertThat(history.stream()
                            .map(event -> event.path() + " " + event.type())
                            .toList())
                    .endsWith(
                            "supervisor run-suspend",
                            "supervisor/researcher tool-error",
                            "supervisor/researcher step-finish",
                            "supervisor/researcher abort",
                            "supervisor/researcher run-finish",
                            "supervisor delegation-end",
                            "supervisor tool-error",
                            "supervisor step-finish",
                            "supervisor iteration-end",
                            "supervisor abort",
                            "supervisor run-finish");
        }
    }

    @Test
    void aRunThatACrashCutInTwoIsOneStory() {
        Store store = InMemoryStore.keepingEndedRuns();
        List<RunEvent> heard = new ArrayList<>();
        RunId root;
        try (TestRuntime test = crashing(Crashing.goneBefore(5, store))) {
            assertThatThrownBy(() -> test.agent("supervisor").generate("Go")).isInstanceOf(RunFailedException.class);
            root = test.store().list(RunFilter.ROOTS).getFirst().runId();
            heard.addAll(test.events());
        }
        assertThat(store.find(root).orElseThrow().status()).isEqualTo(RunStatus.RUNNING);
        try (TestRuntime test = crashing(store)) {
            RunResult result = test.runtime().resume(root, o -> {}).result();
            assertThat(result.text()).isEqualTo("Done");

            List<RunEvent> history = test.runtime().history(root);
            assertThat(history.stream().map(RunEvent::type))
                    .contains("run-resume")
                    .endsWith("run-finish");
            Retold.assertEachRunAlike(stored(heard, test.events(), history), history);
        }
    }

    /** What the broken store did not take was told to the first listener only, as the end of its run. */
    private static List<RunEvent> stored(List<RunEvent> first, List<RunEvent> second, List<RunEvent> history) {
        List<RunEvent> events = new ArrayList<>();
        for (RunEvent event : first) {
            String line = Retold.lines(List.of(event)).stream().findFirst().orElse("");
            boolean begins = event instanceof RunEvent.StepStart || event instanceof RunEvent.IterationStart;
            if (begins || Retold.lines(history).contains(line)) {
                events.add(event);
            }
        }
        events.addAll(second);
        return events;
    }

    private static TestRuntime crashing(Store store) {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.answers(request -> request.messages()
                                                .getLast()
                                                .toolResults()
                                                .isEmpty()
                                        ? Steps.calling("agent-researcher", "{\"prompt\":\"Find\"}")
                                        : Steps.said("Done"))
                                .forever()),
                Turns.of(
                        "researcher",
                        Turn.answers(request -> request.messages()
                                                .getLast()
                                                .toolResults()
                                                .isEmpty()
                                        ? Steps.calling("ok", "{}")
                                        : Steps.said("Found"))
                                .forever()));
        return Crew.playing(store, script, Crew.supervisorOf(Crew.member("researcher", Crew.OK)));
    }

    @Test
    void aRunThatGoesOnIsToldSoFar() {
        List<Integer> sizes = new ArrayList<>();
        List<TestRuntime> running = new ArrayList<>();
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "Find"), Turn.says("Done")),
                Turns.of("researcher", Turn.calls("peek", Map.of()), Turn.says("Found")));
        Tool peek = Steps.tool("peek", (in, context) -> {
            RunId root = running.getFirst()
                    .runtime()
                    .runs(RunFilter.ROOTS)
                    .getFirst()
                    .runId();
            List<RunEvent> history = running.getFirst().runtime().history(root);
            sizes.add(history.size());
            return history.getLast().type();
        });
        try (TestRuntime test = Crew.playing(script, Crew.supervisorOf(Crew.member("researcher", peek)))) {
            running.add(test);
            RunResult result = test.agent("supervisor").generate("Go");

            List<RunEvent> history = test.runtime().history(result.runId());
            assertThat(sizes.getFirst()).isPositive().isLessThan(history.size());
            assertThat(Routed.all(RunEvent.ToolResult.class, history))
                    .first()
                    .satisfies(event -> assertThat(event.output().string()).contains("tool-call"));
        }
    }

    private static Agent lead() {
        return Agent.builder("lead").model("none/none").tools(DELETE).build();
    }
}
