package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.TokenUsage;
import dev.chargehand.testkit.provider.reply.WireReply;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class StreamedAnswerTest {

    @AutoClose
    private final Loopback wire = new Loopback();

    @Test
    void textIsToldAsItComesAndReturnedWhole() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.text("Hel", "lo").reasoning("let me ", "think"));
        assertThat(answer)
                .isEqualTo(new ModelResponse("Hello", "let me think", List.of(), FinishReason.STOP, Usage.of(10, 5)));
        assertThat(wire.call.deltas())
                .containsExactly(
                        new ModelDelta.Reasoning("let me "),
                        new ModelDelta.Reasoning("think"),
                        new ModelDelta.Text("Hel"),
                        new ModelDelta.Text("lo"));
        wire.provider.verify();
    }

    @Test
    void aDeltaIsToldBeforeTheServerSendsTheNext() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        wire.provider.enqueue(
                Reply.sse().text("Hel").hold(told).text("lo").finish("stop").done());
        ModelResponse answer = wire.model.ask(Loopback.request("Hi"), new Recorder(delta -> told.countDown()));
        assertThat(answer.text()).isEqualTo("Hello");
    }

    @Test
    void whatCameBeforeAnErrorIsTold() {
        wire.fail(Reply.sse().text("Hel", "lo").error("overloaded", 503));
        assertThat(wire.call.deltas()).containsExactly(new ModelDelta.Text("Hel"), new ModelDelta.Text("lo"));
    }

    @Test
    void theRequestAsksForAStreamWithUsageAndCarriesTheKeyInItsHeaderOnly() throws InterruptedException {
        wire.provider.forbid(Loopback.KEY);
        wire.ask(Reply.text("ok"));
        var request = wire.provider.log().getFirst().request();
        assertThat(request.path()).isEqualTo("/v1/chat/completions");
        assertThat(request.header("Authorization")).contains("Bearer " + Loopback.KEY);
        assertThat(request.header("Content-Type"))
                .hasValueSatisfying(t -> assertThat(t).startsWith("application/json"));
        assertThat(request.header("Content-Length")).contains(String.valueOf(request.bodyBytes()));
        assertThat(request.header("User-Agent"))
                .hasValueSatisfying(t -> assertThat(t).startsWith("chargehand/"));
        assertThat(request.header("Cookie")).isEmpty();
        assertThat(request.chat().stream()).isTrue();
        assertThat(request.chat().usageAsked()).isTrue();
        assertThat(request.model()).isEqualTo("m");
        wire.provider.verify();
    }

    @Test
    void usageHasCachedAndReasoningTokens() throws InterruptedException {
        assertThat(wire.ask(Reply.text("ok").usage(new TokenUsage(100, 40, 64, 30)))
                        .usage())
                .isEqualTo(new Usage(100, 40, 64, 30));
    }

    @Test
    void anEventStreamMayBeAsUglyAsTheStandardAllows() throws InterruptedException {
        WireReply ugly = Reply.sse()
                .byteOrderMark()
                .comment("OPENROUTER PROCESSING")
                .lineEnding("\r\n")
                .role()
                .line("id: 3")
                .line("retry: 10")
                .line("unknown: x")
                .text("Grüße ", "😀👩‍👩‍👧 ")
                .lineEnding("\r")
                .event("{\"choices\":[{\"index\":0,\n\"delta\":{\"content\":\n\"ende\"}}]}")
                .lineEnding("\n")
                .finish("stop")
                .done();
        ModelResponse whole = wire.ask(ugly);
        assertThat(whole.text()).isEqualTo("Grüße 😀👩‍👩‍👧 ende");
        assertThat(wire.ask(ugly.chunkSplit(1))).isEqualTo(whole);
        assertThat(wire.ask(ugly.writeSplit(1))).isEqualTo(whole);
        assertThat(wire.ask(ugly.chunkSplit(3).gzip())).isEqualTo(whole);
    }

    @Test
    void parallelCallsWithInterleavedFragmentsAreBothWhole() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.sse()
                .role()
                .toolCall(0, Reply.call("c1", "add", ""))
                .toolCall(1, Reply.call("c2", "mul", "{\"a\":"))
                .arguments(0, "{\"a\":1,")
                .arguments(1, "3,\"b\":4}")
                .arguments(0, "\"b\":2}")
                .finish("tool_calls")
                .done());
        assertThat(answer.toolCalls())
                .containsExactly(
                        new RequestedCall("c1", "add", "{\"a\":1,\"b\":2}"),
                        new RequestedCall("c2", "mul", "{\"a\":3,\"b\":4}"));
        assertThat(answer.finish()).isEqualTo(FinishReason.TOOL_CALLS);
    }

    @Test
    void fragmentsInOneEventAnIndexOfThreeAndARepeatedNameAreOneCall() throws InterruptedException {
        String fragment = "{\"index\":3,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"%s\"}}";
        ModelResponse answer = wire.ask(Reply.sse()
                .delta("{\"tool_calls\":[" + fragment.formatted("{\\\"a\\\":") + "," + fragment.formatted("1") + "]}")
                .delta("{\"tool_calls\":[" + fragment.formatted("}") + "]}")
                .finish("tool_calls")
                .done());
        assertThat(answer.toolCalls()).containsExactly(new RequestedCall("c", "f", "{\"a\":1}"));
        assertThat(wire.call.deltas().getFirst()).isEqualTo(new ModelDelta.ToolCallStart(0, "f"));
    }

    @Test
    void argumentsAsAnObjectAreAccepted() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.sse()
                .delta(
                        "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]}")
                .finish("tool_calls")
                .done());
        assertThat(answer.toolCalls()).containsExactly(new RequestedCall("c", "f", "{\"a\":1}"));
    }

    @Test
    void brokenArgumentsEmptyNamesAndEmptyIdsAreReturnedAsTheyCame() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.toolCalls(Reply.call("", "", "{\"a\":1,")));
        assertThat(answer.toolCalls()).containsExactly(new RequestedCall("", "", "{\"a\":1,"));
        assertThat(answer.finish()).isEqualTo(FinishReason.TOOL_CALLS);
    }

    @Test
    void stopTogetherWithCallsIsStopWithTheCalls() throws InterruptedException {
        ModelResponse answer =
                wire.ask(Reply.toolCalls(Reply.call("c", "f", "{}")).finish("stop"));
        assertThat(answer.finish()).isEqualTo(FinishReason.STOP);
        assertThat(answer.toolCalls()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "stop, STOP",
        "length, LENGTH",
        "content_filter, CONTENT_FILTER",
        "tool_calls, TOOL_CALLS",
        "function_call, TOOL_CALLS",
        "because, UNKNOWN"
    })
    void finishReasonsAreToldApart(String reason, FinishReason finish) throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.text("partial").finish(reason));
        assertThat(answer.finish()).isEqualTo(finish);
        assertThat(answer.text()).isEqualTo("partial");
    }

    @Test
    void aCleanEndWithoutAReasonIsMissingAndNoFailure() throws InterruptedException {
        ModelResponse answer = wire.ask(Reply.sse()
                .role()
                .text("a", "b", "c")
                .toolCall(0, Reply.call("c", "f", "{\"a\":"))
                .closeCleanly());
        assertThat(answer.finish()).isEqualTo(FinishReason.MISSING);
        assertThat(answer.text()).isEqualTo("abc");
        assertThat(answer.toolCalls()).containsExactly(new RequestedCall("c", "f", "{\"a\":"));
    }

    @Test
    void doneWithoutAReasonIsMissing() throws InterruptedException {
        assertThat(wire.ask(Reply.sse().text("a").done()).finish()).isEqualTo(FinishReason.MISSING);
    }

    @Test
    void anEventThatACleanEndCutsIsLeftOut() throws InterruptedException {
        ModelResponse answer = wire.ask(
                Reply.sse().text("a").body("data: {\"choices\":[{\"del").closeCleanly());
        assertThat(answer.text()).isEqualTo("a");
        assertThat(answer.finish()).isEqualTo(FinishReason.MISSING);
    }

    @Test
    void anAnswerThatIsFinishedIsWholeWhateverBecomesOfItsConnection() throws InterruptedException {
        assertThat(wire.ask(Reply.sse().text("a").finish("stop").hangUp()).text())
                .isEqualTo("a");
        assertThat(wire.ask(Reply.sse().text("a").finish("stop").badChunk()).text())
                .isEqualTo("a");
        assertThat(wire.ask(Reply.sse().text("a").finish("stop").done().hangUp())
                        .text())
                .isEqualTo("a");
    }

    @Test
    void aServerThatNeverEndsTheBodyAfterDoneHoldsNothingUp() throws InterruptedException {
        assertThat(wire.ask(Reply.sse().text("a").finish("stop").done().stall()).text())
                .isEqualTo("a");
        wire.provider.awaitClosed(wire.provider.log().getFirst(), Loopback.PATIENCE);
    }

    @Test
    void oneJsonDocumentIsUnderstoodInsteadOfAStream() throws InterruptedException {
        String document =
                "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
                        + "\"content\":\"Hello\",\"reasoning_content\":\"hm\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\","
                        + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}],"
                        + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}";
        ModelResponse answer = wire.ask(Reply.status(200).body(document));
        assertThat(answer)
                .isEqualTo(new ModelResponse(
                        "Hello",
                        "hm",
                        List.of(new RequestedCall("c", "f", "{}")),
                        FinishReason.TOOL_CALLS,
                        Usage.of(3, 2)));
        assertThat(wire.call.text()).isEqualTo("Hello");
        assertThat(wire.ask(
                        Reply.status(200).header("Content-Type", "text/plain").body("\r\n " + document)))
                .isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource({"application/json", "text/plain", "application/octet-stream"})
    void aStreamUnderAnotherNameIsStillAStream(String type) throws InterruptedException {
        assertThat(wire.ask(Reply.text("ok").header("Content-Type", type)).text())
                .isEqualTo("ok");
    }

    @Test
    void aGzippedAnswerIsDecodedAlthoughNobodyAskedForIt() throws InterruptedException {
        assertThat(wire.ask(Reply.text("ok", "!").gzip()).text()).isEqualTo("ok!");
        assertThat(wire.ask(Reply.text("again").gzip()).text()).isEqualTo("again");
        assertThat(wire.provider.log())
                .extracting(e -> e.request().connection())
                .containsOnly(1L);
    }
}
