package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Until;
import dev.chargehand.Wakeups;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Networks whose caller has a handle, in this process and in others. */
@Timeout(120)
@SuppressWarnings("deprecation") // networks are what is tested
class NetworkHandleTest extends ApprovalFixture {

    private final Store store = open();
    private final Queue<String> prompts = new ConcurrentLinkedQueue<>();
    private final CountDownLatch asked = new CountDownLatch(1);

    /** What the router does in each of its turns: it decides, and is asked afterwards whether the task is done. */
    private volatile String decision = Routed.agent("writer", "Write");

    private volatile Runnable whileRouting = () -> {};

    /** Opens the store of a test, which runtimes do not close. */
    Store open() {
        return InMemoryStore.keepingEndedRuns();
    }

    private final class Routing implements Model {

        @Override
        public String name() {
            return "test/routing";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            prompts.add(request.messages().getLast().text());
            asked.countDown();
            if (request.output() != null && request.output().json().text().contains("isComplete")) {
                return Steps.said(Routed.complete("ok", ""));
            }
            whileRouting.run();
            return Steps.said(decision);
        }
    }

    private AgentRuntime runtime(Wakeups wakeups) {
        Agent writer = Crew.member(
                "writer",
                agent -> agent.model(new Model() {
                    @Override
                    public String name() {
                        return "test/writing";
                    }

                    @Override
                    public ModelResponse ask(ModelRequest request, ModelCall call) {
                        return Steps.said("A text.");
                    }
                }));
        Agent router = Crew.agent(
                "router", agent -> agent.model(new Routing()).agents(writer).tools(delete()));
        return AgentRuntime.builder()
                .store(store)
                .agents(router)
                .wakeups(wakeups)
                .anyoneMayApprove()
                .build();
    }

    private static Agent network(TenantRuntime runtime) {
        return runtime.agent("router").asNetwork();
    }

    private static RunId submit(TenantRuntime runtime) {
        return runtime.submit(network(runtime), List.of(Message.user("Go")), o -> o.thread("t")
                .resource("u"));
    }

    private static List<RunEvent> read(AgentRuntime runtime, RunId run) {
        List<RunEvent> events = new ArrayList<>();
        try (RunWatch watch = runtime.watch(run, null)) {
            watch.forEach(events::add);
        }
        return events;
    }

    private static List<EventId> ids(List<RunEvent> events) {
        return events.stream().flatMap(event -> event.origin().id().stream()).toList();
    }

    @Test
    void aStartedNetworkIsWatchedFromItsFirstEventHereAndInAnotherProcess() {
        try (AgentRuntime runtime = runtime(Wakeups.off());
                AgentRuntime other = runtime(Wakeups.off())) {
            RunHandle run = network(runtime).start("Go", o -> o.thread("t").resource("u"));
            assertThat(run.result().text()).isEqualTo("A text.");

            List<RunEvent> here = read(runtime, run.runId());
            assertThat(Routed.types(here))
                    .startsWith("run-start", "routing-agent-start")
                    .containsSubsequence(
                            "routing-agent-end",
                            "agent-execution-start",
                            "agent-execution-end",
                            "network-execution-event-step-finish",
                            "network-execution-event-finish")
                    .endsWith("run-finish");
            assertThat(ids(read(other, run.runId()))).isEqualTo(ids(here)).isNotEmpty();
            assertThat(other.handle(run.runId()).result().text()).isEqualTo("A text.");
        }
    }

    @Test
    void aReaderThatLeavesDoesNotEndTheNetworkAndItsCursorContinues() {
        CountDownLatch mayDecide = new CountDownLatch(1);
        whileRouting = () -> Waiting.on(mayDecide);
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            RunHandle run = network(runtime).start("Go");
            List<EventId> read = new ArrayList<>();
            Optional<Cursor> after;
            try (RunWatch watch = run.events()) {
                watch.iterator().next().origin().id().ifPresent(read::add);
                after = watch.cursor();
            }
            mayDecide.countDown();
            assertThat(run.result()).hasStatus(RunStatus.COMPLETED);

            try (RunWatch rest = runtime.watch(run.runId(), after.orElseThrow())) {
                rest.forEach(event -> event.origin().id().ifPresent(read::add));
            }
            assertThat(read).isEqualTo(ids(runtime.history(run.runId())));
        }
    }

    @Test
    void aKeyFindsTheNetworkInAnyProcessAndNoRunOfTheAgent() {
        try (AgentRuntime runtime = runtime(Wakeups.off());
                AgentRuntime other = runtime(Wakeups.off())) {
            RunHandle first = network(runtime).start("Go", o -> o.idempotencyKey("key"));
            assertThat(first.isRepeated()).isFalse();
            RunHandle again = network(other).start("Go", o -> o.idempotencyKey("key"));
            assertThat(again.runId()).isEqualTo(first.runId());
            assertThat(again.isRepeated()).isTrue();
            assertThat(again.result().text()).isEqualTo("A text.");
            assertThatThrownBy(() -> network(other).start("Stop", o -> o.idempotencyKey("key")))
                    .isInstanceOf(IdempotencyKeyException.class);

            decision = "Hello.";
            RunHandle ordinary = other.agent("router").start("Go", o -> o.idempotencyKey("key"));
            assertThat(ordinary.runId()).isNotEqualTo(first.runId());
            assertThat(ordinary.result().text()).isEqualTo("Hello.");
            assertThat(other.runs(RunFilter.ROOTS)).hasSize(2);
        }
    }

    @Test
    void aSubmittedNetworkIsExecutedByAnotherProcess() {
        try (AgentRuntime web = runtime(Wakeups.off())) {
            RunId run = submit(web);
            assertThat(web.handle(run).status()).isEqualTo(RunStatus.PENDING);
            assertThat(prompts).isEmpty();
            try (AgentRuntime worker = runtime(Wakeups.all())) {
                RunResult result = web.handle(run).result();
                assertThat(result).stoppedBecause(new StopReason.TaskComplete()).hasText("A text.");
                assertThat(Routed.types(worker.history(run))).contains("network-execution-event-finish");
            }
        }
    }

    @Test
    void aNetworkIsCancelledBeforeItStartsAndWhileItsRouterDecides() {
        CountDownLatch never = new CountDownLatch(1);
        whileRouting = () -> Waiting.on(never);
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            RunId pending = submit(runtime);
            assertThat(runtime.cancel(pending)).isTrue();
            assertThat(runtime.handle(pending).status()).isEqualTo(RunStatus.ABORTED);

            RunHandle running = network(runtime).start("Go");
            Waiting.on(asked);
            assertThat(runtime.cancel(running.runId())).isTrue();
            assertThat(running.result()).stoppedBecause(new StopReason.Cancelled("caller"));
            never.countDown();
            assertThat(prompts).hasSize(1);
            assertThat(Routed.types(runtime.history(running.runId()))).endsWith("abort", "run-finish");
        }
    }

    @Test
    void aReleasedNetworkContinuesInAnotherProcess() {
        try (AgentRuntime first = runtime(Wakeups.off());
                AgentRuntime second = runtime(Wakeups.off())) {
            RunId run = submit(first);
            assertThat(first.advance(run, Until.when(() -> !prompts.isEmpty())))
                    .isInstanceOf(Until.Advanced.Released.class);
            int before = prompts.size();
            RunResult result = second.resume(run, o -> {}).result();
            assertThat(result).hasText("A text.");
            assertThat(prompts.size()).isGreaterThanOrEqualTo(before);
            assertThat(Routed.types(second.history(run))).endsWith("network-execution-event-finish", "run-finish");
        }
    }

    @Test
    void aSubmittedNetworkThatWaitsForAnApprovalIsAnsweredInAnotherProcess() {
        decision = Routed.tool("deleteRecord", "{\"id\":\"r1\"}");
        try (AgentRuntime web = runtime(Wakeups.off());
                AgentRuntime worker = runtime(Wakeups.off())) {
            RunId run = submit(web);
            RunResult waiting = worker.resume(run, o -> {}).result();
            assertThat(waiting).hasStatus(RunStatus.SUSPENDED);
            assertThat(deleted).isEmpty();

            RunHandle handle = web.handle(run);
            assertThat(web.approve(handle.pendingApprovals().getFirst(), ANN).result())
                    .hasStatus(RunStatus.COMPLETED);
            assertThat(deleted).containsExactly("r1");
            assertThat(Routed.types(web.history(run)))
                    .containsSubsequence(
                            "tool-execution-event-tool-call-approval",
                            "run-suspend",
                            "run-resume",
                            "tool-execution-event-tool-call-answered",
                            "tool-execution-end",
                            "network-execution-event-finish");
            assertThat(Map.of("status", handle.status())).containsValue(RunStatus.COMPLETED);
        }
    }
}
