package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiModelTest {

    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    @Test
    void theKeyIsAskedForAtEveryCall() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        try (OpenAiModel model = at(provider.baseUrl() + "/")
                .apiKey(() -> " key-" + calls.incrementAndGet() + "\n")
                .build()) {
            provider.always(Reply.text("ok"));
            model.ask(Loopback.request("Hi"), new Recorder());
            model.ask(Loopback.request("Hi"), new Recorder());
        }
        assertThat(provider.log())
                .extracting(e -> e.request().header("Authorization").orElse(""))
                .containsExactly("Bearer key-1", "Bearer key-2");
    }

    @Test
    void withoutAKeyNoneIsSent() throws InterruptedException {
        try (OpenAiModel model = at(provider.baseUrl()).build()) {
            provider.always(Reply.text("ok"));
            model.ask(Loopback.request("Hi"), new Recorder());
            assertThat(model.secrets()).isEmpty();
        }
        assertThat(provider.log().getFirst().request().header("Authorization")).isEmpty();
    }

    @Test
    void aKeyThatIsMissingOrCannotBeSentFailsTheCallBeforeItIsMade() {
        for (String key : List.of("", " ", "two\nlines", "smörgås")) {
            try (OpenAiModel model = at(provider.baseUrl()).apiKey(key).build()) {
                assertThatThrownBy(() -> model.ask(Loopback.request("Hi"), new Recorder()))
                        .isInstanceOfSatisfying(ModelException.class, e -> assertThat(e.kind())
                                .isEqualTo(ModelException.Kind.AUTHENTICATION))
                        .hasMessageNotContaining("lines")
                        .hasMessageNotContaining("gås");
            }
        }
        assertThat(provider.requestCount()).isZero();
    }

    @Test
    void headersAreSentAndThoseNamedLikeSecretsAreSecrets() throws InterruptedException {
        try (OpenAiModel model = at(provider.baseUrl())
                .apiKey("sk-1")
                .header("X-Title", "Tests")
                .header("x-api-key", "sk-2")
                .build()) {
            provider.always(Reply.text("ok"));
            model.ask(Loopback.request("Hi"), new Recorder());
            assertThat(model.secrets()).containsExactlyInAnyOrder("sk-1", "sk-2");
        }
        assertThat(provider.log().getFirst().request().header("X-Title")).contains("Tests");
        assertThat(provider.log().getFirst().request().header("x-api-key")).contains("sk-2");
    }

    @Test
    void theNameIsTheModelsUnlessGiven() {
        try (OpenAiModel plain = at("http://localhost/v1").build();
                OpenAiModel named = at("http://localhost/v1").name("team/best").build()) {
            assertThat(plain.name()).isEqualTo("custom/m");
            assertThat(named.name()).isEqualTo("team/best");
        }
    }

    @Test
    void aServerThatTakesASchemaForTheAnswerIsSentIt() throws InterruptedException {
        JsonSchema schema = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));
        ModelRequest request = new ModelRequest(
                List.of(Message.user("Hi")), List.of(), ToolChoice.auto(), ModelSettings.DEFAULT, schema);
        provider.always(Reply.text("{}"));
        try (OpenAiModel usual = at(provider.baseUrl()).build();
                OpenAiModel other = at(provider.baseUrl()).responseFormat(true).build()) {
            usual.ask(request, new Recorder());
            other.ask(request, new Recorder());
            assertThat(usual.hasFormatFor(schema)).isFalse();
            assertThat(other.hasFormatFor(schema)).isTrue();
        }
        assertThat(provider.log().getFirst().request().at("/response_format")).isEmpty();
        assertThat(provider.log().getLast().request().at("/response_format/json_schema/schema/type"))
                .contains("object");
    }

    @Test
    void aModelAtOpenAiTakesASchemaForTheAnswer() {
        JsonSchema schema = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));
        try (OpenAiModel model = at("https://api.openai.com/v1").build()) {
            assertThat(model.hasFormatFor(schema)).isTrue();
        }
    }

    @Test
    void theFieldForTheLongestAnswerCanBeChosen() throws InterruptedException {
        ModelSettings settings = ModelSettings.DEFAULT.maxOutputTokens(5).seed(7);
        ModelRequest request = new ModelRequest(List.of(Message.user("Hi")), List.of(), ToolChoice.auto(), settings);
        provider.always(Reply.text("ok"));
        try (OpenAiModel usual = at(provider.baseUrl()).build();
                OpenAiModel other = at(provider.baseUrl())
                        .maxTokensField("max_completion_tokens")
                        .seedField("random_seed")
                        .streamOptions(false)
                        .build()) {
            usual.ask(request, new Recorder());
            other.ask(request, new Recorder());
        }
        assertThat(provider.log().getFirst().request().at("/max_tokens")).contains("5");
        var second = provider.log().getLast().request();
        assertThat(second.at("/max_completion_tokens")).contains("5");
        assertThat(second.at("/random_seed")).contains("7");
        assertThat(second.at("/stream_options")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "api.openai.com/v1",
                "ftp://h/v1",
                "http://",
                "http:///v1",
                "http://h/v1?key=sk-1",
                "http://u:sk-1@h/v1",
                "http://h/v1#x",
                "http://h h/v1",
                "https://h/v1/chat/completions"
            })
    void aBaseUrlThatCannotBeOneIsRefusedWithoutRepeatingASecret(String url) {
        assertThatThrownBy(() -> at(url).build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageNotContaining("sk-1");
    }

    @Test
    void aHeaderThatCannotBeSentIsRefused() {
        assertThatThrownBy(() -> at("http://h/v1").header("X", "a\r\nY: b").build())
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> at("http://h/v1").header("X Y", "a").build())
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> OpenAiModel.builder().baseUrl("http://h/v1").build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("model ''");
    }

    private static OpenAiModel.Builder at(String baseUrl) {
        return OpenAiModel.builder().baseUrl(baseUrl).model("m");
    }
}
