package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.testkit.provider.reply.Reply;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What single services send that others of the same protocol do not, in their own forms. */
@Timeout(60)
class ServiceAnswersTest {

    @AutoClose
    private final Loopback wire = new Loopback();

    /** Perplexity repeats in each chunk what it has sent so far. */
    @Test
    void theTextSoFarNextToADeltaIsNotRead() throws InterruptedException {
        String chunk = "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"finish_reason\":%s,"
                + "\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},"
                + "\"delta\":{\"role\":\"assistant\",\"content\":\"%s\"}}]}";
        ModelResponse answer = wire.ask(Reply.sse()
                .event(chunk.formatted("null", "Hel", "Hel"))
                .event(chunk.formatted("null", "Hello", "lo"))
                .event(chunk.formatted("\"stop\"", "Hello", "")));
        assertThat(answer.text()).isEqualTo("Hello");
        assertThat(wire.call.text()).isEqualTo("Hello");
        assertThat(answer.finish()).isEqualTo(FinishReason.STOP);
    }

    @Test
    void aDeltaBeforeTheTextSoFarIsReadToo() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.sse()
                .event("{\"choices\":[{\"delta\":{\"content\":\"Hel\"},\"message\":{\"content\":\"Hel\"}}]}")
                .event("{\"choices\":[{\"delta\":{\"content\":\"lo\"},\"message\":{\"content\":\"Hello\"},"
                        + "\"finish_reason\":\"stop\"}]}"));
        assertThat(answer.text()).isEqualTo("Hello");
    }

    /** Gemini's compatible endpoint gave all calls the index 0, and no ids. */
    @ParameterizedTest
    @ValueSource(strings = {"\"id\":\"\",", ""})
    void callsOfOneIndexWithoutIdsAreSeveral(String id) throws InterruptedException {
        String call = "{\"tool_calls\":[{\"index\":0," + id
                + "\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\":%d}\"}}]}";
        ModelResponse answer = wire.ask(Reply.sse()
                .delta(call.formatted(1))
                .delta(call.formatted(2))
                .finish("tool_calls")
                .done());
        assertThat(answer.toolCalls())
                .containsExactly(
                        new RequestedCall("", "look", "{\"at\":1}"), new RequestedCall("", "look", "{\"at\":2}"));
    }

    @Test
    void aNameThatIsRepeatedAfterAWholeCallIsNoSecondCall() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.sse()
                .delta("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}")
                .delta("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"look\",\"arguments\":\"\"}}]}")
                .finish("tool_calls"));
        assertThat(answer.toolCalls()).containsExactly(new RequestedCall("", "look", "{}"));
    }

    /** Groq explains in a field of its own why it stopped. */
    @Test
    void anErrorInGroqsOwnFieldIsOne() {
        ModelException e = wire.fail(Reply.sse()
                .text("a")
                .event("{\"choices\":[],\"x_groq\":{\"id\":\"req_1\",\"error\":\"over capacity\"}}")
                .done());
        assertThat(e.kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(e.providerMessage()).contains("over capacity");
    }

    /** DeepSeek's insufficient_system_resource, and the error of Mistral and OpenRouter. */
    @ParameterizedTest
    @ValueSource(strings = {"insufficient_system_resource", "error"})
    void anAnswerThatAServiceBrokeOffIsAFailureThatMayPass(String reason) {
        ModelException e = wire.fail(Reply.text("partial").finish(reason));
        assertThat(e.kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(e.retryable()).isTrue();
        assertThat(e).hasMessageContaining(reason);
    }

    @Test
    void anErrorNextToItsFinishReasonIsReportedInItsOwnWords() {
        ModelException e = wire.fail(Reply.sse()
                .event("{\"error\":{\"code\":400,\"message\":\"No such tool\"},\"choices\":[{\"index\":0,"
                        + "\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}"));
        assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
        assertThat(e.providerMessage()).contains("No such tool");
    }

    /** llama.cpp, until September 2025: a field that the standard does not know, and no other explanation. */
    @Test
    void anErrorInAFieldOfItsOwnIsOne() {
        ModelException e = wire.fail(Reply.sse()
                .line(
                        "error: {\"code\":400,\"message\":\"exceeds the context size\",\"type\":\"invalid_request_error\"}")
                .line("")
                .done());
        assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
        assertThat(e.providerMessage()).contains("exceeds the context size");
    }

    /** OpenRouter says only that there was an error; what the service behind it said is next to that. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"{\\\"error\\\":{\\\"message\\\":\\\"Too hot\\\"}}\"",
                "\"Too hot\"",
                "{\"error\":{\"message\":\"Too hot\"}}",
            })
    void theWordsOfTheServiceBehindAGatewayAreShown(String raw) {
        String body = "{\"error\":{\"message\":\"Provider returned error\",\"code\":400," + "\"metadata\":{\"raw\":"
                + raw + ",\"provider_name\":\"Acme\"}}}";
        assertThat(wire.fail(Reply.status(400).body(body)).providerMessage())
                .contains("Provider returned error: Too hot");
        assertThat(wire.fail(Reply.sse().event(body)).providerMessage()).contains("Provider returned error: Too hot");
    }

    /** OpenRouter's moderation, which says 403 for a text and not for a key. */
    @Test
    void aPromptThatWasFlaggedIsNoWrongKey() {
        ModelException e = wire.fail(Reply.status(403)
                .body(
                        "{\"error\":{\"code\":403,\"message\":\"Input was flagged\",\"metadata\":{\"reasons\":[\"violence\"],"
                                + "\"flagged_input\":\"my diary\",\"provider_name\":\"Acme\"}}}"));
        assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
        assertThat(e.getMessage())
                .contains("Input was flagged")
                .doesNotContain("diary")
                .doesNotContain("check");
    }

    /** Google has no header for it. */
    @ParameterizedTest
    @CsvSource({"34s, 34000", "0.5s, 500", "34.074824224s, 34074"})
    void theWaitThatGoogleAsksForIsKept(String delay, long millis) {
        String error = "{\"error\":{\"code\":429,\"message\":\"Quota\",\"status\":\"RESOURCE_EXHAUSTED\",\"details\":["
                + "{\"@type\":\"type.googleapis.com/google.rpc.QuotaFailure\",\"violations\":[{\"quotaId\":\"x\"}]},"
                + "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"" + delay + "\"}]}}";
        for (Reply reply : new Reply[] {
            Reply.status(429).body(error),
            Reply.status(429).body("[" + error + "\n]"),
            Reply.sse().event(error)
        }) {
            ModelException e = wire.fail(reply);
            assertThat(e.kind()).isEqualTo(Kind.RATE_LIMIT);
            assertThat(e.retryable()).isTrue();
            assertThat(e.retryAfter().map(Duration::toMillis)).contains(millis);
            assertThat(e).hasMessageContaining("RESOURCE_EXHAUSTED");
        }
    }

    @Test
    void aHeaderIsMoreThanTheWaitInABody() {
        assertThat(wire.fail(Reply.status(429)
                                .header("Retry-After", "2")
                                .body("{\"error\":{\"details\":[{\"retryDelay\":\"34s\"}]}}"))
                        .retryAfter())
                .contains(Duration.ofSeconds(2));
        assertThat(wire.fail(Reply.status(429).body("{\"error\":{\"details\":[{\"retryDelay\":\"soon\"}]}}"))
                        .retryAfter())
                .isEmpty();
    }

    /** Groq's flex tier, Bedrock's failed model, a proxy whose client was too slow. */
    @ParameterizedTest
    @ValueSource(ints = {424, 498, 499, 529})
    void aFailureOfTheServiceUnderAStatusOfItsOwnMayPass(int status) {
        ModelException e = wire.fail(Reply.error(status, "capacity"));
        assertThat(e.kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(e.retryable()).isTrue();
    }

    /** Moonshot, xAI. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"type\":\"exceeded_current_quota_error\",\"message\":\"suspended\"}}",
                "{\"code\":\"Some resource has been exhausted\",\"error\":\"Your team 7 has either used all available"
                        + " credits or reached its monthly spending limit.\"}",
            })
    void anAccountWithoutCreditIsNotAskedAgain(String body) {
        ModelException e = wire.fail(Reply.status(429).body(body));
        assertThat(e.kind()).isEqualTo(Kind.RATE_LIMIT);
        assertThat(e.retryable()).isFalse();
        assertThat(e).hasMessageContaining("billing");
    }

    /** xAI, which calls it an invalid argument. */
    @Test
    void aWrongKeyIsOneAlthoughTheStatusIsThatOfABadRequest() {
        ModelException e = wire.fail(Reply.status(400)
                .body(
                        "{\"code\":\"Client specified an invalid argument\",\"error\":\"Incorrect API key provided: xa***1."
                                + " You can obtain an API key from https://console.x.ai.\"}"));
        assertThat(e.kind()).isEqualTo(Kind.AUTHENTICATION);
    }

    /** Groq: the model wrote a call that Groq could not read; another attempt often can be. */
    @Test
    void aCallThatTheServiceCouldNotReadMayBeReadableNextTime() {
        ModelException e = wire.fail(Reply.status(400)
                .body("{\"error\":{\"message\":\"Failed to call a function.\",\"type\":\"invalid_request_error\","
                        + "\"code\":\"tool_use_failed\",\"failed_generation\":\"<function=look\"}}"));
        assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(e.retryable()).isTrue();
        assertThat(e.providerMessage()).contains("Failed to call a function.");
    }

    /** Moonshot. */
    @Test
    void cachedTokensMayStandNextToTheOthers() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.sse()
                .text("a")
                .finish("stop")
                .event("{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,\"total_tokens\":11,"
                        + "\"cached_tokens\":4}}")
                .done());
        assertThat(answer.usage().cachedInputTokens()).isEqualTo(4);
    }
}
