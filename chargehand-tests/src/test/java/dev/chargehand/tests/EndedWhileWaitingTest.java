package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run is cancelled while it waits, for its thread or for an answer: its hooks hear of it, once. */
@Timeout(30)
class EndedWhileWaitingTest {

    private static final StopReason CANCELLED = new StopReason.Cancelled("caller");

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();

    /** Tells {@link #heard} of every end, by the name of who has the hooks. */
    private Consumer<RunOptions.Builder> hooks(String name) {
        return o -> o.onAbort(result -> heard.add(name + " " + result.stopReason()))
                .onError(result -> heard.add(name + " failed"))
                .onFinish(result -> heard.add(name + " finished"));
    }

    private String aborted(String name) {
        return name + " " + CANCELLED;
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).model(script.modelFor(id));
    }

    private AgentRuntime runtime(Agent... agents) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.off()) // it is the caller that ends a run
                .providers()
                .agents(agents)
                .build();
    }

    private static Tool delete() {
        return Steps.approvedTool("delete", (in, context) -> "deleted");
    }

    /** A runtime in which one run has the thread {@code t}, until it may end. */
    private TestRuntime withBusyThread() {
        TestRuntime test = Crew.playing(
                store,
                Scripts.on(
                        "lead",
                        Turn.answers(request -> {
                                    Waiting.on(mayEnd);
                                    return Steps.said("Done");
                                })
                                .forever()),
                Agent.builder("lead").model("none/none").build());
        test.agent("lead").stream("First", Crew::inThread);
        return test;
    }

    private static List<RunEvent> cancelled(RunStream run) {
        run.cancel();
        List<RunEvent> events = new ArrayList<>();
        run.forEach(events::add);
        assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
        return events;
    }

    @Test
    void aRunThatWaitsForItsThreadIsHeardOf() {
        try (TestRuntime test = withBusyThread();
                RunStream second = test.agent("lead").stream(
                        "Second", o -> hooks("lead").accept(o.thread("t").resource("u")))) {
            cancelled(second);
            mayEnd.countDown();

            assertThat(heard).containsExactly(aborted("lead"));
        }
    }

    @Test
    void itsHookThatFailsIsToldBeforeTheEnd() {
        try (TestRuntime test = withBusyThread();
                RunStream second = test.agent("lead").stream("Second", o -> o.thread("t")
                        .resource("u")
                        .onAbort(result -> Steps.failing(new IllegalStateException("boom"))))) {
            List<RunEvent> events = cancelled(second);
            mayEnd.countDown();

            assertThatEvents(events).arePaired().endWithRunFinish();
            assertThat(Routed.all(RunEvent.HookError.class, events))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.hook()).isEqualTo("onAbort");
                        assertThat(event.message()).contains("boom");
                    });
        }
    }

    @Test
    void aRunThatWaitsForAnAnswerIsHeardOfByTheHooksItWasGiven() {
        Script script = Scripts.on("lead").calls("delete", Map.of());
        try (AgentRuntime runtime =
                runtime(agent("lead", script).tools(delete()).build())) {
            RunResult waiting = runtime.agent("lead").generate("Go", hooks("lead"));
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(heard).isEmpty();

            assertThat(runtime.cancel(waiting.runId())).isTrue();
            assertThat(runtime.cancel(waiting.runId())).isFalse();

            assertThat(heard).containsExactly(aborted("lead"));
        }
    }

    @Test
    void anotherRuntimeTellsTheHooksThatBelongToTheAgent() {
        Script script = Scripts.on("lead").calls("delete", Map.of());
        Agent lead = agent("lead", script)
                .tools(delete())
                .defaultOptions(hooks("agent"))
                .build();
        try (AgentRuntime one = runtime(lead);
                AgentRuntime other = runtime(lead)) {
            RunResult waiting = one.agent("lead").generate("Go", o -> o.onAbort(result -> heard.add("given")));

            assertThat(other.cancel(waiting.runId())).isTrue();

            assertThat(heard).containsExactly(aborted("agent"));
        }
    }

    @Test
    void aRuntimeWithoutTheAgentCancelsItAllTheSame() {
        Script script = Scripts.on("lead").calls("delete", Map.of());
        try (AgentRuntime one = runtime(agent("lead", script).tools(delete()).build());
                AgentRuntime other = runtime()) {
            RunResult waiting = one.agent("lead").generate("Go", hooks("lead"));

            assertThat(other.cancel(waiting.runId())).isTrue();

            assertThat(one.resume(waiting.runId(), o -> {}).result().stopReason())
                    .isEqualTo(CANCELLED);
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void subAgentsThatWaitAreHeardOfToo() {
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("worker", "Delete")),
                Turns.of("worker", Turn.calls("delete", Map.of())));
        Agent worker = agent("worker", script)
                .tools(delete())
                .defaultOptions(hooks("worker"))
                .build();
        try (AgentRuntime runtime = runtime(agent("lead", script).agents(worker).build())) {
            RunResult waiting = runtime.agent("lead").generate("Go", hooks("lead"));

            assertThat(runtime.cancel(waiting.runId())).isTrue();

            assertThat(heard).containsExactly(aborted("worker"), aborted("lead"));
        }
    }

    @Test
    void aSubAgentThatWaitsIsHeardOfWhenTheRunAboveItIsCancelledAtWork() {
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("worker", "Delete").and(Turn.delegates("sleeper", "Sleep"))),
                Turns.of("worker", Turn.calls("delete", Map.of())),
                Turns.of("sleeper", Turn.of(t -> t.hangs())));
        Agent worker = agent("worker", script)
                .tools(delete())
                .defaultOptions(hooks("worker"))
                .build();
        Agent sleeper =
                agent("sleeper", script).defaultOptions(hooks("sleeper")).build();
        try (AgentRuntime runtime =
                        runtime(agent("lead", script).agents(worker, sleeper).build());
                RunStream run = runtime.agent("lead").stream("Go", hooks("lead"))) {
            Waiting.until("the worker waits for its answer", () -> store.list(RunFilter.ALL).stream()
                    .anyMatch(other -> other.status() == RunStatus.SUSPENDED));
            Waiting.until(
                    "the sleeper has started", () -> store.list(RunFilter.ALL).size() == 3);
            cancelled(run);

            assertThat(heard).containsExactlyInAnyOrder(aborted("worker"), aborted("sleeper"), aborted("lead"));
        }
    }
}
