package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.ProviderOptions;
import dev.chargehand.testkit.provider.reply.Reply;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Much of everything: no quadratic time, no cross-talk, no connection lost. Figures belong to bench. */
@Timeout(120)
class VolumeTest {

    @AutoClose
    private final Loopback wire = new Loopback();

    @Test
    void aMegabyteOfArgumentsInSmallFragmentsIsLinear() throws InterruptedException {
        String arguments = "{\"text\":\"" + "0123456789abcdef".repeat(1 << 16) + "\"}";
        AtomicLong characters = new AtomicLong();
        Recorder call = new Recorder(delta -> {
            if (delta instanceof ModelDelta.ToolCallArguments more) {
                characters.addAndGet(more.fragment().length());
            }
        });
        wire.provider.enqueue(Reply.toolCalls(Reply.call("c", "f", arguments)).fragment(64));
        ModelResponse answer = wire.model.ask(Loopback.request("Hi"), call);
        assertThat(answer.toolCalls().getFirst().arguments()).isEqualTo(arguments);
        assertThat(characters).hasValue(arguments.length());
    }

    @Test
    void aHundredThousandDeltasAreAllTold() throws InterruptedException {
        AtomicLong deltas = new AtomicLong();
        wire.provider.enqueue(Reply.repeated("token ", 100_000));
        ModelResponse answer = wire.model.ask(Loopback.request("Hi"), new Recorder(delta -> deltas.incrementAndGet()));
        assertThat(deltas).hasValue(100_000);
        assertThat(answer.text()).hasSize(600_000);
    }

    @Test
    void fiftyMegabytesPassThrough() throws InterruptedException {
        AtomicLong characters = new AtomicLong();
        wire.provider.enqueue(Reply.repeated("x".repeat(1_000_000), 50));
        ModelResponse answer = wire.model.ask(Loopback.request("Hi"), new Recorder(delta -> {
            if (delta instanceof ModelDelta.Text more) {
                characters.addAndGet(more.text().length());
            }
        }));
        assertThat(characters).hasValue(50_000_000);
        assertThat(answer.text()).hasSize(50_000_000);
    }

    @Test
    void anAnswerOverItsLimitIsRefused() {
        ModelException e = wire.fail(Reply.repeated("x".repeat(1_000_000), 70));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.TOO_LARGE);
        assertThat(e.retryable()).isFalse();
    }

    @Test
    void callsInARowShareOneConnection() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            assertThat(wire.ask(i % 3 == 2 ? Reply.toolCalls(Reply.call("c", "f", "{}")) : Reply.text("ok"))
                            .finish()
                            .isComplete())
                    .isTrue();
        }
        wire.fail(Reply.error(400, "no"));
        wire.ask(Reply.text("ok"));
        assertThat(wire.provider.log())
                .extracting(e -> e.request().connection())
                .containsOnly(1L);
    }

    @Test
    void aConnectionThatTheServerClosesWithNoticeIsNotUsedAgain() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            assertThat(wire.ask(Reply.text("ok").header("Connection", "close")).text())
                    .isEqualTo("ok");
        }
        assertThat(wire.provider.log())
                .extracting(e -> e.request().connection())
                .doesNotHaveDuplicates();
    }

    @Test
    void twoHundredAtOnceEachGetTheirOwnAnswerOnFewConnections() throws Exception {
        int callers = 200;
        int rounds = 5;
        Map<String, String> wrong = new ConcurrentHashMap<>();
        try (LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT);
                OpenAiModel model = OpenAiModel.builder()
                        .baseUrl(provider.baseUrl())
                        .model("m")
                        .build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch all = new CountDownLatch(callers);
            provider.fallback(request -> {
                all.countDown();
                awaitOrGoOn(all);
                String marker = request.lastUserText();
                return Reply.text("<", marker, "|", marker, ">")
                        .reasoning(marker)
                        .between(Duration.ofMillis(1));
            });
            Future<?>[] done = new Future<?>[callers];
            Arrays.setAll(
                    done,
                    caller -> threads.submit(() -> {
                        for (int round = 0; round < rounds; round++) {
                            String marker = "caller-" + caller + "-" + round;
                            Recorder call = new Recorder();
                            ModelResponse answer = model.ask(Loopback.request(marker), call);
                            if (!answer.text().equals("<" + marker + "|" + marker + ">")
                                    || !answer.reasoning().equals(marker)
                                    || !call.text().equals(answer.text())) {
                                wrong.put(marker, answer.text());
                            }
                        }
                        return null;
                    }));
            for (Future<?> each : done) {
                each.get();
            }
            assertThat(wrong).isEmpty();
            assertThat(provider.peakInFlight()).isEqualTo(callers);
            assertThat(provider.requestCount()).isEqualTo((long) callers * rounds);
            assertThat(provider.log().stream()
                            .map(e -> e.request().connection())
                            .distinct()
                            .count())
                    .isLessThanOrEqualTo(callers);
            provider.verify();
        }
    }

    private static void awaitOrGoOn(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
