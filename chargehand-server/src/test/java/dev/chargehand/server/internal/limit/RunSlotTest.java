package dev.chargehand.server.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RunSlotTest {

    private final Script script = ScriptedModel.script();

    @AutoClose
    private final AgentRuntime runtime = AgentRuntime.builder()
            .agents(Agent.builder("writer").model(script.modelFor("writer")).build())
            .build();

    private final Semaphore freed = new Semaphore(0);

    private RunSlot slot(RunHandle run) {
        return new RunSlot(run, freed::release);
    }

    @Test
    void theSlotOfARunThatHasEndedIsFreeAtOnceAndOnlyOnce() {
        script.on("writer").says("One.");
        RunHandle run = runtime.agent("writer").start("Write.");
        assertThat(run.result().text()).isEqualTo("One.");
        RunSlot slot = slot(run);
        slot.release();
        assertThat(freed.availablePermits()).isEqualTo(1);
        slot.release();
        assertThat(freed.availablePermits()).isEqualTo(1);
    }

    @Test
    void theSlotOfARunThatIsExecutedIsFreeWhenItEnds() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("One.");
        RunHandle run = runtime.agent("writer").start("Write.");
        RunSlot slot = slot(run);
        slot.release();
        slot.release();
        assertThat(freed.availablePermits()).isZero();
        end.countDown();
        freed.acquire();
        assertThat(run.status().isEnded()).isTrue();
        assertThat(freed.availablePermits()).isZero();
    }

    @Test
    void theSlotOfARunThatFailsIsFree() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().failsWith(new IllegalStateException("down"));
        RunHandle run = runtime.agent("writer").start("Write.");
        slot(run).follow();
        end.countDown();
        freed.acquire();
        assertThat(run.status().isEnded()).isTrue();
    }
}
