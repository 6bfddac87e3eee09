package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiCompatibleProviderTest {

    @AutoClose
    private final LoopbackProvider server = LoopbackProvider.start().always(Reply.text("ok"));

    private final Map<String, String> environment = new HashMap<>();

    @Test
    void itIsFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(ModelProvider.class)).hasAtLeastOneElementOfType(OpenAiCompatibleProvider.class);
    }

    @Test
    void keyAndBaseUrlComeFromTheEnvironment() throws InterruptedException {
        environment.put("GROQ_BASE_URL", server.baseUrl());
        environment.put("GROQ_API_KEY", "gsk-1");
        try (OpenAiCompatibleProvider provider = fromEnvironment()) {
            Model model = provider.find("groq/llama").orElseThrow();
            assertThat(model.name()).isEqualTo("groq/llama");
            assertThat(model.secrets()).containsExactly("gsk-1");
            assertThat(model.ask(Loopback.request("Hi"), new Recorder()).text()).isEqualTo("ok");
        }
        assertThat(server.log().getFirst().request().header("Authorization")).contains("Bearer gsk-1");
        assertThat(server.log().getFirst().request().model()).isEqualTo("llama");
    }

    @Test
    void aNameKeepsItsSlashes() throws InterruptedException {
        environment.put("OPENROUTER_BASE_URL", server.baseUrl());
        environment.put("OPENROUTER_API_KEY", "k");
        try (OpenAiCompatibleProvider provider = fromEnvironment()) {
            Model model = provider.find("openrouter/anthropic/claude-x").orElseThrow();
            assertThat(model.name()).isEqualTo("openrouter/anthropic/claude-x");
            model.ask(Loopback.request("Hi"), new Recorder());
        }
        assertThat(server.log().getFirst().request().model()).isEqualTo("anthropic/claude-x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openai",
                "openrouter",
                "groq",
                "together",
                "deepseek",
                "mistral",
                "xai",
                "fireworks",
                "perplexity",
                "cerebras",
                "nvidia"
            })
    void aMissingKeyFailsTheFirstCallAndNamesTheVariable(String name) {
        try (OpenAiCompatibleProvider provider = fromEnvironment()) {
            Model model = provider.find(name + "/m").orElseThrow();
            assertThat(model.secrets()).isEmpty();
            assertThatThrownBy(() -> model.ask(Loopback.request("Hi"), new Recorder()))
                    .isInstanceOfSatisfying(ModelException.class, e -> assertThat(e.kind())
                            .isEqualTo(ModelException.Kind.AUTHENTICATION))
                    .hasMessageContaining("set the environment variable " + name.toUpperCase(Locale.ROOT) + "_API_KEY");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ollama", "lmstudio", "vllm", "llamacpp"})
    void aServerOnThisMachineNeedsNoKey(String name) throws InterruptedException {
        environment.put(name.toUpperCase(Locale.ROOT) + "_BASE_URL", server.baseUrl());
        try (OpenAiCompatibleProvider provider = fromEnvironment()) {
            provider.find(name + "/m").orElseThrow().ask(Loopback.request("Hi"), new Recorder());
        }
        assertThat(server.log().getFirst().request().header("Authorization")).isEmpty();
    }

    @Test
    void providersOfOnesOwnAreAddedAndOverrideKnownOnes() throws InterruptedException {
        environment.put("OPENAI_API_KEY", "not-this");
        environment.put("OPENAI_BASE_URL", "http://not.here/v1");
        try (OpenAiCompatibleProvider provider = OpenAiCompatibleProvider.builder()
                .environment(environment::get)
                .provider("local", server.baseUrl())
                .provider("openai", server.baseUrl(), "this")
                .header("openai", "X-Title", "Tests")
                .build()) {
            assertThat(provider.names()).contains("local", "openai", "ollama");
            provider.find("local/a/b").orElseThrow().ask(Loopback.request("Hi"), new Recorder());
            provider.find("openai/gpt").orElseThrow().ask(Loopback.request("Hi"), new Recorder());
        }
        assertThat(server.log().getFirst().request().model()).isEqualTo("a/b");
        assertThat(server.log().getFirst().request().header("Authorization")).isEmpty();
        assertThat(server.log().getLast().request().header("Authorization")).contains("Bearer this");
        assertThat(server.log().getLast().request().header("X-Title")).contains("Tests");
        assertThat(server.log()).extracting(e -> e.request().connection()).containsOnly(1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody/m", "openai", "openai/", "/m", "", "OpenAI/m"})
    void aNameThatIsNotKnownIsNothing(String name) {
        try (OpenAiCompatibleProvider provider = fromEnvironment()) {
            assertThat(provider.find(name)).isEmpty();
        }
    }

    @Test
    void whatCannotWorkIsRefusedWhenItIsBuilt() {
        assertRefused(OpenAiCompatibleProvider.builder().provider("x", "nowhere"));
        assertThatThrownBy(() -> OpenAiCompatibleProvider.builder().provider("a/b", "http://h/v1"))
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> OpenAiCompatibleProvider.builder()
                        .provider("a", "http://h/v1")
                        .provider("a", "http://i/v1"))
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> OpenAiCompatibleProvider.builder().header("a", "X", "y"))
                .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void modelsOfAClosedProviderSaySo() {
        environment.put("OLLAMA_BASE_URL", server.baseUrl());
        OpenAiCompatibleProvider provider = fromEnvironment();
        Model model = provider.find("ollama/m").orElseThrow();
        provider.close();
        assertThatThrownBy(() -> model.ask(Loopback.request("Hi"), new Recorder()))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("closed");
    }

    @ParameterizedTest
    @CsvSource({"anthropic, langchain4j", "gemini, langchain4j", "bedrock, bedrock"})
    void theDependencyOfAProviderWithItsOwnProtocolIsNamed(String name, String module) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers(OpenAiCompatibleProvider.builder().build())
                .build()) {
            Agent agent =
                    runtime.bind(Agent.builder("a").model(name + "/a-model").build());
            assertThatThrownBy(() -> agent.generate("Hi"))
                    .hasMessageContaining("add the dependency dev.chargehand:chargehand-" + module + ",");
        }
    }

    private static void assertRefused(OpenAiCompatibleProvider.Builder builder) {
        assertThatThrownBy(builder::build).isInstanceOf(ConfigurationException.class);
    }

    private OpenAiCompatibleProvider fromEnvironment() {
        return OpenAiCompatibleProvider.builder().environment(environment::get).build();
    }
}
