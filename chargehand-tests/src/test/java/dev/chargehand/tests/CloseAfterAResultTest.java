package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunReleasedException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A runtime is closed at a moment after a tool has returned: what it returned is stored, and it is not called again. */
@Timeout(30)
class CloseAfterAResultTest extends CloseFixture {

    private final AtomicInteger toolCalls = new AtomicInteger();

    /** How often the time is asked for until the runtime is closed, counted from the return of the tool; 0 for never. */
    private final AtomicInteger readings = new AtomicInteger();

    private final AtomicReference<AgentRuntime> toClose = new AtomicReference<>();
    private final AtomicReference<Thread> closing = new AtomicReference<>();

    /** The clock of the machine, which closes the runtime when it is read for a certain time. */
    private final class ClosingClock implements TimeSource {

        private final TimeSource machine = new SystemTimeSource();

        @Override
        public Instant now() {
            if (toolCalls.get() > 0 && readings.getAndUpdate(left -> Math.max(0, left - 1)) == 1) {
                closeMeanwhile();
            }
            return machine.now();
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            return machine.schedule(delay, task);
        }
    }

    private void closeMeanwhile() {
        Thread close = Thread.ofPlatform().start(toClose.get()::close);
        closing.set(close);
        while (close.getState() != Thread.State.WAITING && close.isAlive()) {
            Thread.onSpinWait(); // it waits for the run when it has released it
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatTheToolReturnedIsStored(int moment) throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        check(agent("lead", script).tools(book(moment)), 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatTwoToolsReturnedIsStored(int moment) throws Exception {
        Script script = Scripts.on(
                "lead", Turn.calls("book", "{\"n\":1}").and(Turn.calls("book", "{\"n\":2}")), Turn.says("Booked"));
        check(agent("lead", script).tools(book(moment)), 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whatTheToolOfASubAgentReturnedIsStored(int moment) throws Exception {
        Script script = Scripts.on("lead").delegates("clerk", "Book.").then().says("Booked");
        script.on("clerk").calls("book", "{}").then().says("It is booked");
        Agent clerk = agent("clerk", script).tools(book(moment)).build();
        check(agent("lead", script).agents(clerk), 1);
    }

    /** Close the runtime of an agent after its tool has returned, and finish its run in another one. */
    private void check(AgentBuilder lead, int calls) throws InterruptedException {
        toClose.set(AgentRuntime.builder()
                .store(store())
                .providers()
                .timeSource(new ClosingClock())
                .agents(lead.build())
                .build());
        RunHandle run = toClose.get().agent("lead").start("Go");
        boolean released = isReleased(run);
        Thread close = closing.get();
        if (close == null) {
            toClose.get().close();
        } else {
            close.join();
        }

        try (AgentRuntime other = runtime(lead, Duration.ofDays(1))) {
            if (released) {
                assertThat(other.resume(run.runId(), o -> {}).result().text()).isEqualTo("Booked");
            }
            assertThat(toolCalls).hasValue(calls);
            assertThat(other.history(run.runId())).noneMatch(RunEvent.ToolError.class::isInstance);
        }
    }

    private static boolean isReleased(RunHandle run) {
        try {
            assertThat(run.result().text()).isEqualTo("Booked");
            return false;
        } catch (RunReleasedException e) {
            return true;
        }
    }

    private Tool book(int moment) {
        return Steps.tool("book", (in, context) -> {
            if (toolCalls.incrementAndGet() == 1) {
                readings.set(moment);
            }
            return "booked";
        });
    }
}
