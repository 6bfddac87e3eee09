package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunStatus;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How long a run waits for its models. */
class TimeLimitsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void aModelThatSaysNothingIsTimedOutAndAskedAgain() {
        Ran ran = Both.ways(() -> Scripts.on("solo").hangs().then().says("Hi"))
                .driving(clock -> {
                    clock.awaitAlarm(MINUTE); // looks at the silence as often as at the first token
                    clock.advance(MINUTE);
                    clock.awaitAlarm(MINUTE);
                    clock.advance(MINUTE);
                    Duration wait = clock.awaitAlarm(Duration.ofMillis(250), Duration.ofMillis(500));
                    clock.advance(wait);
                })
                .run();
        assertThat(ran.result()).finished().hasText("Hi");
        assertThat(ran.events().stream().filter(event -> event.type().equals("step-retry")))
                .singleElement()
                .satisfies(event -> assertThat(event.toJson().text()).contains("model-timeout"));
    }

    @Test
    void aModelThatIsSilentForeverFailsTheRunAfterItsRetries() {
        Ran ran = Both.ways(() -> Scripts.on("solo").hangs())
                .options(o -> o.retries(0).timeLimit(TimeLimit.FIRST_TOKEN, Duration.ofSeconds(20)))
                .passing(Duration.ofSeconds(20))
                .run();
        assertThat(ran.result()).hasStatus(RunStatus.FAILED);
        assertThat(ran.failure().code()).isEqualTo("model-timeout");
        assertThat(ran.failure().retryable()).isTrue();
    }

    @Test
    void aStreamThatFallsSilentIsGivenUpAfterTheIdleLimitNotLater() {
        AtomicReference<CountDownLatch> said = new AtomicReference<>();
        Ran ran = Both.ways(() -> {
                    CountDownLatch latch = new CountDownLatch(1);
                    said.set(latch);
                    return Scripts.on("solo", Turn.of(t -> t.says("Hal")
                            .and()
                            .does(latch::countDown)
                            .and()
                            .hangs()));
                })
                .driving(clock -> {
                    Waiting.on(said.get());
                    clock.awaitAlarm(MINUTE);
                    clock.advance(MINUTE);
                })
                .run();
        assertThat(ran.result()).hasStatus(RunStatus.FAILED).hasText("Hal");
        assertThat(ran.failure().code()).isEqualTo("model-idle");
    }

    @Test
    void everyDeltaStartsTheIdleLimitAnew() {
        AtomicReference<CountDownLatch[]> gates = new AtomicReference<>();
        Ran ran = Both.ways(() -> {
                    CountDownLatch[] g = {
                        new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)
                    };
                    gates.set(g);
                    return Scripts.on(
                            "solo",
                            Turn.says("a")
                                    .and(Turn.does(g[0]::countDown))
                                    .and(Turn.waitsFor(g[1]))
                                    .and(Turn.says("b"))
                                    .and(Turn.does(g[2]::countDown))
                                    .and(Turn.waitsFor(g[3]))
                                    .and(Turn.says("c")));
                })
                .driving(clock -> {
                    CountDownLatch[] g = gates.get();
                    Waiting.on(g[0]);
                    clock.awaitAlarm(MINUTE);
                    clock.advance(Duration.ofSeconds(59));
                    g[1].countDown();
                    Waiting.on(g[2]);
                    clock.advance(Duration.ofSeconds(59));
                    g[3].countDown();
                })
                .run();
        assertThat(ran.result()).finished().hasText("abc");
    }

    @Test
    void aDelegationHasTheLimitsOfARunNotOfATool() {
        Semaphore atWork = new Semaphore(0);
        AtomicReference<CountDownLatch> go = new AtomicReference<>();
        Ran ran = Both.ways(() -> {
                    CountDownLatch latch = new CountDownLatch(1);
                    go.set(latch);
                    return Scripts.of(
                            Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                            Turns.of(
                                    "researcher",
                                    Turn.does(atWork::release)
                                            .and(Turn.waitsFor(latch))
                                            .and(Turn.says("Fact"))));
                })
                .agent(Crew.supervisor())
                .options(o -> o.timeLimit(TimeLimit.FIRST_TOKEN, Duration.ofMinutes(10))
                        .timeLimit(TimeLimit.IDLE, Duration.ofMinutes(10)))
                .driving(clock -> {
                    atWork.acquireUninterruptibly();
                    clock.advance(Duration.ofMinutes(5));
                    go.get().countDown();
                })
                .run();
        assertThat(ran.result()).finished().hasText("Done");
    }
}
