package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Who reads the events of a run: slowly, by halves, not at all, or by hanging. */
class StreamConsumerTest extends StreamFixture {

    private static Script many(int deltas) {
        return Scripts.on("solo").streams(Collections.nCopies(deltas, "x").toArray(String[]::new));
    }

    @Test
    void aSecondViewIsRefused() {
        try (TestRuntime test = TestRuntime.with(many(1));
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            var first = run.iterator();
            assertThat(first).isNotNull();
            assertThatThrownBy(run::iterator)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("listener");
            assertThatThrownBy(run::textStream).isInstanceOf(ConfigurationException.class);
            assertThatThrownBy(run::publisher).isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void aViewThatComesTooLateSaysWhatCameBefore() {
        try (TestRuntime test = TestRuntime.with(many(1).then().says("Two."))) {
            RunStream closed = test.bind(Crew.solo()).stream("Go");
            closed.close();
            assertThatThrownBy(closed::iterator)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("The stream of run " + closed.runId() + " is closed", "watch");
            try (RunStream run = test.bind(Crew.solo()).stream("Go")) {
                assertThat(run.result()).finished();
                assertThatThrownBy(run::textStream)
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContainingAll("result() has discarded the events", "before result()");
            }
        }
    }

    @Test
    void theResultDrainsWhatNobodyRead() {
        try (TestRuntime test = TestRuntime.with(many(5_000));
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            assertThat(run.result()).finished();
            assertThat(run.result().text()).hasSize(5_000);
        }
    }

    @Test
    void theIterationEnds() {
        try (TestRuntime test = TestRuntime.with(many(1));
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            Iterator<RunEvent> events = run.iterator();
            while (events.hasNext()) {
                events.next();
            }
            assertThat(events.hasNext()).isFalse();
            assertThatThrownBy(events::next).isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    void aSlowConsumerLosesNothing() {
        try (TestRuntime test = TestRuntime.builder(many(3_000)).unrecorded().build();
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            StringBuilder read = new StringBuilder();
            Iterator<RunEvent> events = run.iterator();
            while (events.hasNext()) {
                if (events.next() instanceof RunEvent.TextDelta delta) {
                    read.append(delta.text());
                    LockSupport.parkNanos(1);
                }
            }
            assertThat(read).hasSize(3_000);
        }
    }

    @Test
    void aConsumerThatTakesNothingMakesTheRunWaitAndThenCancelsIt() {
        CountDownLatch all = new CountDownLatch(1);
        Script script = many(1_000).and().does(all::countDown);
        try (TestRuntime test =
                        TestRuntime.builder(script).manualClock().unrecorded().build();
                RunStream run = test.bind(Crew.solo()).stream(
                        "Go", o -> o.timeLimit(TimeLimit.CONSUMER, Duration.ofSeconds(7)))) {
            test.clock().awaitAlarm(Duration.ofSeconds(7));
            assertThat(all.getCount()).isEqualTo(1);
            test.clock().advance(Duration.ofSeconds(7));
            assertThat(run.result()).stoppedBecause(new StopReason.Cancelled("consumer-timeout"));
        }
    }

    @Test
    void waitingForTheConsumerIsNotChargedToTheModel() {
        try (TestRuntime test = TestRuntime.builder(many(1_000))
                        .manualClock()
                        .unrecorded()
                        .build();
                RunStream run =
                        test.bind(Crew.solo()).stream("Go", o -> o.timeLimit(TimeLimit.CONSUMER, Duration.ofMinutes(20))
                                .timeLimit(TimeLimit.IDLE, Duration.ofSeconds(3)))) {
            test.clock().awaitAlarm(Duration.ofMinutes(20));
            test.clock().advance(Duration.ofMinutes(19));
            List<RunEvent> events = new ArrayList<>();
            run.forEach(events::add);
            assertThat(run.result()).finished();
            assertThatEvents(events).arePaired().endWithRunFinish();
        }
    }

    @Test
    void aListenerHearsEverythingAlsoOfGenerate() {
        List<RunEvent> heard = Collections.synchronizedList(new ArrayList<>());
        try (TestRuntime test = TestRuntime.builder(supervised()).unrecorded().build()) {
            test.bind(crew()).generate("Go", o -> o.addListener(heard::add));
        }
        assertThatEvents(heard).arePaired().endWithRunFinish().haveGrowingIds();
    }

    @Test
    void aListenerThatThrowsGoesOnBeingCalled() {
        List<RunEvent> heard = Collections.synchronizedList(new ArrayList<>());
        try (TestRuntime test = TestRuntime.with(supervised())) {
            assertThat(test.bind(crew())
                            .generate(
                                    "Go",
                                    o -> o.addListener(event -> {
                                        heard.add(event);
                                        throw new IllegalStateException("bad listener");
                                    })))
                    .finished();
            assertThat(heard).isEqualTo(test.events());
        }
    }

    @Test
    void aListenerThatHangsIsDroppedAndTheRunEnds() {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        try (TestRuntime test =
                        TestRuntime.builder(many(1)).manualClock().unrecorded().build();
                RunStream run =
                        test.bind(Crew.solo()).stream("Go", o -> o.timeLimit(TimeLimit.HOOK, Duration.ofSeconds(9))
                                .addListener(event -> {
                                    hanging.countDown();
                                    while (over.getCount() > 0) {
                                        try {
                                            over.await();
                                        } catch (InterruptedException e) {
                                            // deaf
                                        }
                                    }
                                }))) {
            Waiting.on(hanging);
            test.clock().awaitAlarm(Duration.ofSeconds(9));
            test.clock().advance(Duration.ofSeconds(9));
            assertThat(run.result()).finished();
        } finally {
            over.countDown();
        }
    }

    /** Asks for events one by one. */
    private static class OneByOne implements Flow.Subscriber<RunEvent> {
        final List<RunEvent> events = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch subscribed = new CountDownLatch(1);
        final CountDownLatch done = new CountDownLatch(1);
        final AtomicReference<Throwable> error = new AtomicReference<>();
        final AtomicReference<Flow.Subscription> subscription = new AtomicReference<>();

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription.set(given);
            subscribed.countDown();
            given.request(1);
        }

        @Override
        public void onNext(RunEvent event) {
            events.add(event);
            subscription.get().request(1);
        }

        @Override
        public void onError(Throwable throwable) {
            error.set(throwable);
            done.countDown();
        }

        @Override
        public void onComplete() {
            done.countDown();
        }
    }

    @Test
    void aSubscriberGetsEveryEventAndTheCompletion() {
        try (TestRuntime test = TestRuntime.with(supervised());
                RunStream run = test.bind(crew()).stream("Go")) {
            OneByOne subscriber = new OneByOne();
            run.publisher().subscribe(subscriber);
            Waiting.on(subscriber.done);
            assertThat(subscriber.error.get()).isNull();
            assertThat(run.result()).finished();
            assertThat(subscriber.events).isEqualTo(test.events());
        }
    }

    @Test
    void whoWaitsForTheResultTakesNothingFromASubscriber() {
        CountDownLatch resultKnown = new CountDownLatch(1);
        try (TestRuntime test = TestRuntime.with(many(100));
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            OneByOne subscriber = new OneByOne() {
                @Override
                public void onNext(RunEvent event) {
                    Waiting.on(resultKnown);
                    super.onNext(event);
                }
            };
            run.publisher().subscribe(subscriber);
            assertThat(run.result()).finished();
            resultKnown.countDown();
            Waiting.on(subscriber.done);
            assertThat(subscriber.events).isEqualTo(test.events());
        }
    }

    @Test
    void aSubscriberThatCancelsCancelsTheRun() {
        CountDownLatch asked = new CountDownLatch(1);
        Script script = Scripts.on("solo").does(asked::countDown).and().hangs();
        try (TestRuntime test = TestRuntime.with(script);
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            OneByOne subscriber = new OneByOne();
            run.publisher().subscribe(subscriber);
            Waiting.on(asked);
            Waiting.on(subscriber.subscribed);
            subscriber.subscription.get().cancel();
            assertThat(run.result()).stoppedBecause(new StopReason.Cancelled("subscription-cancelled"));
        }
    }

    @Test
    void aSubscriberThatAsksForNothingPositiveGetsAnError() {
        try (TestRuntime test = TestRuntime.with(many(1));
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            OneByOne subscriber = new OneByOne() {
                @Override
                public void onSubscribe(Flow.Subscription given) {
                    given.request(0);
                }
            };
            run.publisher().subscribe(subscriber);
            Waiting.on(subscriber.done);
            assertThat(subscriber.error.get()).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aSubscriberThatThrowsCancelsTheRun() {
        CountDownLatch called = new CountDownLatch(1);
        Script script = Scripts.on("solo").hangs();
        try (TestRuntime test = TestRuntime.with(script);
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            run.publisher().subscribe(new OneByOne() {
                @Override
                public void onNext(RunEvent event) {
                    called.countDown();
                    throw new IllegalStateException("bad subscriber");
                }
            });
            Waiting.on(called);
            assertThat(run.result()).stoppedBecause(new StopReason.Cancelled("subscription-cancelled"));
        }
    }

    @Test
    void aSecondSubscriberIsRefused() {
        try (TestRuntime test = TestRuntime.with(many(1));
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            Flow.Publisher<RunEvent> publisher = run.publisher();
            OneByOne first = new OneByOne();
            publisher.subscribe(first);
            OneByOne second = new OneByOne();
            publisher.subscribe(second);
            Waiting.on(second.done);
            assertThat(second.error.get()).isInstanceOf(IllegalStateException.class);
            Waiting.on(first.done);
            assertThat(first.error.get()).isNull();
        }
    }
}
