package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run is live until its listeners have received its suspension: what comes in this moment, it cannot read any more. */
@Timeout(60)
class AnsweredWhileSuspendingTest {

    private static final Approver ANN = Approver.of("ann");

    private final AtomicInteger effects = new AtomicInteger();
    private final CountDownLatch suspended = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    private final Tool pay = Steps.approvedTool("pay", (in, context) -> effects.incrementAndGet());

    private final Workflow<Integer, Integer> resting = Workflow.from("resting", Integer.class)
            .sleep("nap", Duration.ofHours(1))
            .then(Step.of("last", Integer.class, Integer.class, (in, context) -> effects.incrementAndGet()))
            .build(Integer.class);

    private AgentRuntime runtime() {
        Script script = Scripts.on("payer", Turn.calls("pay", Map.of("id", "r1")), Turn.says("Paid"));
        return AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .wakeups(Wakeups.off()) // it is the call that carries it out
                .anyoneMayApprove()
                .providers()
                .agents(Agent.builder("payer")
                        .model(script.modelFor("payer"))
                        .tools(pay)
                        .build())
                .workflows(resting)
                .addListener(this::holdSuspension)
                .build();
    }

    private void holdSuspension(RunEvent event) {
        if (event instanceof RunEvent.RunSuspend && suspended.getCount() > 0) {
            suspended.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void anAnswerIsCarriedOut() throws Exception {
        try (AgentRuntime runtime = runtime()) {
            RunHandle run = runtime.agent("payer").start("Go");
            suspended.await();

            RunHandle ignored = runtime.approve(run.pendingApprovals().getFirst(), ANN);
            goesOn.countDown();

            assertContinued(runtime, run.runId());
        }
    }

    @Test
    void aSleepIsEnded() throws Exception {
        try (AgentRuntime runtime = runtime()) {
            RunId run = runtime.start(resting, 1, o -> {}).runId();
            suspended.await();

            RunHandle ignored = runtime.wake(run, "nap");
            goesOn.countDown();

            assertContinued(runtime, run);
        }
    }

    private void assertContinued(AgentRuntime runtime, RunId run) {
        try (RunWatch events = runtime.watch(run, null)) {
            for (RunEvent event : events) {
                if (event instanceof RunEvent.RunFinish) {
                    break;
                }
            }
        }
        assertThat(effects).hasValue(1);
        assertThat(runtime.findRun(run))
                .hasValueSatisfying(found -> assertThat(found.status()).isEqualTo(RunStatus.COMPLETED));
    }
}
