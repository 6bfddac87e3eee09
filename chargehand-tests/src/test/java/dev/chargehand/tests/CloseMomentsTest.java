package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunStream;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A runtime is closed while a run waits for something that need not come, or has more to do than it may begin. */
@Timeout(30)
class CloseMomentsTest extends CloseFixture {

    private static final Duration LONG = Duration.ofDays(1);

    /** Long enough for a close that waits for nothing. */
    private static final Duration A_WHILE = Duration.ofMillis(300);

    private final CountDownLatch there = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger toolCalls = new AtomicInteger();

    @Test
    void aRunThatWaitsForItsThreadIsReleasedThoughNothingOfItIsStored() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        AgentRuntime runtime = runtime(agent("lead", script).tools(book()), Duration.ofMillis(50));
        RunStream first = runtime.agent("lead").stream("Go", o -> o.thread("t"));
        there.await();
        RunStream second = runtime.agent("lead").stream("Go on", o -> o.thread("t"));
        runtime.close();

        List<RunEvent> events = new ArrayList<>();
        second.forEach(events::add);
        assertThat(events).singleElement().isInstanceOf(RunEvent.RunReleased.class);
        assertThat(released(second))
                .hasMessageContaining("had not started")
                .hasMessageContaining("nothing of it is stored");
        assertThat(released(first)).hasMessageContaining("recover()");
        assertThat(standing()).extracting(RunRecord::runId).containsExactly(first.runId());
    }

    @Test
    void aRunThatWaitsToAskItsModelAgainDoesNotWaitAnyMore() throws Exception {
        Script script = Scripts.on(
                "lead",
                Turn.does(there::countDown)
                        .and(Turn.failsWith(new ModelException(
                                ModelException.Kind.RATE_LIMIT,
                                true,
                                Duration.ofSeconds(50),
                                "Too many requests.",
                                null))),
                Turn.says("Done"));
        AgentRuntime runtime = runtime(agent("lead", script), LONG);
        RunStream run = runtime.agent("lead").stream("Go");
        for (RunEvent event : run) {
            if (event instanceof RunEvent.StepRetry) {
                break;
            }
        }
        runtime.close();

        assertThat(released(run).runId()).isEqualTo(run.runId());
        assertThat(script.requests()).hasSize(1);
        assertThat(standing()).hasSize(1).allMatch(record -> record.owner().isEmpty());
    }

    @Test
    void aRunWhoseInputIsLookedAtIsReleasedWhenThatIsDone() throws Exception {
        Script script = Scripts.on("lead").says("Done");
        AgentBuilder lead = agent("lead", script)
                .defaultOptions(o -> o.inputProcessors(InputProcessor.of("slow", (context, messages) -> {
                    there.countDown();
                    mayEnd.await();
                    return Processed.unchanged();
                })));
        AgentRuntime runtime = runtime(lead, Duration.ofMillis(50));
        RunStream run = runtime.agent("lead").stream("Go");
        there.await();
        runtime.close();

        assertThat(released(run)).hasMessageContaining("nothing of it is stored");
        assertThat(script.requests()).isEmpty();
        assertThat(standing()).isEmpty();
    }

    @Test
    void whatAlreadyWaitsForAnAnswerIsLeftAsItIs() {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        Tool asking = Steps.approvedTool("book", (in, context) -> "booked");
        AgentRuntime runtime = runtime(agent("lead", script).tools(asking), LONG);
        RunStream run = runtime.agent("lead").stream("Go");
        assertThat(run.result().status()).isEqualTo(RunStatus.SUSPENDED);
        runtime.close();

        assertThat(run.result().pendingApprovals()).hasSize(1);
        try (Store store = store()) {
            assertThat(store.find(run.runId()).orElseThrow().status()).isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void callsThatHaveNotStartedAreNotSaidToHave() throws Exception {
        Script script = Scripts.on(
                "lead",
                Turn.calls("book", "{\"n\":1}")
                        .and(Turn.calls("book", "{\"n\":2}"))
                        .and(Turn.calls("book", "{\"n\":3}")),
                Turn.says("Booked"));
        AgentBuilder lead = agent("lead", script).tools(book()).defaultOptions(o -> o.toolCallConcurrency(1));
        AgentRuntime runtime = runtime(lead, Duration.ofMillis(50));
        RunStream run = runtime.agent("lead").stream("Go");
        there.await();
        runtime.close();
        released(run);
        assertThat(toolCalls).hasValue(1);
        mayEnd.countDown();

        try (AgentRuntime other = runtime(lead, LONG)) {
            assertThat(other.resume(run.runId(), o -> {}).result().text()).isEqualTo("Booked");
            assertThat(toolCalls).hasValue(3);
            assertThat(other.history(run.runId()).stream()
                            .filter(RunEvent.ToolError.class::isInstance)
                            .map(event -> ((RunEvent.ToolError) event).message()))
                    .singleElement()
                    .asString()
                    .contains("outcome is unknown");
        }
    }

    @Test
    void anotherRuntimeOfTheSameProcessContinuesItAtOnceThoughTheOldToolNeverEnds() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        AgentBuilder lead = agent("lead", script).tools(book());
        AgentRuntime runtime = runtime(lead, Duration.ZERO);
        RunStream run = runtime.agent("lead").stream("Go");
        there.await();
        try (AgentRuntime other = runtime(lead, LONG)) {
            runtime.close();
            released(run);

            assertThat(other.resume(run.runId(), o -> {}).result().text()).isEqualTo("Booked");
        }
    }

    @Test
    void aRunThatIsBeingClaimedIsGivenBackBeforeTheStoreIsClosed() throws Exception {
        assertThat(closedWhileItIsClaimedBy((second, run) -> second.resume(run, o -> {})))
                .hasSize(1)
                .allMatch(record -> record.owner().isEmpty());
    }

    @Test
    void aRunThatIsBeingClaimedByACancelIsEndedBeforeTheStoreIsClosed() throws Exception {
        assertThat(closedWhileItIsClaimedBy(AgentRuntime::cancel)).isEmpty();
    }

    /** Returns the runs that are stored as executed afterwards. */
    private List<RunRecord> closedWhileItIsClaimedBy(BiConsumer<AgentRuntime, RunId> call) throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        AgentBuilder lead = agent("lead", script).tools(book());
        AgentRuntime first = runtime(lead, Duration.ZERO);
        RunStream run = first.agent("lead").stream("Go");
        there.await();
        first.close();
        released(run);
        mayEnd.countDown();

        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        AgentRuntime second = AgentRuntime.builder()
                .store(slowToSayThatItHasClaimed(claimed, mayReturn))
                .providers()
                .agents(lead.build())
                .build();
        Thread claiming = Thread.ofVirtual().start(() -> {
            Throwable ignored = catchThrowable(() -> call.accept(second, run.runId()));
        });
        claimed.await();
        Thread close = Thread.ofPlatform().start(second::close);
        boolean isClosed = close.join(A_WHILE);
        mayReturn.countDown();
        close.join();
        claiming.join();

        assertThat(isClosed).isFalse();
        return standing();
    }

    private Store slowToSayThatItHasClaimed(CountDownLatch claimed, CountDownLatch mayReturn) {
        return new ForwardingStore(store()) {
            @Override
            public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
                RunRecord run = super.claim(runId, expectedEpoch, expectedLength, owner);
                claimed.countDown();
                try {
                    mayReturn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return run;
            }
        };
    }

    private static RunReleasedException released(RunStream run) {
        RunReleasedException left = catchThrowableOfType(RunReleasedException.class, run::result);
        assertThat(left).isNotNull();
        return left;
    }

    private Tool book() {
        return Steps.tool("book", (in, context) -> {
            toolCalls.incrementAndGet();
            there.countDown();
            mayEnd.await();
            return "booked";
        });
    }
}
