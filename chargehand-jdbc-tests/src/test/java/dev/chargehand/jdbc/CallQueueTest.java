package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.CallQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallQueueTest {

    private final CallQueue queue = new CallQueue(3);

    @Test
    void callsAreTakenInTheOrderInWhichTheyCame() {
        Call<Integer> first = call();
        Call<Integer> second = call();
        put(first);
        put(second);

        assertThat(queue.take(5)).containsExactly(first, second);
    }

    @Test
    void noMoreAreTakenThanAskedFor() {
        IntStream.range(0, 3).forEach(i -> put(call()));

        assertThat(queue.take(2)).hasSize(2);
        assertThat(queue.take(2)).hasSize(1);
    }

    @Test
    void aFullQueueTakesNoMoreWhenTheTimeIsOver() {
        IntStream.range(0, 3).forEach(i -> put(call()));

        assertThat(queue.put(call(), System.nanoTime())).isEqualTo(CallQueue.Put.FULL);
        assertThat(queue.size()).isEqualTo(3);
    }

    @Test
    void whoWaitsForAPlaceGetsTheNextOne() throws Exception {
        IntStream.range(0, 3).forEach(i -> put(call()));
        Call<Integer> patient = call();
        CompletableFuture<CallQueue.Put> waiting = CompletableFuture.supplyAsync(() -> put(patient));

        assertThat(queue.take(1)).hasSize(1);

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(CallQueue.Put.DONE);
        assertThat(queue.take(3)).hasSize(3).endsWith(patient);
    }

    @Test
    void aClosedQueueGivesWhatItHoldsAndTakesNoMore() {
        IntStream.range(0, 3).forEach(i -> put(call()));

        queue.close();

        assertThat(put(call())).isEqualTo(CallQueue.Put.CLOSED);
        assertThat(queue.take(2)).hasSize(2);
        assertThat(queue.take(2)).hasSize(1);
        assertThat(queue.take(2)).isEmpty();
    }

    @Test
    void closingWakesWhoWaits() throws Exception {
        CompletableFuture<Integer> taker =
                CompletableFuture.supplyAsync(() -> queue.take(1).size());
        CallQueue full = new CallQueue(0);
        CompletableFuture<CallQueue.Put> putter =
                CompletableFuture.supplyAsync(() -> full.put(call(), System.nanoTime() + TimeUnit.HOURS.toNanos(1)));

        queue.close();
        full.close();

        assertThat(taker.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(putter.get(30, TimeUnit.SECONDS)).isEqualTo(CallQueue.Put.CLOSED);
    }

    @Test
    void anInterruptIsKeptForLater() {
        Thread.currentThread().interrupt();

        assertThat(put(call())).isEqualTo(CallQueue.Put.DONE);
        assertThat(new CallQueue(0).put(call(), System.nanoTime() + 1000)).isEqualTo(CallQueue.Put.FULL);
        assertThat(Thread.interrupted()).isTrue();
    }

    private CallQueue.Put put(Call<Integer> call) {
        return queue.put(call, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
    }

    private static Call<Integer> call() {
        return new Call<>(session -> 1);
    }
}
