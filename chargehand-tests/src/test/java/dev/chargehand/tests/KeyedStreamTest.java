package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunStream;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream that is requested again with its key is a stream of the same run. */
@Timeout(120)
class KeyedStreamTest extends KeyedStreamFixture {

    @Test
    void aRunThatHasEndedIsReplayedInAnyProcess() {
        mayAnswer.countDown();
        List<RunEvent> first;
        try (AgentRuntime runtime = runtime()) {
            try (RunStream run = stream(runtime, "Hi")) {
                first = all(run);
            }
        }
        try (AgentRuntime other = runtime();
                RunStream again = stream(other, "Hi")) {
            List<RunEvent> replayed = all(again);

            assertThat(again.runId()).isEqualTo(first.getFirst().runId());
            assertThat(ids(replayed)).isEqualTo(ids(first));
            assertThat(text(replayed)).isEqualTo("Hello, you.");
            assertThat(replayed.getLast().type()).isEqualTo("run-finish");
            assertThat(again.result().text()).isEqualTo("Hello, you.");
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void aLiveRunIsReplayedAndGoesOnAsItHappens() {
        try (AgentRuntime runtime = runtime();
                AgentRuntime other = runtime();
                RunStream first = stream(runtime, "Hi")) {
            Waiting.on(begun);
            try (RunStream second = stream(runtime, "Hi");
                    RunStream third = stream(other, "Hi")) {
                assertThat(second.runId()).isEqualTo(third.runId()).isEqualTo(first.runId());
                Iterator<String> texts = second.textStream().iterator();

                assertThat(texts.next()).isEqualTo("Hello, ");
                mayAnswer.countDown();
                assertThat(texts.next()).isEqualTo("you.");
                assertThat(texts.hasNext()).isFalse();

                List<RunEvent> elsewhere = all(third);
                assertThat(ids(elsewhere)).isEqualTo(ids(all(first)));
                assertThat(text(elsewhere)).isEqualTo("Hello, you.");
                assertThat(asked).hasValue(1);
            }
        }
    }

    @Test
    void twoProcessesAtOnceStreamOneRun() {
        mayAnswer.countDown();
        try (AgentRuntime one = runtime();
                AgentRuntime two = runtime()) {
            for (int round = 0; round < 10; round++) {
                String key = "key" + round;
                CyclicBarrier meeting = new CyclicBarrier(2);
                List<CompletableFuture<List<RunEvent>>> streams = Stream.of(one, two)
                        .map(runtime -> later(() -> {
                            Waiting.at(meeting);
                            try (RunStream run = runtime.agent("lead").stream("Hi", o -> o.idempotencyKey(key))) {
                                return all(run);
                            }
                        }))
                        .toList();

                assertThat(ids(streams.getFirst().join()))
                        .isNotEmpty()
                        .isEqualTo(ids(streams.getLast().join()));
                assertThat(asked).hasValue(round + 1);
            }
        }
    }

    @Test
    void everyOtherCallWithTheKeyFindsTheRunOfAStream() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime();
                RunStream run = stream(runtime, "Hi")) {
            assertThat(run.result().text()).isEqualTo("Hello, you.");
            Agent lead = runtime.agent("lead");

            assertThat(lead.generate("Hi", o -> o.idempotencyKey("key")).runId())
                    .isEqualTo(run.runId());
            assertThat(lead.start("Hi", o -> o.idempotencyKey("key")).runId()).isEqualTo(run.runId());
            assertThatThrownBy(() -> stream(runtime, "Hello"))
                    .isInstanceOfSatisfying(IdempotencyKeyException.class, e -> assertThat(e.runId())
                            .isEqualTo(run.runId().value()));
            assertThat(runtime.runs(RunFilter.ALL)).hasSize(1);
        }
    }

    @Test
    void aReaderOfARunThatAnotherCallStartedLeavesItAlone() {
        try (AgentRuntime runtime = runtime();
                RunStream first = stream(runtime, "Hi")) {
            Waiting.on(begun);
            try (RunStream closed = stream(runtime, "Hi")) {
                assertThat(closed.iterator().next().type()).isEqualTo("run-start");
            }
            RunStream interrupted = stream(runtime, "Hi");
            Thread.currentThread().interrupt();
            List<RunEvent> read = all(interrupted);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read).extracting(RunEvent::type).doesNotContain("run-finish");
            assertThat(runtime.handle(first.runId()).status()).isEqualTo(RunStatus.RUNNING);

            mayAnswer.countDown();
            assertThat(first.result().text()).isEqualTo("Hello, you.");
        }
    }

    @Test
    void aReaderMayCancelTheRunThatItReads() {
        try (AgentRuntime runtime = runtime();
                RunStream first = stream(runtime, "Hi")) {
            Waiting.on(begun);
            try (RunStream second = stream(runtime, "Hi")) {
                second.cancel();

                assertThat(second.result().status()).isEqualTo(RunStatus.ABORTED);
            }
            assertThat(first.result().status()).isEqualTo(RunStatus.ABORTED);
        }
    }

    @Test
    void closingTheStreamThatStartedTheRunCancelsIt() {
        try (AgentRuntime runtime = runtime()) {
            RunStream first = stream(runtime, "Hi");
            Waiting.on(begun);
            first.close();

            try (RunStream again = stream(runtime, "Hi")) {
                assertThat(again.runId()).isEqualTo(first.runId());
                assertThat(again.result().status()).isEqualTo(RunStatus.ABORTED);
            }
        }
    }

    @Test
    void aStreamWhoseThreadIsBusyIsStoredAndReadInItsTurn() {
        try (AgentRuntime runtime = runtime()) {
            RunHandle holder = runtime.agent("lead").start("First", o -> o.thread("t"));
            Waiting.on(begun);
            try (RunStream waiting = onThread(runtime);
                    RunStream again = onThread(runtime)) {
                assertThat(runtime.handle(waiting.runId()).status()).isEqualTo(RunStatus.PENDING);
                assertThat(again.runId()).isEqualTo(waiting.runId());
                mayAnswer.countDown();

                assertThat(text(all(waiting))).isEqualTo("Hello, you.");
                assertThat(all(again).getLast().type()).isEqualTo("run-finish");
                assertThat(holder.result().text()).isEqualTo("Hello, you.");
            }
        }
    }

    @Test
    void closingAStreamThatWaitsForItsThreadCancelsItsRun() {
        try (AgentRuntime runtime = runtime()) {
            RunHandle holder = runtime.agent("lead").start("First", o -> o.thread("t"));
            Waiting.on(begun);
            RunStream waiting = onThread(runtime);
            waiting.close();

            assertThat(runtime.handle(waiting.runId()).result().stopReason())
                    .isEqualTo(new StopReason.Cancelled("stream-closed"));
            mayAnswer.countDown();
            assertThat(holder.result().text()).isEqualTo("Hello, you.");
        }
    }

    @Test
    void anInterruptOfAStreamThatWaitsForItsThreadCancelsItsRun() {
        try (AgentRuntime runtime = runtime()) {
            RunHandle holder = runtime.agent("lead").start("First", o -> o.thread("t"));
            Waiting.on(begun);
            RunStream interrupted =
                    runtime.agent("lead").stream("Third", o -> o.thread("t").idempotencyKey("third"));
            Thread.currentThread().interrupt();
            List<RunEvent> read = all(interrupted);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read.getLast().type()).isEqualTo("run-finish");
            assertThat(runtime.handle(interrupted.runId()).status()).isEqualTo(RunStatus.ABORTED);
            mayAnswer.countDown();
            assertThat(holder.result().text()).isEqualTo("Hello, you.");
        }
    }

    private static RunStream onThread(AgentRuntime runtime) {
        return runtime.agent("lead").stream("Second", o -> o.thread("t").idempotencyKey("key"));
    }
}
