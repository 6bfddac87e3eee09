package dev.chargehand.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How far behind a taker is that gets many events at once. */
class SubscriptionTest {

    private static final RunId RUN = RunId.of("run-1");

    @AutoClose
    private final SystemTimeSource time = new SystemTimeSource();

    private final EventSink sink = new EventSink(time, RUN, false, "local");
    private final RunEvents run = new RunEvents(sink, RUN, AgentPath.root("solo"));
    private final Subscription subscription = sink.subscribe(new Subscription.Stall(Duration.ofMinutes(1), () -> {}));

    private void emit(int events) {
        run.emitTogether(() -> {
            for (int i = 0; i < events; i++) {
                run.emitDelta(1, "t", "x", (origin, text) -> new RunEvent.TextDelta(origin, "t", text));
            }
        });
    }

    @Test
    void eventsOfABatchThatWereNotTakenCount() throws InterruptedException {
        emit(EventSink.CAPACITY);
        assertThat(subscription.isFull()).isTrue();
        assertThat(subscription.take()).isPresent();
        assertThat(subscription.isFull()).isFalse();
        emit(1);
        assertThat(subscription.isFull()).isTrue();
    }

    @Test
    void eventsOfABatchAreDiscardedToo() throws InterruptedException {
        emit(2);
        assertThat(subscription.take()).isPresent();
        subscription.discard();
        assertThat(subscription.take()).isEmpty();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aReaderGetsWhatWasEmittedQuietlyWhenItIsWoken() throws Exception {
        CompletableFuture<Optional<RunEvent>> first = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> first.complete(taken()));
        awaitWaiting(reader);
        run.emitQuietly(() -> emit(1));
        run.wakeReaders();
        assertThat(first.get()).isPresent();
        reader.join();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aReaderThatIsFullIsWokenAlthoughEventsAreQuiet() throws Exception {
        int events = 3 * EventSink.CAPACITY;
        CompletableFuture<Integer> read = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            int count = 0;
            while (count < events && taken().isPresent()) {
                count++;
            }
            read.complete(count);
        });
        awaitWaiting(reader);
        run.emitQuietly(() -> {
            for (int i = 0; i < events; i++) {
                run.emit(1, origin -> new RunEvent.TextStart(origin, "t"));
            }
        });
        run.wakeReaders();
        assertThat(read.get()).isEqualTo(events);
        reader.join();
    }

    private Optional<RunEvent> taken() {
        try {
            return subscription.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts this.", e);
        }
    }

    private static void awaitWaiting(Thread reader) {
        while (reader.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void eventsThatAreEmittedTogetherHaveOneTime() throws InterruptedException {
        emit(2);
        RunEvent first = subscription.take().orElseThrow();
        assertThat(subscription.take().orElseThrow().origin()).isSameAs(first.origin());
    }
}
