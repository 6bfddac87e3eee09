package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs below one that was ended, when whoever ended it could not end them too. */
@Timeout(20)
class LeftBelowTest {

    private final FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());

    record Delete(String id) {}

    @Test
    void theNextRecoveryEndsThemForTheSameReason() {
        try (AgentRuntime runtime = runtime(store)) {
            RunResult waiting = runtime.agent("supervisor").generate("Go");
            cancelTheRootOnly(runtime, waiting);

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
        try (AgentRuntime runtime = runtime(store);
                AgentRuntime other = runtime(store)) {
            cancelTheRootOnly(runtime, runtime.agent("supervisor").generate("Go"));

            assertThat(other.recover().runIds()).isEmpty();

            assertThat(standing()).containsExactly(RunStatus.SUSPENDED, RunStatus.SUSPENDED, RunStatus.ABORTED);
        }
    }

    private void cancelTheRootOnly(AgentRuntime runtime, RunResult waiting) {
        store.failOn(Operation.APPEND, store.count(Operation.APPEND) + 2);
        assertThat(runtime.cancel(waiting.runId())).isTrue();
        assertThat(standing()).containsExactly(RunStatus.SUSPENDED, RunStatus.SUSPENDED, RunStatus.ABORTED);
    }

    /** Returns how the runs stand, the deepest first. */
    private List<RunStatus> standing() {
        return store.list(RunFilter.ALL).stream().map(RunRecord::status).toList();
    }

    private static AgentRuntime runtime(Store store) {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("lead", "Delete r1")
                .on("lead")
                .delegates("researcher", "Delete r1")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"));
        Tool delete = Tool.builder("deleteRecord", "Deletes a record.")
                .input(Delete.class)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
        Agent researcher = agent("researcher", script).tools(delete).build();
        Agent lead = agent("lead", script).agents(researcher).build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .agents(agent("supervisor", script).agents(lead).build())
                .build();
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }
}
