package dev.chargehand.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.model.WireAnswer;
import dev.chargehand.testkit.provider.LoopbackProvider;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LangChain4jProviderTest {

    private static LangChain4jProvider provider(Map<String, String> environment) {
        return LangChain4jProvider.builder().environment(environment::get).build();
    }

    private static String ask(LangChain4jProvider provider, String model) {
        try (AgentRuntime runtime = AgentRuntime.builder().providers(provider).build()) {
            return runtime.bind(Agent.builder("a").model(model).build())
                    .generate("Hi")
                    .text();
        }
    }

    @Test
    void itIsFoundOnTheClassPathAndGoesBeforeThoseThatShareAProtocol() {
        assertThat(ServiceLoader.load(ModelProvider.class))
                .filteredOn(ModelProvider::isNative)
                .hasOnlyElementsOfType(LangChain4jProvider.class)
                .hasSize(1);
        assertThat(provider(Map.of()).names()).containsExactly("anthropic", "gemini", "ollama");
    }

    @Test
    void keyAndBaseUrlComeFromTheEnvironment() {
        try (LoopbackProvider server = LoopbackProvider.start()) {
            server.enqueue(ModelWire.anthropic().reply(WireAnswer.text("ok")));
            String text = ask(
                    provider(Map.of("ANTHROPIC_BASE_URL", server.baseUrl() + "/", "ANTHROPIC_API_KEY", " k \n")),
                    "anthropic/claude-sonnet-4-5");
            assertThat(text).isEqualTo("ok");
            assertThat(server.log().getFirst().request().header("x-api-key")).contains("k");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/v1", "/v1/", "/api"})
    void ollamaIsFoundByItsAddressAndAlsoByThatOfItsCompatibleApi(String path) {
        try (LoopbackProvider server = LoopbackProvider.start()) {
            server.enqueue(ModelWire.ollama().reply(WireAnswer.text("ok")));
            String address = "http://127.0.0.1:" + server.port() + path;
            assertThat(ask(provider(Map.of("OLLAMA_BASE_URL", address)), "ollama/qwen3:8b"))
                    .isEqualTo("ok");
            assertThat(server.log().getFirst().request().header("Authorization"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "gemini"})
    void aMissingKeyFailsTheFirstCallAndNamesTheVariable(String name) {
        assertThatThrownBy(() -> ask(provider(Map.of()), name + "/m"))
                .hasMessageContaining(name.toUpperCase(java.util.Locale.ROOT) + "_API_KEY");
        assertThat(provider(Map.of()).keyVariable(name)).contains(name.toUpperCase(java.util.Locale.ROOT) + "_API_KEY");
    }

    @Test
    void aKeyThatCannotBeSentIsRefusedWithoutBeingShown() {
        assertThatThrownBy(() -> ask(provider(Map.of("GEMINI_API_KEY", "kéy")), "gemini/m"))
                .hasMessageContaining("characters that cannot be sent")
                .hasMessageNotContaining("kéy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai/m", "anthropic/", "/m", "anthropic", "", "mistral/m"})
    void aNameThatIsNotKnownIsNothing(String name) {
        assertThat(provider(Map.of()).find(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gemini/../../x", "gemini/a b", "gemini/a?b", "ollama/ä"})
    void aNameThatIsNoModelsIsRefused(String name) {
        assertThatThrownBy(() -> provider(Map.of()).find(name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name);
    }

    @Test
    void whatCannotWorkIsRefusedWhenItIsBuilt() {
        assertThatThrownBy(() -> LangChain4jProvider.builder()
                        .baseUrl("anthropic", "ftp://x")
                        .build())
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> LangChain4jProvider.builder().key("openai", "k"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("anthropic, gemini, ollama");
    }

    @Test
    void modelsOfAClosedProviderSaySo() {
        LangChain4jProvider provider = provider(Map.of("OLLAMA_BASE_URL", "http://127.0.0.1:9"));
        var model = provider.find("ollama/m").orElseThrow();
        provider.close();
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            Agent agent = runtime.bind(Agent.builder("a").model(model).build());
            assertThatThrownBy(() -> agent.generate("Hi"))
                    .hasRootCauseInstanceOf(ModelException.class)
                    .hasMessageContaining("its provider was closed");
        }
    }
}
