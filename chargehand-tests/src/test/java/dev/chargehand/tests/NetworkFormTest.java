package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.version.Version;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An agent as a network: what it can be used for, and what it cannot. */
@SuppressWarnings("deprecation") // networks are what is tested
class NetworkFormTest {

    private static final Agent NETWORK = Crew.RESEARCHER.asNetwork();

    @Test
    void itIsNotAPartOfAnythingElse() {
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> Crew.supervisorOf(NETWORK),
                () -> AgentRuntime.builder().agents(NETWORK).build().close(),
                () -> assertThat(NETWORK.asStep("find", String.class, (input, context) -> input))
                        .isNotNull())) {
            assertThatThrownBy(use)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'researcher' is given as a network")
                    .hasMessageContaining("Pass the agent itself");
        }
        assertThat(NETWORK).hasToString("Network[researcher]");
    }

    @Test
    void itHasNoUntilIdleCalls() {
        try (TestRuntime test = Crew.playing(Scripts.on("solo"), Crew.solo())) {
            assertThatThrownBy(() -> test.agent("solo").asNetwork().streamUntilIdle("Go", o -> {}))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("a network starts none");
        }
    }

    @Test
    void itStaysANetworkWithOtherModelsAndInAnotherVersion() {
        Agent first = versioned("1", "Not this one.");
        Agent second = versioned("2", "Hello.");
        try (AgentRuntime runtime = AgentRuntime.builder().agents(first, second).build()) {
            try (RunStream run =
                    runtime.agent("lead").asNetwork().stream("Go", o -> o.version("lead", Version.id("2")))) {
                assertThat(run).extracting(event -> event.type()).contains("routing-agent-end");
                assertThat(run.result().text()).isEqualTo("Hello.");
            }
            Agent other = runtime.agent("lead").asNetwork().withModels(id -> Optional.of(says("Other.")));
            assertThat(other.start("Go").result().text()).isEqualTo("Other.");
        }
    }

    @Test
    void anAgentThatWasGivenToARuntimeIsNotRunElsewhereAsANetworkEither() {
        Agent lead = versioned("1", "Hello.");
        Agent before = lead.asNetwork();
        try (AgentRuntime runtime = AgentRuntime.builder().agents(lead).build()) {
            assertThatThrownBy(() -> before.generate("Go"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("was given to a runtime");
            assertThat(runtime.bind(before).generate("Go").text()).isEqualTo("Hello.");
            assertThat(before.withTools(tool -> tool).generate("Go").text())
                    .as("a copy, as of the agent itself, was not given to it")
                    .isEqualTo("Hello.");
        }
    }

    private static ModelChoice says(String text) {
        return ModelChoice.of(
                Scripts.on("lead", Turn.says(Routed.none(text)).forever()).modelFor("lead"));
    }

    private static Agent versioned(String version, String answer) {
        return Crew.agent("lead", agent -> agent.version(version)
                .model(Scripts.on("lead", Turn.says(Routed.none(answer)).forever())
                        .modelFor("lead")));
    }
}
