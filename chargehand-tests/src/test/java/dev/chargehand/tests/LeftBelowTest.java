package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nested runs of a run that was ended: they end in the same transaction. An earlier version ended them later, so that a
 * store may have some that were left.
 */
@Timeout(20)
class LeftBelowTest {

    private final FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());

    /** Ends a run without its nested runs, as an earlier version did that died in between. */
    private final Store earlier = new ForwardingStore(store) {
        @Override
        public Appended append(List<Append> appends) {
            return super.append(List.of(appends.getLast()));
        }
    };

    record Delete(String id) {}

    @Test
    void theWholeTreeEndsOrNothingOfIt() {
        try (AgentRuntime runtime = runtime(store)) {
            RunResult waiting = runtime.agent("supervisor").generate("Go");
            int before = store.count(Operation.APPEND);
            store.failOn(Operation.APPEND, before + 1);
            assertThatThrownBy(() -> runtime.cancel(waiting.runId())).isInstanceOf(StoreException.class);
            assertThat(standing()).containsExactly(RunStatus.SUSPENDED, RunStatus.SUSPENDED, RunStatus.SUSPENDED);

            assertThat(runtime.cancel(waiting.runId())).isTrue();

            assertThat(standing()).containsExactly(RunStatus.ABORTED, RunStatus.ABORTED, RunStatus.ABORTED);
            assertThat(store.count(Operation.APPEND)).isEqualTo(before + 2);
            List<TreeFact> ends = store.readTree(waiting.runId(), 0, 1000).stream()
                    .filter(fact -> fact.entry().type().equals("stopped")
                            || fact.entry().type().equals("call-closed"))
                    .toList();
            assertThat(ends)
                    .extracting(fact -> fact.entry().type())
                    .containsExactly("call-closed", "stopped", "call-closed", "stopped", "call-closed", "stopped");
            assertThat(ends.getLast().runId()).isEqualTo(waiting.runId());
        }
    }

    @Test
    void theNextRecoveryEndsThemForTheSameReason() {
        RunResult waiting;
        try (AgentRuntime runtime = runtime(earlier)) {
            waiting = runtime.agent("supervisor").generate("Go");
            cancelTheRootOnly(runtime, waiting);
        }
        try (AgentRuntime runtime = runtime(store)) {
            assertThat(runtime.recover().runIds()).isEmpty();

            assertThat(standing()).containsExactly(RunStatus.ABORTED, RunStatus.ABORTED, RunStatus.ABORTED);
            assertThat(runtime.history(waiting.runId()))
                    .filteredOn(RunEvent.RunFinish.class::isInstance)
                    .hasSize(3);
            assertThat(store.list(RunFilter.ALL.leftBelow(true))).isEmpty();
        }
    }

    @Test
    void theyAreLeftToAnOwnerThatIsAlive() {
        try (AgentRuntime runtime = runtime(earlier);
                AgentRuntime other = runtime(store)) {
            cancelTheRootOnly(runtime, runtime.agent("supervisor").generate("Go"));

            assertThat(other.recover().runIds()).isEmpty();

            assertThat(standing()).containsExactly(RunStatus.SUSPENDED, RunStatus.SUSPENDED, RunStatus.ABORTED);
        }
    }

    /** The process is gone when its store takes nothing any more. */
    @Test
    void aSubAgentThatWaitsWhileASiblingBailsIsEndedWheneverTheProcessDies() {
        int appends = 0;
        for (int gone = 2; gone <= Math.max(appends, 3); gone++) {
            InMemoryStore whole = InMemoryStore.keepingEndedRuns();
            FaultyStore dying = FaultyStore.over(whole);
            for (int nth = gone; gone > 2 && nth < gone + 100; nth++) {
                dying.failOn(Operation.APPEND, nth);
            }
            bailWhileASiblingWaits(dying);
            appends = Math.max(appends, dying.count(Operation.APPEND));
            try (AgentRuntime runtime = bailing(whole)) {
                RunResult result = runtime.resume(
                                whole.list(RunFilter.ROOTS).getFirst().runId(), o -> {})
                        .result();
                assertThat(result.text()).as("gone before append %s", gone).isEqualTo("The answer");
            }
            assertThat(whole.list(RunFilter.ALL))
                    .as("gone before append %s", gone)
                    .hasSize(3)
                    .allMatch(run -> run.status().isEnded());
        }
        assertThat(appends).isGreaterThan(8);
    }

    private static void bailWhileASiblingWaits(Store store) {
        try (AgentRuntime runtime = bailing(store)) {
            runtime.agent("supervisor").generate("Go");
        } catch (RunFailedException e) {
            assertThat(e.code()).startsWith("store");
        }
    }

    /** Models that are functions of the conversation, so that they go on after a crash. */
    private static AgentRuntime bailing(Store store) {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.answers(request -> calls("agent-researcher", "agent-writer"))
                                .forever()),
                Turns.of(
                        "researcher",
                        Turn.answers(request -> calls("deleteRecord")).forever()),
                Turns.of(
                        "writer",
                        Turn.answers(request -> ModelResponse.text("The answer", Usage.NONE))
                                .forever()));
        Agent researcher = agent("researcher", script).tools(delete()).build();
        Agent writer = agent("writer", script).build();
        Agent supervisor = agent("supervisor", script)
                .agents(researcher, writer)
                .defaultOptions(o -> o.toolCallConcurrency(1)
                        .bailStrategy(BailStrategy.LAST)
                        .onDelegationComplete(d -> d.key().equals("writer") ? d.bail() : d.accept()))
                .build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .agents(supervisor)
                .build();
    }

    private static ModelResponse calls(String... tools) {
        List<RequestedCall> calls = Stream.of(tools)
                .map(tool -> new RequestedCall("c-" + tool, tool, "{\"id\":\"r1\",\"prompt\":\"Do it\"}"))
                .toList();
        return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, Usage.NONE);
    }

    private void cancelTheRootOnly(AgentRuntime runtime, RunResult waiting) {
        assertThat(runtime.cancel(waiting.runId())).isTrue();
        assertThat(standing()).containsExactly(RunStatus.SUSPENDED, RunStatus.SUSPENDED, RunStatus.ABORTED);
    }

    /** Returns how the runs stand, the deepest first. */
    private List<RunStatus> standing() {
        return store.list(RunFilter.ALL).stream().map(RunRecord::status).toList();
    }

    private static AgentRuntime runtime(Store store) {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("lead", "Delete r1")),
                Turns.of("lead", Turn.delegates("researcher", "Delete r1")),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r1"))));
        Agent researcher = agent("researcher", script).tools(delete()).build();
        Agent lead = agent("lead", script).agents(researcher).build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .agents(agent("supervisor", script).agents(lead).build())
                .build();
    }

    private static Tool delete() {
        return Tool.builder("deleteRecord", "Deletes a record.")
                .input(Delete.class)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }
}
