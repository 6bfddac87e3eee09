package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that waits is cancelled by two processes at once, while it receives a message. */
@Timeout(30)
class CancelledByTwoTest {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    @Test
    void theOneWhoseEndIsRejectedForAMessageFindsTheEndOfTheOther() {
        AtomicBoolean told = new AtomicBoolean();
        AtomicBoolean cancelled = new AtomicBoolean();
        try (AgentRuntime other = runtime(store)) {
            Store interrupted = new ForwardingStore(store) {
                @Override
                public Appended append(List<Append> appends) {
                    Append last = appends.getLast();
                    if (last.status().isEnded() && told.compareAndSet(false, true)) {
                        tell(other, last.runId());
                    }
                    return super.append(appends);
                }

                @Override
                public List<Delivery> undrained(RunId root) {
                    if (told.get() && cancelled.compareAndSet(false, true)) {
                        boolean ignored = other.cancel(root, "By the other.");
                    }
                    return super.undrained(root);
                }
            };
            RunId run = other.agent("lead").generate("Go").runId();
            try (AgentRuntime one = runtime(interrupted)) {
                assertThat(one.cancel(run, "By this one.")).isTrue();
            }

            assertThat(cancelled).isTrue();
            assertThat(store.find(run).orElseThrow().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(other.handle(run).result().stopReason())
                    .isEqualTo(new StopReason.Cancelled("caller", "By the other."));
        }
    }

    private static void tell(AgentRuntime runtime, RunId run) {
        boolean ignored = runtime.tell(run, "Look at the date too").isPresent();
    }

    private static AgentRuntime runtime(Store store) {
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
        Agent lead = Agent.builder("lead")
                .instructions("Go.")
                .model(Scripts.on("lead", Turn.calls("delete", Map.of())).modelFor("lead"))
                .tools(delete)
                .build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .agents(lead)
                .build();
    }

    record None() {}
}
