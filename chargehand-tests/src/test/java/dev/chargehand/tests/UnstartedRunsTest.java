package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A caller that waits for a run which its runtime does not start learns that from the log. */
@Timeout(120)
class UnstartedRunsTest {

    @Test
    void waitingForAPendingRunIsLoggedOnceWhereWakeupsAreOff() {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done"), Crew.solo())) {
            AgentRuntime runtime = test.runtime();
            RunId runId = runtime.submit(runtime.agent("solo"), List.of(Message.user("Go.")), o -> {});
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
            assertThat(reports(lines))
                    .singleElement()
                    .asString()
                    .contains(runId.value(), "Wakeups.off()", "resume(runId)", "Wakeups.own()");
        }
    }

    private static List<String> reports(ListAppender<ILoggingEvent> lines) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("is pending, and a caller waits for its result"))
                .toList();
    }

    @Test
    void aWaitThatEndsSaysThatTheRunWasNotStarted() {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done"), Crew.solo())) {
            AgentRuntime runtime = test.runtime();
            RunId runId = runtime.submit(runtime.agent("solo"), List.of(Message.user("Go.")), o -> {});
            assertThatThrownBy(() -> runtime.handle(runId).result(Duration.ofMillis(1)))
                    .isInstanceOf(RunNotEndedException.class)
                    .hasMessageContainingAll("had not ended after", "it is pending", "Wakeups.off()", "resume(runId)")
                    .hasMessageNotContaining("continues");
        }
    }
}
