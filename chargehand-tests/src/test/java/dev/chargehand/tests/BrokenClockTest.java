package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;

import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.TimeSource;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run ends for whoever waits for it, although its clock cannot call off the alarm of the run's time. */
@Timeout(30)
class BrokenClockTest {

    private static final class Stubborn implements TimeSource {

        private final ManualClock clock = new ManualClock();

        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            Alarm alarm = clock.schedule(delay, task);
            return delay.equals(Duration.ofMinutes(30))
                    ? () -> {
                        throw new IllegalStateException("Stubborn.");
                    }
                    : alarm;
        }
    }

    private static TestRuntime runtime() {
        return TestRuntime.builder(ScriptedModel.script().on("solo").says("Hi"))
                .time(new Stubborn())
                .build();
    }

    @Test
    void whoWaitsGetsTheResult() {
        try (TestRuntime test = runtime()) {
            assertThat(test.bind(Crew.solo()).generate("Go")).finished().hasText("Hi");
        }
    }

    @Test
    void whoWatchesSeesTheEnd() {
        try (TestRuntime test = runtime();
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            List<RunEvent> events = new ArrayList<>();
            run.forEach(events::add);
            assertThatEvents(events).arePaired().endWithRunFinish();
            assertThat(run.result()).finished().hasText("Hi");
        }
    }
}
