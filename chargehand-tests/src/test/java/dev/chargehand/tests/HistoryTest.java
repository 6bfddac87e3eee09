package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
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
import org.junit.jupiter.api.Test;

/** What stored facts tell of a run is what a listener heard of it. */
class HistoryTest {

    @Test
    void aDelegationStandsBetweenItsCallAndTheCallsResult() {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.says("I look.").and(Turn.calls("look", Map.of("q", "x"))),
                        Turn.delegates("researcher", "Find"),
                        Turn.delegates("writer", "Write"),
                        Turn.says("Done")),
                Turns.of("researcher", Turn.calls("ok", Map.of()), Turn.says("Found")),
                Turns.saying("writer", "Written"));
        Agent supervisor = Crew.supervisorOf(Crew.member("researcher", Crew.OK), Crew.LOOK);
        try (TestRuntime test =
                TestRuntime.builder(script).agents(supervisor).manualClock().build()) {
            RunResult result = test.agent("supervisor").generate("Go", o -> o.thread("t"));

            Retold.assertTold(test, result.runId());
            assertThatEvents(test.runtime().history(result.runId())).arePaired().endWithRunFinish();
        }
    }

    @Test
    void delegationsSideBySideStandBetweenTheirOwnCalls() {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Find")
                                .and(Turn.calls("ok", Map.of()))
                                .and(Turn.delegates("writer", "Write")),
                        Turn.says("Done")),
                Turns.of("researcher", Turn.calls("ok", Map.of()), Turn.says("Found")),
                Turns.saying("writer", "Written"));
        Agent supervisor = Crew.supervisorOf(Crew.member("researcher", Crew.OK), Crew.OK);
        try (TestRuntime test = TestRuntime.builder(script).agents(supervisor).build()) {
            RunResult result = test.agent("supervisor").generate("Go");

            List<RunEvent> history = test.runtime().history(result.runId());
            Retold.assertEachRunAlike(test.events(), history);
            assertThatEvents(history).arePaired().endWithRunFinish();
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
        Script script =
                Scripts.on("solo", Turn.calls("wait", Map.of()), Turn.calls("wait", Map.of()), Turn.says("Done"));
        List<TestRuntime> running = new ArrayList<>();
        Tool wait = Steps.tool("wait", (in, context) -> {
            running.getFirst().clock().advance(Duration.ofSeconds(calls.incrementAndGet() * 10L));
            return "waited";
        });
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.solo(wait))
                .manualClock()
                .build()) {
            running.add(test);
            Instant start = test.clock().now();
            RunResult result = test.agent("solo").generate("Go");
            test.clock().advance(Duration.ofDays(3));

            List<RunEvent> history = test.runtime().history(result.runId());
            Retold.assertTold(test, result.runId());
            assertThat(Routed.all(RunEvent.ToolResult.class, history))
                    .extracting(event -> Duration.between(start, event.time()).toSeconds())
                    .containsExactly(10L, 30L);
            assertThat(Routed.all(RunEvent.StepStart.class, history))
                    .extracting(event -> Duration.between(start, event.time()).toSeconds())
                    .containsExactly(0L, 10L, 30L);
            assertThat(history.getLast().time()).isEqualTo(start.plusSeconds(30));
        }
    }

    @Test
    void scoresFeedbackAndRetriesAreTold() {
        Script script = Scripts.on(
                "solo",
                Turn.failsWith(new ModelException(ModelException.Kind.OVERLOADED, "busy", null)),
                Turn.says("Draft"),
                Turn.says("Final"));
        Completion completion = Completion.all(Scorer.of(
                "final", context -> context.text().equals("Final") ? Score.pass() : Score.fail("It is a draft.")));
        try (TestRuntime test = TestRuntime.builder(script).agents(Crew.solo()).build()) {
            RunResult result = test.agent("solo").generate("Go", o -> o.completion(completion));

            List<RunEvent> history = test.runtime().history(result.runId());
            Retold.assertEachRunAlike(test.events(), history);
            assertThat(Routed.all(RunEvent.UsageReport.class, history))
                    .extracting(event -> event.attempts())
                    .containsExactly(2, 1);
            assertThat(Routed.all(RunEvent.ScoringComplete.class, history))
                    .extracting(event -> event.complete())
                    .containsExactly(false, true);
        }
    }

    @Test
    void aFailedRunSaysWhy() {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Find"),
                        Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "no key", null))),
                Turns.of(
                        "researcher",
                        Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "no key", null))));
        try (TestRuntime test = TestRuntime.builder(script)
                .agents(Crew.supervisor())
                .manualClock()
                .build()) {
            assertThatThrownBy(() -> test.agent("supervisor").generate("Go")).isInstanceOf(RunFailedException.class);

            RunRecord root = test.runtime().runs(RunFilter.ROOTS).getFirst();
            Retold.assertTold(test, root.runId());
            assertThat(test.runtime().history(root.runId()))
                    .filteredOn(RunEvent.Error.class::isInstance)
                    .hasSize(2);
        }
    }

    @Test
    void anUnknownAndANestedRunAreNamed() {
        Script script = Scripts.oneDelegation();
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
            Steps.assertMisconfigured(() -> test.runtime().history(nested), "its root run is " + root);
        }
    }

    @Test
    void iterationsAreToldByDelegationsIfTheAgentIsNotHere() {
        Store store = InMemoryStore.keepingEndedRuns();
        Script script = Scripts.oneDelegation();
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
}
