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
import dev.chargehand.error.ConfigurationException;
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

            Retold.assertTold(test, result.runId());
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
            Retold.assertTold(test, result.runId());
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
    void scoresFeedbackAndRetriesAreTold() {
        Script script = ScriptedModel.script()
                .on("solo")
                .failsWith(new ModelException(ModelException.Kind.OVERLOADED, "busy", null))
                .then()
                .says("Draft")
                .then()
                .says("Final");
        Completion completion = Completion.all(Scorer.of(
                "final", context -> context.text().equals("Final") ? Score.pass() : Score.fail("It is a draft.")));
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
            Retold.assertTold(test, root.runId());
            assertThat(test.runtime().history(root.runId()))
                    .filteredOn(RunEvent.Error.class::isInstance)
                    .hasSize(2);
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
}
