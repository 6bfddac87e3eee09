package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run is cancelled by another runtime than the one that is at work on it. */
@Timeout(20)
class CancelledElsewhereTest {

    private static final StopReason CANCELLED = new StopReason.Cancelled("caller");

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final CountDownLatch atWork = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Queue<RunEvent> events = new ConcurrentLinkedQueue<>();
    private final Queue<RunResult> aborted = new ConcurrentLinkedQueue<>();

    @Test
    void whoIsAtWorkOnItEndsItAsCancelledWhenItWritesNext() throws Exception {
        Script script = Scripts.on("lead").calls("wait", "{}").then().says("Never said");
        cancelAtWork(agent("lead", script).tools(waiting()));

        assertThat(script.requests()).hasSize(1);
        assertThat(standing()).containsExactly(RunStatus.ABORTED);
    }

    @Test
    void runsBelowItAreCancelledToo() throws Exception {
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("worker", "Wait"), Turn.says("Never said")),
                Turns.of("worker", Turn.calls("wait", "{}"), Turn.says("Never said either")));
        Agent worker = agent("worker", script).tools(waiting()).build();
        cancelAtWork(agent("lead", script).agents(worker));

        assertThat(script.requests()).hasSize(2);
        assertThat(standing()).containsExactly(RunStatus.ABORTED, RunStatus.ABORTED);
    }

    private void cancelAtWork(AgentBuilder builder) throws Exception {
        Agent lead = builder.defaultOptions(o -> o.onAbort(aborted::add)).build();
        try (AgentRuntime one = AgentRuntime.builder()
                        .store(store)
                        .providers()
                        .addListener(events::add)
                        .agents(lead)
                        .build();
                AgentRuntime other = AgentRuntime.builder()
                        .store(store)
                        .providers()
                        .agents(lead)
                        .build()) {
            CompletableFuture<RunResult> run =
                    CompletableFuture.supplyAsync(() -> one.agent("lead").generate("Go"), work -> Thread.ofVirtual()
                            .start(work));
            atWork.await();
            RunRecord root = store.list(RunFilter.ROOTS).getFirst();

            assertThat(other.cancel(root.runId())).isTrue();
            assertThat(other.cancel(root.runId())).isFalse();
            mayEnd.countDown();

            assertThat(run.get().stopReason()).isEqualTo(CANCELLED);
            assertThat(other.resume(root.runId(), o -> {}).result().stopReason())
                    .isEqualTo(CANCELLED);
            assertThat(aborted).as("who is at work on it tells its hooks").hasSize(1);
            assertThat(Routed.all(RunEvent.RunFinish.class, events))
                    .hasSize(standing().size())
                    .allMatch(event -> event.stopReason().equals(CANCELLED));
            assertThat(events).noneMatch(RunEvent.Error.class::isInstance);
        }
    }

    private List<RunStatus> standing() {
        return store.list(RunFilter.ALL).stream().map(RunRecord::status).toList();
    }

    private Tool waiting() {
        return Steps.tool("wait", (in, context) -> {
            atWork.countDown();
            mayEnd.await();
            return "waited";
        });
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }
}
