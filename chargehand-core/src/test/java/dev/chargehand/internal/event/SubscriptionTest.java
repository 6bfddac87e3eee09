package dev.chargehand.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

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
    void eventsThatAreEmittedTogetherHaveOneTime() throws InterruptedException {
        emit(2);
        RunEvent first = subscription.take().orElseThrow();
        assertThat(subscription.take().orElseThrow().origin()).isSameAs(first.origin());
    }
}
