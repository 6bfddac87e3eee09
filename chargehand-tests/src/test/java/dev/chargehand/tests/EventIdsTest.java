package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ids of events: the same live, in the history and in every process, and in the order of the tree. */
class EventIdsTest {

    /** A tool call and two delegations, side by side. */
    private static Script sideBySide() {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Find")
                                .and(Turn.calls("ok", Map.of()))
                                .and(Turn.delegates("writer", "Write")),
                        Turn.says("Done")),
                Turns.of("researcher", Turn.calls("ok", Map.of()), Turn.says("Found")),
                Turns.saying("writer", "Written"));
    }

    @TempDir
    private Path directory;

    @Test
    void theIdsOfAnotherProcessAreThoseThatWereHeard() {
        List<RunEvent> heard;
        RunResult result;
        Agent supervisor = Crew.supervisorOf(Crew.member("researcher", Crew.OK), Crew.OK);
        Path file = directory.resolve("runs.db");
        try (TestRuntime test = Crew.playing(JdbcStore.sqlite(file), sideBySide(), supervisor)) {
            result = test.agent("supervisor").generate("Go");
            heard = test.events();
        }
        try (TestRuntime other = Crew.playing(JdbcStore.sqlite(file), sideBySide(), supervisor)) {
            List<RunEvent> history = other.runtime().history(result.runId());
            assertThat(stored(history)).isEqualTo(stored(heard)).isNotEmpty();
            assertThatEvents(heard).haveGrowingIds().arePaired().endWithRunFinish();
        }
    }

    @Test
    void theCallsOfAnAnswerHaveIdsOfTheirOwn() {
        try (TestRuntime test =
                Crew.playing(sideBySide(), Crew.supervisorOf(Crew.member("researcher", Crew.OK), Crew.OK))) {
            test.agent("supervisor").generate("Go");

            List<EventId> calls = Routed.all(RunEvent.ToolCall.class, test.events()).stream()
                    .filter(call -> call.path().depth() == 1)
                    .map(call -> call.origin().id().orElseThrow())
                    .toList();
            assertThat(calls).extracting(EventId::position).containsOnly(2L);
            assertThat(calls).extracting(EventId::slot).containsExactly(1_000, 1_001, 1_002);
            assertThat(test.events().getFirst().toJson().text()).contains("\"id\":\"1.10\"");
            assertThat(Routed.all(RunEvent.TextDelta.class, test.events()))
                    .allSatisfy(delta -> assertThat(delta.toJson().text()).doesNotContain("\"id\":"));
        }
    }

    @Test
    void whatASlowHookHoldsUpIsHeardInTheOrderOfTheTreeAndHoldsUpNoOtherRun() {
        CountDownLatch written = new CountDownLatch(1);
        Agent researcher = Crew.member(
                "researcher", agent -> agent.tools(Crew.OK).defaultOptions(o -> o.onFinish(end -> await(written))));
        Agent writer = Crew.member(
                "writer", agent -> agent.tools(Crew.OK).defaultOptions(o -> o.onFinish(end -> written.countDown())));
        Agent supervisor = Crew.agent(
                "supervisor", agent -> agent.agents(researcher, writer).tools(Crew.OK));
        try (TestRuntime test = Crew.playing(sideBySide(), supervisor)) {
            RunResult result = test.agent("supervisor").generate("Go");

            assertThat(result.text()).isEqualTo("Done");
            assertThatEvents(test.events()).haveGrowingIds().arePaired().endWithRunFinish();
            assertThat(stored(test.runtime().history(result.runId()))).isEqualTo(stored(test.events()));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> stored(List<RunEvent> events) {
        List<String> stored = new ArrayList<>();
        for (RunEvent event : events) {
            event.origin().id().ifPresent(id -> stored.add(id + " " + event.runId() + " " + event.type()));
        }
        return stored;
    }
}
