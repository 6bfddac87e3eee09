package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A clock that throws costs nobody the result of a run, its end or its limits: the machine's steps in. */
@Timeout(30)
class BrokenClockTest {

    private enum Broken {
        NOW,
        NANO_TIME,
        SCHEDULE,
        SCHEDULE_AFTER_THE_DEED,
        CANCEL,
        ALL
    }

    /** The machine's clock, of which a part throws. */
    private record Clock(Broken broken, TimeSource machine) implements TimeSource {

        private void breaks(Broken part) {
            if (broken == part || broken == Broken.ALL) {
                throw new IllegalStateException("The clock is broken.");
            }
        }

        @Override
        public Instant now() {
            breaks(Broken.NOW);
            return machine.now();
        }

        @Override
        public long nanoTime() {
            breaks(Broken.NANO_TIME);
            return machine.nanoTime();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            breaks(Broken.SCHEDULE);
            Alarm alarm = machine.schedule(delay, task);
            breaks(Broken.SCHEDULE_AFTER_THE_DEED);
            return () -> {
                breaks(Broken.CANCEL);
                alarm.cancel();
            };
        }
    }

    private final ScheduledExecutorService alarms = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());

    @AfterEach
    void stop() {
        alarms.shutdownNow();
    }

    private final class Machine implements TimeSource {

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            Future<?> alarm = alarms.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> alarm.cancel(false);
        }
    }

    private TestRuntime runtime(Broken broken, Script script) {
        return TestRuntime.builder(script)
                .time(new Clock(broken, new Machine()))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsGetsTheResult(Broken broken) {
        try (TestRuntime test = runtime(broken, Scripts.on("solo").says("Hi"))) {
            assertThat(test.bind(Crew.solo()).generate("Go")).finished().hasText("Hi");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoWatchesSeesTheEnd(Broken broken) {
        try (TestRuntime test = runtime(broken, Scripts.on("solo").says("Hi"));
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            List<RunEvent> events = new ArrayList<>();
            run.forEach(events::add);
            assertThatEvents(events).arePaired().endWithRunFinish();
            assertThat(run.result()).finished().hasText("Hi");
        }
    }

    @ParameterizedTest
    @EnumSource
    void limitsHoldAllTheSame(Broken broken) {
        try (TestRuntime test = runtime(broken, Scripts.on("solo").hangs())) {
            RunResult result =
                    test.bind(Crew.solo()).generate("Go", o -> o.timeLimit(TimeLimit.RUN, Duration.ofMillis(200)));

            assertThat(result)
                    .hasStatus(RunStatus.INCOMPLETE)
                    .stoppedBecause(new StopReason.LimitReached(TimeLimit.RUN.key()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatHangsIsLeftBehind(Broken broken) {
        Tool hanging = Steps.tool("hang", (in, context) -> {
            new CountDownLatch(1).await();
            return "never";
        });
        Script script = Scripts.on(
                "solo",
                Turn.calls("hang", "{}"),
                Turn.answers(request -> Steps.said(Wire.line(request.messages().getLast()))));
        try (TestRuntime test = runtime(broken, script)) {
            RunResult result = test.bind(Crew.solo(hanging))
                    .generate("Go", o -> o.timeLimit(TimeLimit.TOOL, Duration.ofMillis(200)));

            assertThat(result).finished();
            Assertions.assertThat(result.text()).contains("took longer than");
        }
    }
}
