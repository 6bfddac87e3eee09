package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunHandle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listener does on its thread stays there. */
@Timeout(25) // less than a listener may take
class ListenersTest {

    private static final Duration LIMIT = Duration.ofMinutes(7);

    @Test
    void aListenerThatInterruptsItsThreadReceivesEveryEvent() {
        List<RunEvent> received = new ArrayList<>();
        List<RunEvent> all = new ArrayList<>();
        try (TestRuntime test = TestRuntime.with(Scripts.on("solo").says("Done."))) {
            assertThat(test.bind(Crew.solo()).generate("Go", o -> o.addListener(event -> {
                                received.add(event);
                                Thread.currentThread().interrupt();
                            })
                            .addListener(all::add)))
                    .finished();
        }
        assertThat(received).isEqualTo(all);
        assertThat(all).last().isInstanceOf(RunEvent.RunFinish.class);
    }

    @Test
    void theFirstFaultOfAListenerIsAnEvent() {
        CountDownLatch reported = new CountDownLatch(1);
        List<String> received = new ArrayList<>();
        List<RunEvent> all = new ArrayList<>();
        try (TestRuntime test =
                TestRuntime.with(Scripts.on("solo").waitsFor(reported).and().says("Done."))) {
            assertThat(test.bind(Crew.solo()).generate("Go", o -> o.addListener(event -> {
                                received.add(event.type());
                                throw new IllegalStateException("no disk");
                            })
                            .addListener(event -> {
                                all.add(event);
                                if (event instanceof RunEvent.HookError) {
                                    reported.countDown();
                                }
                            })))
                    .finished();
        }
        assertThat(received).isEqualTo(all.stream().map(RunEvent::type).toList());
        assertThat(faults(all)).singleElement().satisfies(fault -> {
            assertThat(fault.hook()).isEqualTo("listener");
            assertThat(fault.message()).isEqualTo("it threw on run-start: no disk");
        });
        assertThatEvents(all).arePaired().haveGrowingIds().endWithRunFinish();
    }

    @Test
    void oneThatIsLeftBehindIsReported() {
        CountDownLatch reported = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        List<RunEvent> all = new ArrayList<>();
        String[] pieces = new String[400];
        Arrays.fill(pieces, "a");
        try (TestRuntime test = TestRuntime.builder(Scripts.on("solo")
                        .streams(pieces)
                        .and()
                        .waitsFor(reported)
                        .and()
                        .says("Done."))
                .manualClock()
                .build()) {
            RunHandle run = test.bind(Crew.solo()).start("Go", o -> o.timeLimit(TimeLimit.HOOK, LIMIT)
                    .timeLimit(TimeLimit.IDLE, LIMIT.multipliedBy(9))
                    .addListener(event -> await(never))
                    .addListener(event -> {
                        all.add(event);
                        if (event instanceof RunEvent.HookError) {
                            reported.countDown();
                        }
                    }));
            test.clock().awaitAlarm(LIMIT); // the run waits for the listener
            test.clock().advance(LIMIT);
            assertThat(run.result()).finished();
        }
        assertThat(faults(all))
                .singleElement()
                .extracting(RunEvent.HookError::message)
                .isEqualTo("it took longer than 7 min");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<RunEvent.HookError> faults(List<RunEvent> events) {
        return events.stream()
                .filter(RunEvent.HookError.class::isInstance)
                .map(RunEvent.HookError.class::cast)
                .toList();
    }
}
