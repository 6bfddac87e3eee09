package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.langchain4j.LangChain4jProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys from a place of one's own, and a provider behind a gateway; see docs/providers.md. */
class KeysOfYourOwnTest {

    /** Where the keys are. */
    interface Vault {
        String read(String name);
    }

    private static AgentRuntime runtime(Vault vault) {
        AgentRuntime runtime = AgentRuntime.builder()
                .providers(LangChain4jProvider.builder()
                        .key("anthropic", () -> vault.read("anthropic"))
                        .baseUrl("anthropic", "https://gateway.example.org/anthropic/v1")
                        .build())
                .build();
        return runtime;
    }

    @Test
    void theKeyIsAskedForWhenItIsNeeded() {
        List<String> read = new ArrayList<>();
        try (AgentRuntime runtime = runtime(name -> {
            read.add(name);
            return "";
        })) {
            Agent agent = runtime.bind(
                    Agent.builder("writer").model("anthropic/claude-sonnet-4-5").build());
            assertThat(read).isEmpty();

            assertThatThrownBy(() -> agent.generate("Hi")).hasMessageContaining("there is no key");

            assertThat(read).containsOnly("anthropic");
        }
    }
}
