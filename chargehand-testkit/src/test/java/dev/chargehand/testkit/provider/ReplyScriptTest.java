package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.ask;
import static dev.chargehand.testkit.provider.WireClient.data;
import static dev.chargehand.testkit.provider.WireClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.testkit.provider.reply.Reply;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which reply goes to which request. */
class ReplyScriptTest {
    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    private String answer(String body) throws Exception {
        HttpResponse<String> response = post(provider, body);
        return response.statusCode() == 200 ? data(response.body()).get(0) : "status " + response.statusCode();
    }

    private static Reply says(String text) {
        return Reply.sse().event(text);
    }

    @Test
    void queuedRepliesGoOutInOrder() throws Exception {
        provider.enqueue(says("1"), says("2")).enqueue(says("3"));

        assertThat(answer(ask("a"))).isEqualTo("1");
        assertThat(answer(ask("b"))).isEqualTo("2");
        assertThat(provider.unusedReplies()).isEqualTo(1);
        assertThat(answer(ask("c"))).isEqualTo("3");
        provider.verify();
    }

    @Test
    void agentsAreToldApartByTheirModel() throws Exception {
        provider.onModel("boss", says("b1"), says("b2")).onModel("worker", says("w1"));

        assertThat(answer(ask("worker"))).isEqualTo("w1");
        assertThat(answer(ask("boss"))).isEqualTo("b1");
        assertThat(answer(ask("boss"))).isEqualTo("b2");
        provider.verify();
    }

    @Test
    void agentsAreToldApartByTheirSystemMessage() throws Exception {
        provider.onSystem("You write", says("writer")).onSystem("You search", says("searcher"));
        String body = """
                {"model":"m","messages":[{"role":"system","content":[{"type":"text","text":"You search."}]},
                {"role":"user","content":"You write, do you?"}]}""";

        assertThat(answer(body)).isEqualTo("searcher");
    }

    @Test
    void aRuleMayLookAtAnythingOfTheRequest() throws Exception {
        provider.on(request -> request.header("X-Test").isPresent(), says("never"))
                .on(request -> request.at("/stream").equals(Optional.of("true")), says("streamed"));

        assertThat(answer(ask("m"))).isEqualTo("streamed");
    }

    @Test
    void aClaimedRequestTakesNothingFromTheCommonQueue() throws Exception {
        provider.onModel("boss", says("b1")).enqueue(says("common"));

        assertThat(answer(ask("boss"))).isEqualTo("b1");
        assertThat(answer(ask("boss"))).isEqualTo("status 500");
        assertThat(answer(ask("other"))).isEqualTo("common");
        assertThat(provider.unexpected()).hasSize(1);
    }

    @Test
    void laterRulesAndTheFallbackTakeOverWhenARuleHasRunOut() throws Exception {
        provider.onModel("boss", says("first")).onModel("boss", says("second")).always(says("for ever"));

        assertThat(answer(ask("boss"))).isEqualTo("first");
        assertThat(answer(ask("boss"))).isEqualTo("second");
        assertThat(answer(ask("boss"))).isEqualTo("for ever");
        assertThat(answer(ask("boss"))).isEqualTo("for ever");
        provider.verify();
    }

    @Test
    void functionsAnswerAnyNumberOfRequests() throws Exception {
        provider.on(request -> request.model().equals("echo"), request -> says("rule " + request.lastUserText()))
                .fallback(request -> says("fallback " + request.model()));

        assertThat(answer(ask("echo"))).isEqualTo("rule hi");
        assertThat(answer(ask("echo"))).isEqualTo("rule hi");
        assertThat(answer(ask("x"))).isEqualTo("fallback x");
    }

    @Test
    void aRequestWithoutAReplyIsAnswered500AndRecorded() throws Exception {
        HttpResponse<String> response = post(provider, ask("boss"));

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body())
                .contains("no reply left for request 1 (POST /v1/chat/completions, model 'boss', 1 message)");
        assertThat(provider.unexpected())
                .singleElement()
                .satisfies(exchange -> assertThat(exchange.request().model()).isEqualTo("boss"));
        assertThatThrownBy(provider::verify)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no reply for request 1");
    }

    @Test
    void whatAFunctionThrowsIsRecordedAndTheNextRequestIsServed() throws Exception {
        provider.on(request -> request.model().equals("bad"), request -> {
                    throw new AssertionError("not this one");
                })
                .on(
                        request -> {
                            throw new IllegalStateException("bad predicate");
                        },
                        says("never"))
                .always(says("ok"));

        assertThat(post(provider, ask("bad")).body()).contains("AssertionError: not this one");
        assertThat(post(provider, ask("m")).body()).contains("bad predicate");
        assertThat(provider.unexpected()).hasSize(2);
        assertThat(provider.inFlight()).isZero();
    }

    @Test
    void aReplyThatIsNotUsedFailsTheVerification() {
        provider.onModel("boss", says("1"), says("2")).enqueue(says("3"));

        assertThatThrownBy(provider::verify).hasMessageContaining("3 queued replies were not used");
    }
}
