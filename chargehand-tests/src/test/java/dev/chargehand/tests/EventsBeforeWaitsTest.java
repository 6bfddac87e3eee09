package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers are woken seldom, but always before their run waits. */
@Timeout(60)
class EventsBeforeWaitsTest {

    /** What a tool needs that needs nothing. */
    private record NoInput() {}

    /** Answers on the thread of its run, with all deltas at once. */
    private record AtOnce(Runnable before, List<ModelResponse.RequestedCall> calls) implements Model {

        @Override
        public String name() {
            return "at-once";
        }

        @Override
        public boolean returnsWhenClosed() {
            return true;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            before.run();
            boolean first = request.messages().size() == 1;
            call.lastDeltas(List.of(new ModelDelta.Text("Hello")));
            return first
                    ? new ModelResponse("Hello", "", calls, FinishReason.TOOL_CALLS, Usage.NONE)
                    : ModelResponse.text("Hello", Usage.NONE);
        }
    }

    /** A thread that reads the events of a run. */
    private static final class Reader {

        private final CompletableFuture<Thread> thread = new CompletableFuture<>();
        private final LinkedBlockingQueue<String> types = new LinkedBlockingQueue<>();
        private final AtomicInteger started = new AtomicInteger();
        private int asked;

        private void read(RunStream run) {
            thread.complete(Thread.ofPlatform().daemon().start(() -> {
                for (RunEvent event : run) {
                    types.add(event.type());
                    if (event.type().endsWith("step-start")) {
                        started.incrementAndGet();
                    }
                }
            }));
        }

        /** Wait until it waits for what a step does: one that is awake needs nobody to wake it. */
        private void awaitWaiting() {
            asked++;
            while (started.get() < asked) {
                Thread.onSpinWait();
            }
            while (thread.join().getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }

        private void await(String wanted) throws InterruptedException {
            String type = types.take();
            while (!type.equals(wanted)) {
                type = types.take();
            }
        }
    }

    private final Reader reader = new Reader();

    @Test
    void aTextIsReadWhileItsAnswerIsBeingStored() throws InterruptedException {
        FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns()).hangOn(FaultyStore.Operation.APPEND, 2);
        try (AgentRuntime runtime = AgentRuntime.builder()
                        .store(store)
                        .timeSource(new ManualClock())
                        .build();
                RunStream run =
                        runtime
                                .bind(Agent.builder("solo")
                                        .model(new AtOnce(reader::awaitWaiting, List.of()))
                                        .build())
                                .stream("Hi")) {
            reader.read(run);
            store.awaitHanging(1);
            reader.await("text-delta");
            store.release();
            reader.await("run-finish");
        }
    }

    @Test
    void aCallIsSeenWhileItsToolWorks() throws InterruptedException {
        CountDownLatch working = new CountDownLatch(1);
        Tool slow = Tool.of("slow", "Works until the test lets it end.", NoInput.class, (input, context) -> {
            working.await();
            return "done";
        });
        AtOnce model = new AtOnce(reader::awaitWaiting, List.of(new ModelResponse.RequestedCall("1", "slow", "{}")));
        try (AgentRuntime runtime =
                        AgentRuntime.builder().timeSource(new ManualClock()).build();
                RunStream run = runtime
                        .bind(Agent.builder("solo").model(model).tools(slow).build())
                        .stream("Hi")) {
            reader.read(run);
            reader.await("tool-call");
            working.countDown();
            reader.await("run-finish");
        }
    }

    private void assertSeenWhileItWaits(Workflow<String, String> workflow, ManualClock clock, String type)
            throws InterruptedException {
        try (AgentRuntime runtime = AgentRuntime.builder()
                        .timeSource(clock)
                        .workflows(workflow)
                        .build();
                RunStream run = runtime.stream(workflow, "tea", o -> {})) {
            reader.read(run);
            reader.await(type);
            // The wait before another attempt is varied at random.
            clock.advance(clock.awaitAlarm(Duration.ofSeconds(2), Duration.ofSeconds(8)));
            reader.await("run-finish");
        }
    }

    private Step<String, String> step(StepHandler<String, String> handler) {
        return Step.of("first", String.class, String.class, (in, context) -> {
            if (context.attempt() == 1) {
                reader.awaitWaiting();
            }
            return handler.handle(in, context);
        });
    }

    @Test
    void aShortSleepIsSeenWhileItLasts() throws InterruptedException {
        Workflow<String, String> workflow = Workflow.from("short", String.class)
                .then(step((in, context) -> in))
                .sleep("nap", Duration.ofSeconds(5))
                .build(String.class);
        assertSeenWhileItWaits(workflow, new ManualClock(), "workflow-step-waiting");
    }

    @Test
    void aFailedAttemptIsSeenBeforeTheNextOne() throws InterruptedException {
        Workflow<String, String> workflow = Workflow.from("again", String.class)
                .then(step((in, context) -> {
                            if (context.attempt() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                            return in;
                        })
                        .retries(1, Backoff.fixed(Duration.ofSeconds(5))))
                .build(String.class);
        assertSeenWhileItWaits(workflow, new ManualClock(), "workflow-step-retry");
    }
}
