package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A run leaves nothing behind. */
class LeaksTest {

    private static final int RUNS = 3_000;

    @Test
    void threeThousandRunsLeaveNoAlarmNoRunNoThreadAndNoMemory() {
        ManualClock clock = new ManualClock();
        String heavy = "x".repeat(20_000);
        Agent agent = Crew.supervisorOf(Crew.member("researcher", Crew.LOOK));
        try (AgentRuntime runtime =
                AgentRuntime.builder().providers().timeSource(clock).build()) {
            int alarms = -1;
            long threads = -1;
            long used = -1;
            for (int i = 0; i < RUNS; i++) {
                Script script = Scripts.of(
                        Turns.of("supervisor", Turn.delegates("researcher", heavy), Turn.says("Done")),
                        Turns.of("researcher", Turn.calls("look", "{}"), Turn.says("Fact")));
                Agent bound = runtime.bind(agent.withModels(id -> Optional.of(ModelChoice.of(script.modelFor(id)))));
                if (i % 2 == 0) {
                    assertThat(bound.generate("Go")).finished();
                } else {
                    try (RunStream run = bound.stream("Go")) {
                        run.forEach(event -> {});
                        assertThat(run.result()).finished();
                    }
                }
                if (i == RUNS / 10) {
                    alarms = clock.pending().size();
                    threads = LiveThreads.count();
                    used = usedHeap();
                }
            }
            assertThat(clock.pending()).hasSizeLessThanOrEqualTo(alarms);
            assertThat(runtime.abandonedCalls()).isEmpty();
            assertThat(runtime.runs(RunFilter.ROOTS)).isEmpty();
            assertThat(LiveThreads.settled(threads + 4)).isLessThanOrEqualTo(threads + 4);
            // 2,700 runs with 20,000 characters each would be more than 50 MB
            assertThat(usedHeap() - used).isLessThan(20_000_000);
        }
    }

    @Test
    void aVirtualThreadThatIsLeftIsCounted() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        long before = LiveThreads.count();
        List<Thread> left = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            left.add(Thread.ofVirtual().start(() -> Waiting.on(over)));
        }
        assertThat(LiveThreads.count()).isGreaterThanOrEqualTo(before + 40);
        over.countDown();
        for (Thread thread : left) {
            thread.join();
        }
        assertThat(LiveThreads.settled(before + 4)).isLessThanOrEqualTo(before + 4);
    }

    @Test
    void aLongRunForgetsItsCallsWhenTheyAreOver() {
        RememberingModel model = new RememberingModel();
        Agent agent = Agent.builder("lead")
                .instructions("Lead.")
                .model(model)
                .tools(Crew.LOOK)
                .build();
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            assertThat(runtime.bind(agent).generate("Go", o -> o.maxSteps(60))).finished();
        }
        assertThat(model.calls).hasSizeGreaterThan(50);
        assertThat(model.reachableAtTheEnd).isBetween(1L, 5L);
    }

    /** Calls a tool fifty times, and then counts those of its own calls that somebody still holds. */
    private static final class RememberingModel implements Model {

        private final List<WeakReference<ModelCall>> calls = new ArrayList<>();
        private long reachableAtTheEnd;

        @Override
        public String name() {
            return "test/remembering";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            calls.add(new WeakReference<>(call));
            if (calls.size() <= 50) {
                RequestedCall look = new RequestedCall("c" + calls.size(), "look", "{\"q\":\"" + calls.size() + "\"}");
                return new ModelResponse("", "", List.of(look), FinishReason.TOOL_CALLS, Usage.NONE);
            }
            System.gc();
            reachableAtTheEnd =
                    calls.stream().filter(each -> each.get() != null).count();
            return ModelResponse.text("Done", Usage.NONE);
        }
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
