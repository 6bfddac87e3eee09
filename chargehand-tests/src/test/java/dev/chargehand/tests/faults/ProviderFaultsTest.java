package dev.chargehand.tests.faults;

import static dev.chargehand.tests.faults.FaultyWorld.addCall;
import static dev.chargehand.tests.faults.FaultyWorld.failure;
import static dev.chargehand.tests.faults.FaultyWorld.later;
import static dev.chargehand.tests.faults.FaultyWorld.shown;
import static dev.chargehand.tests.faults.FaultyWorld.watch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.FunctionCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider does wrong, on a real socket; each test begins with the id of the fault. */
class ProviderFaultsTest {

    private static final Duration GENEROUS = Duration.ofSeconds(20);

    @RegisterExtension
    final FaultyWorld world = new FaultyWorld();

    private RunResult generate() {
        return world.single().generate("Go");
    }

    private StopReason stopOf(Reply... replies) {
        world.provider.enqueue(replies);
        return generate().stopReason();
    }

    private ModelException.Kind faultOf(Reply... replies) {
        world.provider.enqueue(replies);
        Throwable failure = failure(later(() -> world.single().generate("Go", o -> o.retries(0))));
        return ((ModelException) failure.getCause()).kind();
    }

    @Test
    void p01RetryAfterIsHonoured() {
        world.provider.enqueue(Reply.status(429).header("Retry-After", "2"), Reply.text("ok"));
        CompletableFuture<RunResult> run = later(this::generate);
        world.pass(Duration.ofSeconds(2));
        assertThat(run.join().text()).isEqualTo("ok");
        assertThat(world.provider.requestCount()).isEqualTo(2);
    }

    @Test
    void p02AProviderThatAlwaysRefusesEndsTheRunWithATypedError() {
        world.provider.always(Reply.status(429).header("Retry-After", "1"));
        CompletableFuture<RunResult> run = later(this::generate);
        world.pass(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(1));
        RunFailedException failure = (RunFailedException) failure(run);
        assertThat(failure.code()).isEqualTo("model-rate-limit");
        assertThat(failure.retryable()).isTrue();
        assertThat(((ModelException) failure.getCause()).retryAfter()).contains(Duration.ofSeconds(1));
        assertThat(world.provider.requestCount()).isEqualTo(3);
    }

    @Test
    void p05AWrongKeyIsNotTriedAgainAndShowsNowhere() {
        world.provider.always(Reply.status(401).body("{\"error\":{\"message\":\"bad key " + FaultyWorld.KEY + "\"}}"));
        List<RunEvent> events = watch(world.single(), "Go", o -> {});
        assertThat(world.provider.requestCount()).isEqualTo(1);
        assertThat(events).noneMatch(event -> event.toJson().text().contains(FaultyWorld.KEY));
        assertThat(events)
                .anyMatch(event -> event instanceof RunEvent.Error e && e.code().equals("model-authentication"));
        assertThat(failure(later(this::generate)))
                .hasStackTraceContaining("401")
                .message()
                .doesNotContain(FaultyWorld.KEY);
    }

    @Test
    void p07ATextThatBrokeIsShownOnceAndKeptAsPartial() {
        world.provider.enqueue(Reply.sse().role().text("a", "b", "c").reset());
        Throwable failure = failure(later(() -> world.single().generate("Go", o -> o.retries(0))));
        assertThat(((RunFailedException) failure).code()).isEqualTo("model-connection");
    }

    @Test
    void p08ASilentStreamEndsAtTheIdleLimitAndItsSocketIsClosed() throws InterruptedException {
        world.provider.enqueue(Reply.sse().role().text("a", "b").stall());
        CountDownLatch heard = new CountDownLatch(2);
        CompletableFuture<RunResult> run =
                later(() -> world.single().generate("Go", o -> o.timeLimit(TimeLimit.IDLE, Duration.ofSeconds(7))
                        .addListener(event -> {
                            if (event instanceof RunEvent.TextDelta) {
                                heard.countDown();
                            }
                        })));
        heard.await();
        world.turnUntilDone(run);
        RunFailedException failure = (RunFailedException) failure(run);
        assertThat(failure.code()).isEqualTo("model-idle");
        assertThat(failure.result().text()).isEqualTo("ab");
        world.provider.awaitClosed(world.provider.log().getFirst(), GENEROUS);
    }

    @Test
    void p09AProviderThatNeverAnswersEndsAtTheFirstTokenLimit() {
        world.provider.enqueue(Reply.silence());
        CompletableFuture<RunResult> run = later(() -> world.single()
                .generate("Go", o -> o.retries(0).timeLimit(TimeLimit.FIRST_TOKEN, Duration.ofSeconds(7))));
        world.provider.awaitRequests(1, GENEROUS);
        world.turnUntilDone(run);
        assertThat(((RunFailedException) failure(run)).code()).isEqualTo("model-timeout");
        world.provider.awaitClosed(world.provider.log().getFirst(), GENEROUS);
    }

    @Test
    void p10AnAnswerWithoutAFinishReasonIsIncompleteAndNeverTriedAgain() {
        world.provider.enqueue(Reply.sse().role().text("a", "b", "c"));
        RunResult result = generate();
        assertThat(result.stopReason()).isEqualTo(new StopReason.AnswerIncomplete());
        assertThat(result.text()).isEqualTo("abc");
        assertThat(world.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void p12AnInvalidEventEndsTheRunAndDoublesNoText() {
        world.provider.enqueue(Reply.sse()
                .role()
                .text("a")
                .event("{not json}")
                .text("b")
                .finish("stop")
                .done());
        List<RunEvent> events = watch(world.single(), "Go", o -> {});
        assertThat(shown(events)).isEqualTo("a");
        assertThat(events)
                .anyMatch(event -> event instanceof RunEvent.Error e && e.code().equals("model-protocol"));
        assertThat(world.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void p13LegalButNastyFramingLosesNothing() {
        world.provider.enqueue(Reply.sse()
                .byteOrderMark()
                .lineEnding("\r\n")
                .comment("hello")
                .role()
                .text("naïve ", "🚀 ", "done")
                .finish("stop")
                .done()
                .chunkSplit(1));
        assertThat(generate().text()).isEqualTo("naïve 🚀 done");
    }

    @Test
    void p14InvalidArgumentsAreNotExecutedAndNamed() {
        world.provider.enqueue(addCall("{\"a\":1,"), Reply.text("ok"));
        assertThat(generate().text()).isEqualTo("ok");
        assertThat(world.sums).hasValue(0);
        assertThat(world.lastToolMessage()).contains("invalid JSON").contains("column");
    }

    @Test
    void p15ArgumentsThatBreakTheSchemaNameBothFields() {
        world.provider.enqueue(addCall("{\"a\":\"x\"}"), Reply.text("ok"));
        generate();
        assertThat(world.sums).hasValue(0);
        assertThat(world.lastToolMessage()).contains("/a").contains("'b'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"b\":2,\"admin\":true}",
                "{\"__proto__\":{\"polluted\":1},\"constructor\":{},\"@class\":\"java.lang.Runtime\",\"a\":1,\"b\":2}"
            })
    void p15xAndP30UndeclaredKeysNeverReachTheTool(String arguments) {
        world.provider.enqueue(addCall(arguments), Reply.text("ok"));
        generate();
        assertThat(world.sumArguments).containsExactly("Sum[a=1.0, b=2.0]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"launchMissiles", ""})
    void p16AndP17AnUnknownOrEmptyToolNameGetsTheListOfTools(String name) {
        world.provider.enqueue(Reply.toolCalls(Reply.call("c1", name, "{}")), Reply.text("ok"));
        assertThat(generate().text()).isEqualTo("ok");
        assertThat(world.lastToolMessage()).contains("Available tools: add");
    }

    @Test
    void p17iAnEmptyCallIdIsReplacedAndPairsMatch() {
        world.provider.enqueue(
                Reply.toolCalls(Reply.call("", "add", "{\"a\":1,\"b\":2}"), Reply.call("", "add", "{\"a\":3,\"b\":4}")),
                Reply.text("ok"));
        assertThat(generate().text()).isEqualTo("ok");
        assertThat(world.sums).hasValue(2);
    }

    @Test
    void p18ArgumentsOverTheCapAreRefused() {
        String huge = "{\"a\":1,\"b\":2,\"c\":\"" + "x".repeat(1_000_000) + "\"}";
        world.provider.enqueue(Reply.toolCalls(Reply.call("c1", "add", huge)).fragment(64), Reply.text("ok"));
        RunResult result = world.single().generate("Go", o -> o.limit(Limit.OUTPUT_CHARACTERS, 5_000_000));
        assertThat(result.text()).isEqualTo("ok");
        assertThat(world.sums).hasValue(0);
        assertThat(result.toolResults().getFirst().error().orElseThrow()).contains("262144");
    }

    @Test
    void p19ACutAnswerRunsNoTool() {
        world.provider.enqueue(Reply.sse()
                .role()
                .toolCall(0, Reply.call("c1", "add", "{\"a\":1,\"b\":"))
                .finish("length")
                .done());
        assertThat(generate().stopReason()).isEqualTo(new StopReason.OutputTruncated());
        assertThat(world.sums).hasValue(0);
    }

    @Test
    void p20AnEndlessAnswerIsCutAtTheOutputLimit() {
        world.provider.enqueue(Reply.repeated("x".repeat(1_000_000), 50));
        RunResult result = generate();
        assertThat(result.stopReason()).isEqualTo(new StopReason.LimitReached("output"));
        assertThat(result.status()).isEqualTo(RunStatus.INCOMPLETE);
        world.provider.awaitClosed(world.provider.log().getFirst(), GENEROUS);
    }

    @Test
    void p23To26WhatIsNoAnswerIsATypedError() {
        assertThat(faultOf(Reply.html("<h1>Log in</h1>"))).isEqualTo(ModelException.Kind.PROTOCOL);
        assertThat(faultOf(Reply.sse().role().text("a").error("overloaded", 529)))
                .isEqualTo(ModelException.Kind.OVERLOADED);
        assertThat(faultOf(Reply.sse().done())).isEqualTo(ModelException.Kind.EMPTY);
        assertThat(faultOf(Reply.sse().emptyChoices().emptyChoices().done())).isEqualTo(ModelException.Kind.EMPTY);
    }

    @Test
    void p27AModelThatGoesRoundInCirclesIsStoppedAtTheThirdIdenticalCall() {
        world.provider.always(addCall("{\"a\":1,\"b\":2}"));
        assertThat(generate().stopReason()).isEqualTo(new StopReason.LimitReached("identicalCalls"));
        assertThat(world.provider.requestCount()).isEqualTo(3);
        assertThat(world.sums).hasValue(2);
    }

    @Test
    void p27AModelThatNeverEndsIsStoppedAtMaxSteps() {
        world.provider.fallback(request -> addCall("{\"a\":" + request.sequence() + ",\"b\":2}"));
        assertThat(generate().stopReason()).isEqualTo(new StopReason.MaxStepsReached(10));
    }

    @Test
    void p28TheSurplusOfThreeHundredCallsIsRefusedAndAllAreAnswered() {
        FunctionCall[] calls = IntStream.range(0, 300)
                .mapToObj(i -> Reply.call("c" + i, "add", "{\"a\":" + i + ",\"b\":1}"))
                .toArray(FunctionCall[]::new);
        world.provider.enqueue(Reply.toolCalls(calls), Reply.text("ok"));
        RunResult result = generate();
        assertThat(result.text()).isEqualTo("ok");
        assertThat(world.sums).hasValue(16);
        assertThat(result.toolResults()).hasSize(300);
    }

    @Test
    void p32AHundredThousandDeltasArrive() {
        world.provider.enqueue(Reply.repeated("x", 100_000));
        assertThat(generate().text()).hasSize(100_000);
    }

    @Test
    void p33AnHourIsNotWaitedFor() {
        world.provider.enqueue(Reply.status(429).header("Retry-After", "3600"));
        Throwable failure = failure(later(this::generate));
        assertThat(((ModelException) failure.getCause()).retryAfter()).contains(Duration.ofHours(1));
        assertThat(world.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void p36BrokenFramingIsAConnectionFault() {
        assertThat(faultOf(Reply.sse().role().text("a").badChunk())).isEqualTo(ModelException.Kind.CONNECTION);
    }

    @Test
    void p39AndP40FragmentsAreAssembledWhateverTheirOrder() {
        world.provider.enqueue(
                Reply.sse()
                        .role()
                        .toolCall(3, Reply.call("c1", "add", ""))
                        .toolCall(4, Reply.call("c2", "add", ""))
                        .arguments(3, "{\"a\":1,")
                        .arguments(4, "{\"a\":3,")
                        .arguments(3, "\"b\":2}")
                        .arguments(4, "\"b\":4}")
                        .finish("tool_calls")
                        .done(),
                Reply.text("ok"));
        assertThat(generate().text()).isEqualTo("ok");
        assertThat(world.sumArguments).containsExactlyInAnyOrder("Sum[a=1.0, b=2.0]", "Sum[a=3.0, b=4.0]");
    }

    @Test
    void p41ArgumentsSentAsAnObjectAreAccepted() {
        world.provider.enqueue(
                Reply.sse()
                        .role()
                        .delta("{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":"
                                + "{\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":2}}}]}")
                        .finish("tool_calls")
                        .done(),
                Reply.text("ok"));
        generate();
        assertThat(world.sums).hasValue(1);
    }

    @Test
    void p45AFilteredAnswerIsSaidToBeSo() {
        assertThat(stopOf(Reply.text("a", "b").finish("content_filter"))).isEqualTo(new StopReason.ContentFiltered());
        assertThat(world.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void p46StopTogetherWithCompleteCallsRunsThem() {
        world.provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "add", "{\"a\":1,\"b\":2}")).finish("stop"), Reply.text("ok"));
        assertThat(generate().text()).isEqualTo("ok");
        assertThat(world.sums).hasValue(1);
    }

    @Test
    void redirectsAreRefusedAndTheirTargetHearsNothing() {
        try (FaultyWorld other = new FaultyWorld()) {
            assertThat(faultOf(Reply.redirect(307, other.provider.baseUrl() + "/chat/completions")))
                    .isEqualTo(ModelException.Kind.PROTOCOL);
            assertThat(other.provider.requestCount()).isZero();
        }
    }
}
