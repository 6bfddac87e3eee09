package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** An exception that cannot be printed counts as any other: it fails what threw it, and nothing else. */
@Timeout(25) // less than a listener may take
class UnprintableTest {

    private static Script script() {
        return Scripts.on("solo").calls("work", "{}").then().says("Done.");
    }

    /** Returns how the longest line starts. */
    private static String start(String logged) {
        String longest =
                logged.lines().max(Comparator.comparingInt(String::length)).orElse("");
        return longest.substring(0, Math.min(300, longest.length()));
    }

    /** Runs an agent with a tool, at every level of the log. */
    private static RunResult run(Unprintable kind, boolean inTool, Consumer<RunOptions.Builder> options) {
        List<RunResult> results = new ArrayList<>();
        Agent agent = Crew.solo(Steps.tool("work", (in, ctx) -> {
            if (inTool) {
                throw kind.make();
            }
            return "worked";
        }));
        String logged = Logged.ifAny(() -> {
            try (TestRuntime test = TestRuntime.with(script())) {
                results.add(test.bind(agent).generate("Go", options));
            }
        });
        assertThat(logged.length())
                .as(() -> "a line starts with " + start(logged))
                .isLessThan(500_000);
        return results.getFirst();
    }

    @ParameterizedTest
    @EnumSource
    void inAToolItIsAnErrorResult(Unprintable kind) {
        List<RunResult> told = new ArrayList<>();
        assertThat(run(kind, true, o -> o.onFinish(told::add))).finished();
        assertThat(told).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void inAnObserverItIsAHookErrorAndTheRunFinishes(Unprintable kind) {
        List<RunResult> told = new ArrayList<>();
        List<RunEvent> events = new ArrayList<>();
        assertThat(run(kind, false, o -> o.onStepFinish(step -> Steps.failing(kind.make()))
                        .onFinish(result -> {
                            told.add(result);
                            throw kind.make();
                        })
                        .addListener(events::add)))
                .finished();
        assertThat(told).hasSize(1);
        assertThat(events)
                .filteredOn(event -> event instanceof RunEvent.HookError)
                .hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void inAListenerItIsLoggedAndStallsNothing(Unprintable kind) {
        List<RunResult> told = new ArrayList<>();
        List<RunEvent> heard = new ArrayList<>();
        List<RunEvent> heardByIt = new ArrayList<>();
        assertThat(run(kind, false, o -> o.onFinish(told::add)
                        .addListener(event -> {
                            heardByIt.add(event);
                            throw kind.make();
                        })
                        .addListener(heard::add)))
                .finished();
        assertThat(told).hasSize(1);
        assertThat(heardByIt).isEqualTo(heard);
        assertThat(heard).last().isInstanceOf(RunEvent.RunFinish.class);
    }

    @ParameterizedTest
    @EnumSource
    void inAPredicateItCountsAsFalse(Unprintable kind) {
        assertThat(run(kind, false, o -> o.stopWhen(step -> Steps.failing(kind.make()))))
                .finished();
    }

    @ParameterizedTest
    @EnumSource
    void inAScorerItIsAFailedScore(Unprintable kind) {
        RunResult result = run(
                kind,
                false,
                o -> o.completion(Completion.all(Scorer.of("nasty", answer -> Steps.failing(kind.make())))
                        .continueOnFail(false)));
        assertThat(result.stopReason()).isInstanceOf(StopReason.TaskIncomplete.class);
    }

    @ParameterizedTest
    @EnumSource
    void inAHookThatDecidesItFailsTheRunWithACauseThatCanBePrinted(Unprintable kind) {
        List<RunResult> told = new ArrayList<>();
        assertThatThrownBy(() ->
                        run(kind, false, o -> o.onError(told::add).prepareStep(step -> Steps.failing(kind.make()))))
                .isInstanceOfSatisfying(RunFailedException.class, UnprintableTest::print);
        assertThat(told).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void inAProcessorItFailsTheRunWithACauseThatCanBePrinted(Unprintable kind) {
        assertThatThrownBy(() -> run(
                        kind,
                        false,
                        o -> o.outputProcessors(
                                OutputResultProcessor.of("nasty", (context, text) -> Steps.failing(kind.make())))))
                .isInstanceOfSatisfying(RunFailedException.class, UnprintableTest::print);
    }

    private static void print(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        assertThat(text.toString()).contains("Unprintable$Nasty");
    }

    @ParameterizedTest
    @EnumSource
    void inASubscriberItCancelsItsRun(Unprintable kind) {
        String logged = Logged.ifAny(() -> {
            try (TestRuntime test = TestRuntime.with(script())) {
                Agent agent = test.bind(Crew.solo(Steps.tool("work", (in, ctx) -> {
                    Waiting.on(new CountDownLatch(1)); // until the run is cancelled
                    return "worked";
                })));
                RunStream run = agent.stream("Go");
                run.publisher().subscribe(new ThrowingSubscriber(kind));
                assertThat(run.result().stopReason()).isEqualTo(new StopReason.Cancelled("subscription-cancelled"));
            }
        });
        assertThat(logged.length()).isLessThan(500_000);
    }

    private record ThrowingSubscriber(Unprintable kind) implements Flow.Subscriber<RunEvent> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            throw kind.make();
        }

        @Override
        public void onNext(RunEvent event) {}

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onComplete() {}
    }

    @Test
    void aLogThatThrowsBreaksNothing() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.chargehand");
        AppenderBase<ILoggingEvent> broken = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                throw new IllegalStateException(Objects.requireNonNull(line).getMessage());
            }

            @Override
            public synchronized void doAppend(ILoggingEvent line) {
                append(line);
            }
        };
        broken.start();
        logger.setLevel(Level.TRACE);
        logger.addAppender(broken);
        try {
            List<RunResult> told = new ArrayList<>();
            Consumer<RunOptions.Builder> options = o -> o.onFinish(told::add)
                    .onStepFinish(step -> Steps.failing(new IllegalStateException("hook")))
                    .addListener(event -> Steps.failing(new IllegalStateException("listener")));
            Agent agent = Crew.solo(Steps.tool("work", (in, ctx) -> Steps.failing(new IllegalStateException("tool"))));
            try (TestRuntime test = TestRuntime.with(script())) {
                assertThat(test.bind(agent).generate("Go", options)).finished();
            }
            assertThat(told).hasSize(1);
        } finally {
            logger.detachAppender(broken);
            logger.setLevel(null);
        }
    }
}
