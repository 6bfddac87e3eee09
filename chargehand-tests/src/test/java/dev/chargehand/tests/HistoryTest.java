package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Score;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What stored facts tell of a run is what a listener heard of it. */
class HistoryTest {

    private static final Approver ANN = Approver.of("ann");

    private static final Tool DELETE = Tool.builder("deleteRecord", "Deletes a record.")
            .input(Crew.ANYTHING)
            .requiresApproval()
            .handler((in, context) -> "deleted")
            .build();

    /** One run after the other, so that there is one order of all events. */
    private static void assertTold(TestRuntime test, RunId root) {
        List<RunEvent> history = test.runtime().history(root);
        assertThat(Retold.lines(history)).isEqualTo(Retold.lines(test.events()));
        assertThatEvents(history).haveGrowingIds();
    }

    @Test
    void aDelegationStandsBetweenItsCallAndTheCallsResult() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .says("I look.")
                .and()
                .calls("look", Map.of("q", "x"))
                .then()
                .delegates("researcher", "Find")
                .then()
                .delegates("writer", "Write")
                .then()
                .says("Done")
                .on("researcher")
                .calls("ok", Map.of())
                .then()
                .says("Found")
                .on("writer")
                .says("Written");
        Agent supervisor = Crew.supervisorOf(Crew.member("researcher", Crew.OK), Crew.LOOK);
        try (TestRuntime test =
                TestRuntime.builder(script).agents(supervisor).manualClock().build()) {
            RunResult result = test.agent("supervisor").generate("Go", o -> o.thread("t"));

            assertTold(test, result.runId());
            assertThatEvents(test.runtime().history(result.runId())).arePaired().endWithRunFinish();
        }
    }

    @Test
    void delegationsSideBySideStandBetweenTheirOwnCalls() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find")
                .and()
                .calls("ok", Map.of())
                .and()
                .delegates("writer", "Write")
                .then()
                .says("Done")
                .on("researcher")
                .calls("ok", Map.of())
                .then()
                .says("Found")
                .on("writer")
                .says("Written");
        Agent supervisor = Crew.supervisorOf(Crew.member("researcher", Crew.OK), Crew.OK);
        try (TestRuntime test = TestRuntime.builder(script).agents(supervisor).build()) {
            RunResult result = test.agent("supervisor").generate("Go");

            List<RunEvent> history = test.runtime().history(result.runId());
            Retold.assertEachRunAlike(test.events(), history);
            assertThatEvents(history).arePaired().endWithRunFinish();
            assertThat(history).extracting(RunEvent::time).isSorted();
            for (String key : List.of("researcher", "writer")) {
                assertThat(history.stream()
                                .filter(event -> event.path().leaf().equals(key)
                                        || (event instanceof RunEvent.DelegationStart start
                                                && start.agentId().equals(key))
                                        || (event instanceof RunEvent.DelegationEnd end
                                                && end.agentId().equals(key)))
                                .map(RunEvent::type))
                        .startsWith("delegation-start", "run-start")
                        .endsWith("run-finish", "delegation-end");
            }
        }
    }

    @Test
    void timesAreThoseOfTheFacts() {
        AtomicInteger calls = new AtomicInteger();
        Script script = ScriptedModel.script()
                .on("solo")
                .calls("wait", Map.of())
                .then()
                .calls("wait", Map.of())
                .then()
                .says("Done");
        List<TestRuntime> running = new ArrayList<>();
        Tool wait = Tool.builder("wait", "Takes an hour.")
                .input(Crew.ANYTHING)
                .handler((in, context) -> {
                    running.getFirst().clock().advance(Duration.ofSeconds(calls.incrementAndGet() * 10L));
                    return "waited";
                })
                .build();
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.solo(wait))
                .manualClock()
                .build()) {
            running.add(test);
            Instant start = test.clock().now();
            RunResult result = test.agent("solo").generate("Go");
            test.clock().advance(Duration.ofDays(3));

            List<RunEvent> history = test.runtime().history(result.runId());
            assertTold(test, result.runId());
            assertThat(history)
                    .filteredOn(RunEvent.ToolResult.class::isInstance)
                    .extracting(event -> Duration.between(start, event.time()).toSeconds())
                    .containsExactly(10L, 30L);
            assertThat(history)
                    .filteredOn(RunEvent.StepStart.class::isInstance)
                    .extracting(event -> Duration.between(start, event.time()).toSeconds())
                    .containsExactly(0L, 10L, 30L);
            assertThat(history.getLast().time()).isEqualTo(start.plusSeconds(30));
        }
    }

    @Test
    void whatWaitedSaysForWhatAndWhoAnswered() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete")
                .then()
                .says("All done")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"))
                .and()
                .calls("deleteRecord", Map.of("id", "r2"))
                .then()
                .says("Deleted r1");
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.supervisorOf(Crew.member("researcher", DELETE)))
                .manualClock()
                .build()) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            assertTold(test, waiting.runId());
            assertThat(test.runtime().history(waiting.runId()).getLast())
                    .isInstanceOfSatisfying(RunEvent.RunSuspend.class, suspend -> assertThat(suspend.pending())
                            .isEqualTo(waiting.pendingApprovals()));

            RunResult still = test.runtime().approve(waiting.pendingApprovals().getFirst(), ANN);
            assertTold(test, waiting.runId());
            RunResult done = test.runtime().decline(still.pendingApprovals().getFirst(), ANN, "not r2");

            assertThat(done.text()).isEqualTo("All done");
            assertTold(test, waiting.runId());
            List<RunEvent> history = test.runtime().history(waiting.runId());
            assertThatEvents(history).arePaired().endWithRunFinish();
            assertThat(history)
                    .filteredOn(RunEvent.ToolCallAnswered.class::isInstance)
                    .extracting(event -> event.toJson().text().replaceAll(".*\"toolName\"", "{\"toolName\""))
                    .containsExactly(
                            "{\"toolName\":\"deleteRecord\",\"answer\":\"approved\",\"approver\":\"ann\"}",
                            "{\"toolName\":\"deleteRecord\",\"answer\":\"declined\",\"approver\":\"ann\",\"reason\":\"not"
                                    + " r2\"}");
        }
    }

    @Test
    void whatNobodyAnsweredInTimeIsTold() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Not deleted");
        try (TestRuntime test =
                TestRuntime.builder(script).agents(lead()).manualClock().build()) {
            RunResult waiting = test.agent("lead").generate("Go");
            test.clock().advance(Duration.ofDays(2));
            test.runtime().recover().await();

            assertTold(test, waiting.runId());
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
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete r1")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"));
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.supervisorOf(Crew.member("researcher", DELETE)))
                .build()) {
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
    void scoresFeedbackAndRetriesAreTold() {
        Script script = ScriptedModel.script()
                .on("solo")
                .failsWith(new ModelException(ModelException.Kind.OVERLOADED, "busy", null))
                .then()
                .says("Draft")
                .then()
                .says("Final");
        Completion completion = Completion.all(Scorer.of(
                "final", context -> context.output().equals("Final") ? Score.pass() : Score.fail("It is a draft.")));
        try (TestRuntime test = TestRuntime.builder(script).agents(Crew.solo()).build()) {
            RunResult result = test.agent("solo").generate("Go", o -> o.completion(completion));

            List<RunEvent> history = test.runtime().history(result.runId());
            Retold.assertEachRunAlike(test.events(), history);
            assertThat(history)
                    .filteredOn(RunEvent.UsageReport.class::isInstance)
                    .extracting(event -> ((RunEvent.UsageReport) event).attempts())
                    .containsExactly(2, 1);
            assertThat(history)
                    .filteredOn(RunEvent.ScoringComplete.class::isInstance)
                    .extracting(event -> ((RunEvent.ScoringComplete) event).complete())
                    .containsExactly(false, true);
        }
    }

    @Test
    void aFailedRunSaysWhy() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find")
                .then()
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "no key", null))
                .on("researcher")
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "no key", null));
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.supervisor())
                .manualClock()
                .build()) {
            assertThatThrownBy(() -> test.agent("supervisor").generate("Go")).isInstanceOf(RunFailedException.class);

            RunRecord root = test.runtime().runs(RunFilter.ROOTS).getFirst();
            assertTold(test, root.runId());
            assertThat(test.runtime().history(root.runId()))
                    .filteredOn(RunEvent.Error.class::isInstance)
                    .hasSize(2);
        }
    }

    @Test
    void aRunThatACrashCutInTwoIsOneStory() {
        Store store = InMemoryStore.keepingEndedRuns();
        List<RunEvent> heard = new ArrayList<>();
        RunId root;
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(5, 50).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        try (TestRuntime test = crashing(dying)) {
            assertThatThrownBy(() -> test.agent("supervisor").generate("Go")).isInstanceOf(RunFailedException.class);
            root = test.store().list(RunFilter.ROOTS).getFirst().runId();
            heard.addAll(test.events());
        }
        assertThat(store.find(root).orElseThrow().status()).isEqualTo(RunStatus.RUNNING);
        try (TestRuntime test = crashing(store)) {
            RunResult result = test.runtime().resume(root);
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
        Script script = ScriptedModel.script()
                .on("supervisor")
                .answers(request -> request.messages().getLast().toolResults().isEmpty()
                        ? Steps.calling("agent-researcher", "{\"prompt\":\"Find\"}")
                        : Steps.said("Done"))
                .forever()
                .on("researcher")
                .answers(request -> request.messages().getLast().toolResults().isEmpty()
                        ? Steps.calling("ok", "{}")
                        : Steps.said("Found"))
                .forever();
        return TestRuntime.builder(script)
                .store(store)
                .ids(IdSource.secure())
                .agents(Crew.supervisorOf(Crew.member("researcher", Crew.OK)))
                .build();
    }

    @Test
    void aRunThatGoesOnIsToldSoFar() {
        List<Integer> sizes = new ArrayList<>();
        List<TestRuntime> running = new ArrayList<>();
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find")
                .then()
                .says("Done")
                .on("researcher")
                .calls("peek", Map.of())
                .then()
                .says("Found");
        Tool peek = Tool.builder("peek", "Looks at its own run.")
                .input(Crew.ANYTHING)
                .handler((in, context) -> {
                    RunId root = running.getFirst()
                            .runtime()
                            .runs(RunFilter.ROOTS)
                            .getFirst()
                            .runId();
                    List<RunEvent> history = running.getFirst().runtime().history(root);
                    sizes.add(history.size());
                    return history.getLast().type();
                })
                .build();
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.supervisorOf(Crew.member("researcher", peek)))
                .build()) {
            running.add(test);
            RunResult result = test.agent("supervisor").generate("Go");

            List<RunEvent> history = test.runtime().history(result.runId());
            assertThat(sizes.getFirst()).isPositive().isLessThan(history.size());
            assertThat(history)
                    .filteredOn(RunEvent.ToolResult.class::isInstance)
                    .first()
                    .satisfies(event -> assertThat(
                                    ((RunEvent.ToolResult) event).output().string())
                            .contains("tool-call"));
        }
    }

    @Test
    void anUnknownAndANestedRunAreNamed() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find")
                .then()
                .says("Done")
                .on("researcher")
                .says("Found");
        try (TestRuntime test =
                TestRuntime.builder(script).agents(Crew.supervisor()).build()) {
            RunId root = test.agent("supervisor").generate("Go").runId();
            RunId nested = test.runtime().history(root).stream()
                    .map(RunEvent::origin)
                    .map(Origin::runId)
                    .filter(id -> !id.equals(root))
                    .findFirst()
                    .orElseThrow();

            assertThatThrownBy(() -> test.runtime().history(new RunId("run_x")))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.NOT_FOUND));
            assertThatThrownBy(() -> test.runtime().history(nested))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("its root run is " + root);
        }
    }

    @Test
    void iterationsAreToldByDelegationsIfTheAgentIsNotHere() {
        Store store = InMemoryStore.keepingEndedRuns();
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find")
                .then()
                .says("Done")
                .on("researcher")
                .says("Found");
        try (TestRuntime test = TestRuntime.builder(script)
                .store(store)
                .agents(Crew.supervisor())
                .manualClock()
                .build()) {
            RunId root = test.agent("supervisor").generate("Go").runId();
            try (TestRuntime other =
                    TestRuntime.builder(ScriptedModel.script()).store(store).build()) {
                assertThat(Retold.lines(other.runtime().history(root))).isEqualTo(Retold.lines(test.events()));
            }
        }
    }

    private static Agent lead() {
        return Agent.builder("lead").model("none/none").tools(DELETE).build();
    }
}
