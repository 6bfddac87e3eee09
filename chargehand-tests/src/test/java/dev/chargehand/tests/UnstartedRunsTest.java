package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.Wakeups;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A caller that waits for a run which no process starts or continues learns that from the log. */
@Timeout(120)
class UnstartedRunsTest {

    @Test
    void waitingForAPendingRunIsLoggedOnceWhereWakeupsAreOff() {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done"), Crew.solo())) {
            RunId runId = submitted(test);

            assertThat(reportsUntilResumed(test, runId))
                    .singleElement()
                    .asString()
                    .contains(runId.value(), "is pending", "Wakeups.off()", "resume(runId)", "Wakeups.own()");
        }
    }

    @Test
    void waitingForARunThatNoProcessExecutesIsLoggedOnce() {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done"), Crew.solo())) {
            RunId runId = left(test);

            assertThat(reportsUntilResumed(test, runId))
                    .singleElement()
                    .asString()
                    .contains(runId.value(), "no living process executes it", "resume(runId)", "recover()");
        }
    }

    private static RunId submitted(TestRuntime test) {
        return test.runtime().submit(test.runtime().agent("solo"), List.of(Message.user("Go.")), o -> {});
    }

    /** Returns a run that has started and that its process has left. */
    private static RunId left(TestRuntime test) {
        RunId runId = submitted(test);
        assertThat(test.runtime().advance(runId, Until.when(() -> true))).isInstanceOf(Advanced.Released.class);
        return runId;
    }

    /** Waits for a run that stands still, resumes it when that is logged, and returns what was. */
    private static List<String> reportsUntilResumed(TestRuntime test, RunId runId) {
        AgentRuntime runtime = test.runtime();
        RunHandle handle = runtime.handle(runId);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.chargehand");
        logger.setLevel(Level.WARN);
        logger.addAppender(lines);
        try {
            CompletableFuture<RunStatus> waiting =
                    CompletableFuture.supplyAsync(() -> handle.result().status());
            Waiting.until("the wait is reported", () -> !reports(lines).isEmpty());
            assertThat(waiting).isNotDone();
            assertThat(runtime.resume(runId, o -> {}).result().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(waiting.join()).isEqualTo(RunStatus.COMPLETED);
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        return reports(lines);
    }

    private static List<String> reports(ListAppender<ILoggingEvent> lines) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("a caller waits for its result"))
                .toList();
    }

    @Test
    void aWaitThatEndsSaysThatTheRunWasNotStarted() {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done"), Crew.solo())) {
            RunId runId = submitted(test);
            assertThatThrownBy(() -> test.runtime().handle(runId).result(Duration.ofMillis(1)))
                    .isInstanceOf(RunNotEndedException.class)
                    .hasMessageContainingAll("had not ended after", "it is pending", "Wakeups.off()", "resume(runId)")
                    .hasMessageNotContaining("continues");
        }
    }

    @Test
    void aSubmittedRunIsNotStartedByARuntimeThatWakesItsOwnRunsOnly() {
        try (TestRuntime test = TestRuntime.builder(Scripts.on("solo").says("Done"))
                .agents(Crew.solo())
                .wakeups(Wakeups.own())
                .build()) {
            RunId runId = submitted(test);
            assertThatThrownBy(() -> test.runtime().handle(runId).result(Duration.ofMillis(1)))
                    .isInstanceOf(RunNotEndedException.class)
                    .hasMessageContainingAll("it is pending", "Wakeups.own()", "resume(runId)", "Wakeups.all()")
                    .hasMessageNotContaining("continues");
            assertThat(reportsUntilResumed(test, runId))
                    .singleElement()
                    .asString()
                    .contains("is pending");
        }
    }

    @Test
    void aRunThatWaitsForItsThreadContinues(@TempDir Path folder) {
        CountDownLatch latch = new CountDownLatch(1);
        try (TestRuntime test = TestRuntime.builder(Scripts.on("solo")
                        .waitsFor(latch)
                        .and()
                        .says("First")
                        .then()
                        .says("Second"))
                .agents(Crew.solo())
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .wakeups(Wakeups.own())
                .build()) {
            RunHandle first = test.agent("solo").start("One.", o -> o.thread("t"));
            RunHandle second = test.agent("solo").start("Two.", o -> o.thread("t"));
            assertThat(test.runtime().runs(RunFilter.ALL))
                    .extracting(RunRecord::status)
                    .containsExactlyInAnyOrder(RunStatus.RUNNING, RunStatus.PENDING);
            assertThatThrownBy(() -> test.runtime().handle(second.runId()).result(Duration.ofMillis(1)))
                    .isInstanceOf(RunNotEndedException.class)
                    .hasMessageContaining("continues");
            latch.countDown();
            assertThat(first.result().text()).isEqualTo("First");
            assertThat(second.result().text()).isEqualTo("Second");
        }
    }

    @Test
    void aWaitThatEndsSaysThatNoProcessExecutesTheRun() {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done"), Crew.solo())) {
            RunId runId = left(test);
            assertThatThrownBy(() -> test.runtime().handle(runId).result(Duration.ofMillis(1)))
                    .isInstanceOf(RunNotEndedException.class)
                    .hasMessageContainingAll("had not ended after", "no living process executes it", "resume(runId)")
                    .hasMessageNotContaining("continues");
        }
    }
}
