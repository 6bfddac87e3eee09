package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing a runtime whose store lasts releases its runs: another process, or runtime, continues them. */
@Timeout(30)
class CloseTest extends CloseFixture {

    private final CountDownLatch inTool = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger toolCalls = new AtomicInteger();

    @Test
    void theResultOfACallInFlightIsStoredAndNothingElseBegins() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        CountDownLatch released = new CountDownLatch(1);
        AgentRuntime runtime = runtime(agent("lead", script).tools(book()), Duration.ofSeconds(20));
        RunStream run = runtime.agent("lead").stream("Go");
        List<RunEvent> events = new ArrayList<>();
        Thread reader = Thread.ofVirtual().start(() -> run.forEach(events::add));
        inTool.await();
        Thread closer = closer(runtime, released);
        awaitClosing(runtime);
        mayEnd.countDown();
        closer.join();
        reader.join();

        RunReleasedException left = catchThrowableOfType(RunReleasedException.class, run::result);
        assertThat(left.runId()).isEqualTo(run.runId());
        assertThat(left.code()).isEqualTo("run-released");
        assertThat(left.retryable()).isTrue();
        assertThat(events.getLast()).isInstanceOf(RunEvent.RunReleased.class);
        assertThat(events.getLast().type()).isEqualTo("run-released");
        assertThat(script.requests()).hasSize(1);
        assertThat(standing())
                .allMatch(record ->
                        record.status() == RunStatus.RUNNING && record.owner().isEmpty());

        assertThat(resumed(agent("lead", script).tools(book()), left).text()).isEqualTo("Booked");
        assertThat(toolCalls).hasValue(1);
    }

    @Test
    void theAnswerOfAModelInFlightIsStoredAndNotAskedForAgain() throws Exception {
        Script script = Scripts.on(
                "lead", Turn.does(inTool::countDown).and(Turn.waitsFor(mayEnd)).and(Turn.says("Done")));
        List<String> hooks = new ArrayList<>();
        AgentBuilder lead = agent("lead", script).defaultOptions(o -> o.onFinish(result -> hooks.add(result.text())));
        AgentRuntime runtime = runtime(lead, Duration.ofSeconds(20));
        RunStream run = runtime.agent("lead").stream("Go");
        inTool.await();
        Thread closer = closer(runtime, new CountDownLatch(1));
        awaitClosing(runtime);
        mayEnd.countDown();
        closer.join();

        RunReleasedException left = catchThrowableOfType(RunReleasedException.class, run::result);
        assertThat(left.partialText()).isEqualTo("Done");
        assertThat(hooks).isEmpty();
        assertThat(resumed(lead, left).text()).isEqualTo("Done");
        assertThat(script.requests()).hasSize(1);
        assertThat(hooks).containsExactly("Done");
    }

    @Test
    void aReaderOfTextIsNotLeftWithHalfAnAnswer() throws Exception {
        Script script = Scripts.on("lead").says("Let me see.").and().calls("book", "{}");
        AgentRuntime runtime = runtime(agent("lead", script).tools(book()), Duration.ZERO);
        Iterator<String> texts = runtime.agent("lead").stream("Go").textStream().iterator();
        assertThat(texts.next()).isEqualTo("Let me see.");
        inTool.await();
        runtime.close();

        assertThatThrownBy(texts::hasNext).isInstanceOf(RunReleasedException.class);
    }

    @Test
    void aCallThatIsInFlightWhenTheGraceTimeEndsIsAnInterruptedCall() throws Exception {
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("worker", "Book"), Turn.says("Asked")),
                Turns.of("worker", Turn.calls("book", "{}"), Turn.says("Unclear")));
        Agent worker = agent("worker", script).tools(book()).build();
        AgentRuntime runtime = runtime(agent("lead", script).agents(worker), Duration.ofMillis(50));
        CompletableFuture<RunReleasedException> caller = CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(
                        RunReleasedException.class, () -> runtime.agent("lead").generate("Go")),
                work -> Thread.ofVirtual().start(work));
        inTool.await();
        runtime.close();

        assertThat(standing()).hasSize(2).filteredOn(record -> record.isRoot()).allMatch(record -> record.owner()
                .isEmpty());
        RunResult result = resumed(agent("lead", script).agents(worker), caller.get());
        assertThat(result.text()).isEqualTo("Asked");
        assertThat(toolCalls).hasValue(1);
        assertThat(script.requests().getLast().messages().toString()).doesNotContain("booked");
        assertThat(script.requestsOf("worker").getLast().messages().toString()).contains("outcome is unknown");
    }

    @Test
    void aRunWithHooksOfItsCallIsReleasedTooAndTheLogNamesThem() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        AgentRuntime runtime = runtime(agent("lead", script).tools(book()), Duration.ZERO);
        RunStream run = runtime.agent("lead").stream("Go", o -> o.prepareStep(step -> StepPlan.unchanged()));
        inTool.await();

        assertThat(Logged.during(runtime::close)).contains("WARN run " + run.runId() + ": released", "prepareStep");

        assertThatThrownBy(run::result).isInstanceOf(RunReleasedException.class);
        try (AgentRuntime other = runtime(agent("lead", script).tools(book()), Duration.ZERO)) {
            assertThat(other.recover().withoutHooks()).containsExactly(run.runId());
        }
    }

    @Test
    void runsOfAStoreInMemoryAreCancelledAndTheLogSaysSo() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .agents(agent("lead", script).tools(book()).build())
                .build();
        RunStream run = runtime.agent("lead").stream("Go");
        inTool.await();

        assertThat(Logged.during(runtime::close)).contains("run " + run.runId() + ": cancelled", "in memory");
        assertThat(run.result().stopReason()).isEqualTo(new StopReason.Cancelled("shutdown"));
    }

    @Test
    void closingAgainDoesNothingAndNothingStartsAfterwards() {
        Script script = Scripts.on("lead").says("Done");
        AgentRuntime runtime = runtime(agent("lead", script), Duration.ZERO);
        Agent lead = runtime.agent("lead");
        RunResult result = lead.generate("Go");
        runtime.close();
        runtime.close();

        Steps.assertMisconfigured(() -> lead.generate("Go"), "closed");
        assertThatThrownBy(() -> runtime.resume(result.runId(), o -> {}).result())
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(runtime::recover).isInstanceOf(ConfigurationException.class);
        Steps.assertMisconfigured(
                () -> runtime.bind(agent("other", script).build()).generate("Go"));
    }

    @Test
    void closeCallsAtOnceAllReturnWhenItIsClosed() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        AgentRuntime runtime = runtime(agent("lead", script).tools(book()), Duration.ofSeconds(20));
        runtime.agent("lead").stream("Go");
        inTool.await();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        closer(runtime, first);
        closer(runtime, second);
        awaitClosing(runtime);

        assertThat(first.getCount() + second.getCount()).isEqualTo(2);
        mayEnd.countDown();
        first.await();
        second.await();
        assertThat(standing()).allMatch(record -> record.owner().isEmpty());
    }

    @Test
    void aToolMayCloseItsRuntime() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        CompletableFuture<AgentRuntime> own = new CompletableFuture<>();
        Tool closing = tool("book", () -> own.join().close());
        AgentRuntime runtime = runtime(agent("lead", script).tools(closing), Duration.ofMillis(50));
        own.complete(runtime);

        assertThatThrownBy(() -> runtime.agent("lead").generate("Go")).isInstanceOf(RunReleasedException.class);
        runtime.close();
        assertThat(standing()).allMatch(record -> record.status() == RunStatus.RUNNING);
    }

    @Test
    void aListenerMayCloseItsRuntime() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        CompletableFuture<AgentRuntime> own = new CompletableFuture<>();
        AgentRuntime runtime = AgentRuntime.builder()
                .store(store())
                .providers()
                .closeGrace(Duration.ofMillis(50))
                .agents(agent("lead", script).tools(book()).build())
                .addListener(event -> {
                    if (event instanceof RunEvent.ToolCall) {
                        own.join().close();
                    }
                })
                .build();
        own.complete(runtime);

        assertThatThrownBy(() -> runtime.agent("lead").generate("Go")).isInstanceOf(RunReleasedException.class);
    }

    @Test
    void aClockThatStandsStillKeepsNoRuntimeOpen() throws Exception {
        Script script = Scripts.on("lead").calls("book", "{}").then().says("Booked");
        AgentRuntime runtime = AgentRuntime.builder()
                .store(store())
                .providers()
                .timeSource(new ManualClock())
                .closeGrace(Duration.ofMillis(50))
                .agents(agent("lead", script).tools(book()).build())
                .build();
        CompletableFuture<RunResult> run =
                CompletableFuture.supplyAsync(() -> runtime.agent("lead").generate("Go"));
        inTool.await();

        runtime.close();

        assertThatThrownBy(run::join).hasCauseInstanceOf(RunReleasedException.class);
        mayEnd.countDown();
    }

    private RunResult resumed(AgentBuilder builder, RunReleasedException left) {
        mayEnd.countDown();
        try (AgentRuntime other = runtime(builder, Duration.ZERO)) {
            Recovery recovery = other.recover();
            assertThat(recovery.runIds()).containsExactly(left.runId());
            return recovery.await().getFirst();
        }
    }

    private static Thread closer(AgentRuntime runtime, CountDownLatch closed) {
        return Thread.ofVirtual().start(() -> {
            runtime.close();
            closed.countDown();
        });
    }

    /** It is being closed when it starts nothing any more. */
    private static void awaitClosing(AgentRuntime runtime) {
        while (true) {
            try {
                runtime.resume(new RunId("run_of_nobody"), o -> {}).result();
            } catch (ConfigurationException closed) {
                return;
            } catch (StoreException open) {
                Thread.onSpinWait();
            }
        }
    }

    private Tool book() {
        return tool("book", () -> {
            toolCalls.incrementAndGet();
            inTool.countDown();
            mayEnd.await();
        });
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Tool tool(String name, Work work) {
        return Steps.tool(name, (in, context) -> {
            work.run();
            return "booked";
        });
    }
}
