package dev.chargehand.tests.faults;

import static dev.chargehand.tests.faults.FaultyWorld.failure;
import static dev.chargehand.tests.faults.FaultyWorld.later;
import static dev.chargehand.tests.faults.FaultyWorld.shown;
import static dev.chargehand.tests.faults.FaultyWorld.watch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.testkit.provider.reply.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Retries over a real socket; each test begins with the id of the fault. */
class RetryFaultsTest {

    @RegisterExtension
    final FaultyWorld world = new FaultyWorld();

    /** Turns the clock until the run is done, and returns the waits between attempts that it was told. */
    private List<Duration> waitsOf(CompletableFuture<List<RunEvent>> run) {
        world.turnUntilDone(run);
        List<Duration> waits = new ArrayList<>();
        for (RunEvent event : run.join()) {
            if (event instanceof RunEvent.StepRetry retry) {
                waits.add(retry.delay());
            }
        }
        return waits;
    }

    @Test
    void r01AndP03TransientErrorsAreRetriedWithGrowingJitteredWaits() {
        world.provider.enqueue(Reply.status(500), Reply.status(500), Reply.text("ok"));
        CompletableFuture<List<RunEvent>> run = later(() -> watch(world.single(), "Go", o -> o.retries(3)));
        List<Duration> waits = waitsOf(run);
        assertThat(shown(run.join())).isEqualTo("ok");
        assertThat(waits).hasSize(2);
        assertThat(waits.get(0)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
        assertThat(waits.get(1)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    }

    @Test
    void p04EndlessServerErrorsEndTheRunAfterTwoRetries() {
        world.provider.always(Reply.status(500));
        CompletableFuture<List<RunEvent>> run = later(() -> watch(world.single(), "Go", o -> {}));
        assertThat(waitsOf(run)).hasSize(2);
        assertThat(run.join())
                .anyMatch(event -> event instanceof RunEvent.Error e && e.code().equals("model-overloaded"));
        assertThat(world.provider.requestCount()).isEqualTo(3);
    }

    @Test
    void r02RetryAfterIsTheLeastWait() {
        world.provider.enqueue(Reply.status(429).header("Retry-After", "4"), Reply.text("ok"));
        CompletableFuture<List<RunEvent>> run = later(() -> watch(world.single(), "Go", o -> o.retries(3)));
        assertThat(waitsOf(run)).containsExactly(Duration.ofSeconds(4));
    }

    @Test
    void p06AResetBeforeTheHeadersIsRetried() {
        world.provider.enqueue(Reply.connection().reset(), Reply.text("ok"));
        CompletableFuture<List<RunEvent>> run = later(() -> watch(world.single(), "Go", o -> {}));
        waitsOf(run);
        assertThat(shown(run.join())).isEqualTo("ok");
        assertThat(world.provider.requestCount()).isEqualTo(2);
    }

    @Test
    void r03AResetInMidStreamShowsNoTextTwice() {
        world.provider.enqueue(Reply.sse().role().text("a", "b").reset(), Reply.text("a", "b", "c"));
        CompletableFuture<List<RunEvent>> run = later(() -> watch(world.single(), "Go", o -> o.retries(3)));
        waitsOf(run);
        assertThat(shown(run.join())).isEqualTo("abc");
    }

    @Test
    void r04AWrongKeyIsNotRetriedHoweverManyRetriesThereAre() {
        world.provider.always(Reply.status(401));
        failure(later(() -> world.single().generate("Go", o -> o.retries(3))));
        assertThat(world.provider.requestCount()).isEqualTo(1);
    }
}
