package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.EmbeddingRequest.Kind;
import dev.chargehand.model.Embeddings;
import dev.chargehand.model.HashedWords;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class OpenAiEmbeddingsTest {

    @AutoClose
    private final LoopbackEmbeddings wire = new LoopbackEmbeddings();

    @Test
    void textsAreEmbeddedInTheirOrder() throws InterruptedException {
        assertThat(wire.model.dimensions()).isEmpty();
        Embeddings embeddings = wire.embed("one", "zwei \"\n\\ 🙂", "三");
        assertThat(embeddings.vectors())
                .containsExactly(
                        HashedWords.vector("one"), HashedWords.vector("zwei \"\n\\ 🙂"), HashedWords.vector("三"));
        assertThat(embeddings.usage()).isEqualTo(Usage.of(10, 0));
        assertThat(wire.model.dimensions()).hasValue(HashedWords.DIMENSIONS);
        assertThat(wire.model.symmetric()).isTrue();
        assertThat(wire.model.secrets()).containsExactly(Loopback.KEY);
        wire.provider.verify();
    }

    @Test
    void theRequestIsWhatTheProtocolSays() throws InterruptedException {
        wire.embed("one", "two");
        ReceivedRequest request = wire.provider.log().getFirst().request();
        assertThat(request.path()).isEqualTo("/v1/embeddings");
        assertThat(request.body())
                .isEqualTo("{\"model\":\"e\",\"input\":[\"one\",\"two\"],\"encoding_format\":\"float\"}");
        assertThat(request.header("Content-Type")).contains("application/json; charset=UTF-8");
        assertThat(request.header("Accept")).contains("application/json");
        assertThat(request.header("Authorization")).contains("Bearer " + Loopback.KEY);
    }

    @Test
    void manyTextsAreSentInSeveralRequestsOneAfterTheOther() throws InterruptedException {
        String[] texts =
                IntStream.range(0, 130).mapToObj(i -> "text number " + i).toArray(String[]::new);
        Embeddings embeddings = wire.embed(texts);
        assertThat(embeddings.vectors())
                .containsExactlyElementsOf(
                        List.of(texts).stream().map(HashedWords::vector).toList());
        assertThat(embeddings.usage()).isEqualTo(Usage.of(30, 0));
        assertThat(wire.provider.log())
                .extracting(e -> e.request().texts().size())
                .containsExactly(64, 64, 2);
        assertThat(wire.provider.peakInFlight()).isEqualTo(1);
        assertThat(wire.provider.log())
                .extracting(e -> e.request().connection())
                .containsOnly(1L);
    }

    @Test
    void aRequestHasAtMost256KilobytesOfText() throws InterruptedException {
        String third = "é".repeat(50_000);
        String whole = "x".repeat(256 << 10);
        Embeddings embeddings = wire.embed(third, third, third, "a", whole, "b", "c");
        assertThat(embeddings.vectors())
                .containsExactly(
                        HashedWords.vector(third),
                        HashedWords.vector(third),
                        HashedWords.vector(third),
                        HashedWords.vector("a"),
                        HashedWords.vector(whole),
                        HashedWords.vector("b"),
                        HashedWords.vector("c"));
        assertThat(wire.provider.log())
                .extracting(Exchange::request)
                .extracting(ReceivedRequest::texts)
                .containsExactly(List.of(third, third), List.of(third, "a"), List.of(whole), List.of("b", "c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "é", "🙂"})
    void aTextThatIsTooLargeIsRejectedBeforeAnyIsSent(String unit) {
        String text = unit.repeat((256 << 10) / unit.length() + 1);
        ModelException e = wire.fail(LoopbackEmbeddings.request("small", text));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.INVALID_REQUEST);
        assertThat(e.retryable()).isFalse();
        assertThat(e).hasMessageContaining("text 2 of 2").hasMessageNotContaining(unit.repeat(3));
        assertThat(wire.provider.requestCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\uD800b", "\uDC00", "b\uD83D"})
    void aTextThatIsNotUnicodeIsSentAsItIs(String text) throws InterruptedException {
        assertThat(wire.embed(text).vectors()).containsExactly(HashedWords.vector(text));
        assertThat(wire.provider.log().getFirst().request().texts()).containsExactly(text);
    }

    @Test
    void theIndexOfAVectorSaysWhichTextItBelongsTo() throws InterruptedException {
        wire.provider.enqueueEmbeddings(Reply.status(200)
                .body("{\"usage\":{\"prompt_tokens\":7,\"total_tokens\":7},\"data\":["
                        + "{\"embedding\":[3,0.5e1],\"index\":2},{\"index\":0,\"object\":\"embedding\",\"embedding\":[1,-1]},"
                        + "{\"index\":1,\"embedding\":[2,0],\"more\":{\"a\":[1]}}],\"error\":null,\"more\":[{}]}"));
        Embeddings embeddings = wire.embed("a", "b", "c");
        assertThat(embeddings.vectors()).containsExactly(new float[] {1, -1}, new float[] {2, 0}, new float[] {3, 5});
        assertThat(embeddings.usage()).isEqualTo(Usage.of(7, 0));
    }

    @Test
    void aServerWithoutIndexOrUsageOrTypeIsUnderstood() throws InterruptedException {
        wire.provider.enqueueEmbeddings(Reply.status(200)
                .header("Content-Type", "text/plain")
                .body("{\"data\":[{\"embedding\":[1]},{\"embedding\":[2]}]}")
                .gzip());
        Embeddings embeddings = wire.embed("a", "b");
        assertThat(embeddings.vectors()).containsExactly(new float[] {1}, new float[] {2});
        assertThat(embeddings.usage()).isEqualTo(Usage.NONE);
    }

    @Test
    void vectorsOfAnyLengthAreRead() throws InterruptedException {
        List<float[]> vectors = new ArrayList<>();
        for (int text = 0; text < 64; text++) {
            float[] vector = new float[4_096];
            for (int i = 0; i < vector.length; i++) {
                vector[i] = (text * 31 + i) * -1.2345e-5f;
            }
            vectors.add(vector);
        }
        wire.provider.enqueueEmbeddings(Reply.vectors(vectors).chunkSplit(1_000));
        String[] texts = IntStream.range(0, 64).mapToObj(String::valueOf).toArray(String[]::new);
        assertThat(wire.embed(texts).vectors()).containsExactlyElementsOf(vectors);
    }

    @Test
    void dimensionsAreRequestedAndKnown() throws InterruptedException {
        wire.provider.enqueueEmbeddings(
                Reply.vectors(List.of(new float[] {1, 2})), Reply.vectors(List.of(new float[] {1, 2, 3})));
        try (OpenAiEmbeddings model =
                at(wire).dimensions(2).header("X-Tenant", "t1").build()) {
            assertThat(model.dimensions()).hasValue(2);
            assertThat(model.name()).isEqualTo("custom/e");
            assertThat(model.embed(LoopbackEmbeddings.request("a")).vectors()).hasSize(1);
            assertThatThrownBy(() -> model.embed(LoopbackEmbeddings.request("a")))
                    .isInstanceOf(ModelException.class)
                    .hasMessageContaining("have 3 dimensions, but 2 were requested");
            assertThat(model.dimensions()).hasValue(2);
        }
        ReceivedRequest request = wire.provider.log().getFirst().request();
        assertThat(request.at("/dimensions")).contains("2");
        assertThat(request.header("X-Tenant")).contains("t1");
        assertThat(request.header("Authorization")).isEmpty();
    }

    @Test
    void whatCannotWorkIsRejectedWhenItIsBuilt() {
        assertThatThrownBy(() -> OpenAiEmbeddings.builder().dimensions(0)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> OpenAiEmbeddings.builder().model("e").build())
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> OpenAiEmbeddings.builder()
                        .model("e")
                        .baseUrl("https://h/v1/embeddings")
                        .build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("must end before /embeddings");
    }

    @Test
    void aModelThatIsClosedSaysSo() {
        wire.model.close();
        assertThat(wire.fail(LoopbackEmbeddings.request("a"))).hasMessageContaining("its provider was closed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openai",
                "openrouter",
                "groq",
                "together",
                "mistral",
                "xai",
                "fireworks",
                "nvidia",
                "deepinfra",
                "sambanova",
                "ollama",
                "lmstudio",
                "vllm",
                "llamacpp"
            })
    void aKnownProviderIsFoundByName(String provider) throws InterruptedException {
        Map<String, String> environment = environment(provider);
        environment.put(provider.toUpperCase(Locale.ROOT) + "_API_KEY", "k-1");
        try (OpenAiCompatibleProvider providers = from(environment)) {
            EmbeddingModel model =
                    providers.findEmbeddingModel(provider + "/some/e").orElseThrow();
            assertThat(model.name()).isEqualTo(provider + "/some/e");
            assertThat(model.embed(LoopbackEmbeddings.request("a")).vectors()).hasSize(1);
            assertThat(providers.adviceOnEmbeddingModel(provider + "/some/e")).isEmpty();
        }
        ReceivedRequest request = wire.provider.log().getFirst().request();
        assertThat(request.model()).isEqualTo("some/e");
        assertThat(request.header("Authorization")).contains("Bearer k-1");
        wire.provider.verify();
    }

    @Test
    void aMissingKeyFailsTheFirstCallAndNamesTheVariable() {
        try (OpenAiCompatibleProvider providers = from(environment("openai"))) {
            EmbeddingModel model = providers.findEmbeddingModel("openai/e").orElseThrow();
            assertThatThrownBy(() -> model.embed(LoopbackEmbeddings.request("a")))
                    .isInstanceOfSatisfying(ModelException.class, e -> assertThat(e.kind())
                            .isEqualTo(ModelException.Kind.AUTHENTICATION))
                    .hasMessageContaining("set the environment variable OPENAI_API_KEY");
        }
    }

    @Test
    void nvidiaReceivesThePurposeOfAText() throws InterruptedException {
        Map<String, String> environment = environment("nvidia");
        environment.put("NVIDIA_API_KEY", "k-1");
        try (OpenAiCompatibleProvider providers = from(environment)) {
            EmbeddingModel model = providers.findEmbeddingModel("nvidia/e").orElseThrow();
            assertThat(model.symmetric()).isFalse();
            for (Kind kind : Kind.values()) {
                model.embed(new EmbeddingRequest(List.of("a"), kind, Loopback.PATIENCE));
            }
        }
        assertThat(wire.provider.log())
                .extracting(e -> e.request().at("/input_type").orElse(""))
                .containsExactly("query", "passage");
    }

    @ParameterizedTest
    @ValueSource(strings = {"deepseek", "perplexity", "cerebras", "moonshot", "anthropic", "gemini", "bedrock"})
    void aProviderWithoutThemIsNothingAndHasAdvice(String provider) {
        try (OpenAiCompatibleProvider providers = from(environment(provider))) {
            assertThat(providers.findEmbeddingModel(provider + "/e")).isEmpty();
            assertThat(providers.adviceOnEmbeddingModel(provider + "/e").orElseThrow())
                    .startsWith("Provider '" + provider + "' has no embedding models that can be called by name; ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody/e", "openai", "openai/", "/e", ""})
    void aNameThatIsNotKnownIsNothing(String name) {
        try (OpenAiCompatibleProvider providers = from(Map.of())) {
            assertThat(providers.findEmbeddingModel(name)).isEmpty();
        }
    }

    @Test
    void aProviderThatTheApplicationConfiguredMayHaveThem() throws InterruptedException {
        try (OpenAiCompatibleProvider providers = OpenAiCompatibleProvider.builder()
                .provider("deepseek", wire.provider.baseUrl(), "k-2")
                .provider("gateway", wire.provider.baseUrl())
                .build()) {
            for (String name : List.of("deepseek/e", "gateway/e")) {
                providers.findEmbeddingModel(name).orElseThrow().embed(LoopbackEmbeddings.request("a"));
            }
        }
        assertThat(wire.provider.log())
                .extracting(e -> e.request().header("Authorization").orElse(""))
                .containsExactly("Bearer k-2", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/v1", "/api"})
    void ollamaIsFoundAlsoByTheAddressOfItsOwnProtocol(String path) throws InterruptedException {
        Map<String, String> environment = Map.of("OLLAMA_BASE_URL", "http://127.0.0.1:" + wire.provider.port() + path);
        try (OpenAiCompatibleProvider providers = from(environment)) {
            providers.findEmbeddingModel("ollama/e").orElseThrow().embed(LoopbackEmbeddings.request("a"));
        }
        assertThat(wire.provider.log().getFirst().request().path()).isEqualTo("/v1/embeddings");
    }

    private Map<String, String> environment(String provider) {
        Map<String, String> environment = new HashMap<>();
        environment.put(provider.toUpperCase(Locale.ROOT) + "_BASE_URL", wire.provider.baseUrl());
        return environment;
    }

    private static OpenAiCompatibleProvider from(Map<String, String> environment) {
        return OpenAiCompatibleProvider.builder().environment(environment::get).build();
    }

    private static OpenAiEmbeddings.Builder at(LoopbackEmbeddings wire) {
        return OpenAiEmbeddings.builder().baseUrl(wire.provider.baseUrl()).model("e");
    }
}
