package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An agent that was given to a runtime does not run outside of it without a word. */
class GivenAgentsTest {

    private final Agent worker = agent("worker").build();
    private final Agent boss = agent("boss").agents(worker).build();

    @Test
    void aCallOfTheInstanceThatWasGivenFailsAndSaysHow() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> boss.generate("Go"),
                    () -> boss.generate("Go", o -> o.maxSteps(1)),
                    () -> boss.stream("Go"),
                    () -> boss.stream("Go", o -> o.maxSteps(1)))) {
                Steps.assertMisconfigured(call, "runtime.agent(\"boss\")", "runtime.bind(agent)");
            }
            Steps.assertMisconfigured(() -> worker.generate("Go"), "as a sub-agent");
            Steps.assertMisconfigured(
                    () -> runtime.agent("boss").agents().get("worker").generate("Go"));

            assertThat(runtime.agent("boss").generate("Go").text()).isEqualTo("Yes");
            assertThat(runtime.bind(worker).generate("Go").text()).isEqualTo("Yes");
            assertThat(store.list(RunFilter.ALL)).hasSize(2);
        }
        assertThatThrownBy(() -> boss.generate("Go"))
                .as("nor does it when that is closed")
                .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void oneAgentMayBeGivenToSeveralRuntimesAndToNone() {
        assertThat(boss.generate("Go").text()).as("given to none yet").isEqualTo("Yes");
        try (AgentRuntime one = runtime(InMemoryStore.create());
                AgentRuntime other = runtime(InMemoryStore.create())) {
            assertThat(one.agent("boss").generate("Go").text()).isEqualTo("Yes");
            assertThat(other.agent("boss").generate("Go").text()).isEqualTo("Yes");
        }
        assertThat(AgentRuntime.shared().bind(boss).generate("Go").text()).isEqualTo("Yes");
    }

    private AgentRuntime runtime(InMemoryStore store) {
        return AgentRuntime.builder().store(store).providers().agents(boss).build();
    }

    private static AgentBuilder agent(String id) {
        return Agent.builder(id)
                .description(id)
                .instructions("Go.")
                .model(Scripts.on(id).says("Yes").forever().modelFor(id));
    }
}
