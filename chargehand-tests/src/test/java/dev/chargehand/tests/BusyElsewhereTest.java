package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that waits for what another process has looks now and then, and begins again only when it may be free. */
@Timeout(30)
class BusyElsewhereTest {

    private static final int SECONDS = 5;
    private static final Approver ANN = Approver.of("ann");

    private final InMemoryStore shared = InMemoryStore.keepingEndedRuns();
    private final FaultyStore counting = FaultyStore.over(shared);
    private final ManualClock clock = new ManualClock();
    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void waitingForAThreadCostsAFewReadsASecondAndNoCallOfTheUsersCode() throws Exception {
        Script script = Scripts.of(
                Turns.of("first", Turn.answers(request -> {
                    working.countDown();
                    Waiting.on(mayEnd);
                    return ModelResponse.text("first", Usage.NONE);
                })),
                Turns.saying("second", "second"));
        Agent second = Agent.builder("second")
                .model(script.modelFor("second"))
                .instructionsFrom(context -> {
                    asked.incrementAndGet();
                    return "Go.";
                })
                .build();
        try (AgentRuntime one = AgentRuntime.builder().store(shared).providers().build();
                AgentRuntime other = AgentRuntime.builder()
                        .store(counting)
                        .timeSource(clock)
                        .providers()
                        .build()) {
            Agent first = Agent.builder("first").model(script.modelFor("first")).build();
            CompletableFuture<RunResult> holder = later(() -> one.bind(first).generate("Go", o -> o.thread("t")));
            working.await();
            CompletableFuture<RunResult> waiting =
                    later(() -> other.bind(second).generate("Go", o -> o.thread("t")));

            assertThat(callsWhileTimePasses()).isLessThan(SECONDS * 15);
            assertThat(asked).hasValueLessThanOrEqualTo(2);

            mayEnd.countDown();
            assertThat(holder.get().text()).isEqualTo("first");
            assertThat(passTimeUntil(waiting).text()).isEqualTo("second");
        }
    }

    @Test
    void waitingToAnswerCostsAFewReadsASecondAndNoCallOfTheUsersCheck() throws Exception {
        try (AgentRuntime one = approvals(shared, null, (approval, approver) -> true);
                AgentRuntime other = approvals(counting, clock, (approval, approver) -> {
                    asked.incrementAndGet();
                    return true;
                })) {
            List<PendingApproval> pending = one.agent("solo").generate("Go").pendingApprovals();
            assertThat(pending).hasSize(2);
            CompletableFuture<RunResult> holder =
                    later(() -> one.approve(pending.getFirst(), ANN).result());
            working.await();
            CompletableFuture<RunResult> waiting =
                    later(() -> other.approve(pending.getLast(), ANN).result());

            assertThat(callsWhileTimePasses()).isLessThan(SECONDS * 20);
            assertThat(asked).hasValueLessThanOrEqualTo(3);

            mayEnd.countDown();
            assertThat(holder.get().status()).isEqualTo(RunStatus.COMPLETED); // it carries both answers out
            assertThat(passTimeUntil(waiting).status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    private AgentRuntime approvals(Store store, @Nullable ManualClock time, ApproverCheck check) {
        Script script = Scripts.on(
                "solo",
                Turn.answers(request -> request.messages().size() > 2
                                ? ModelResponse.text("done", Usage.NONE)
                                : new ModelResponse(
                                        "",
                                        "",
                                        List.of(
                                                new RequestedCall("a", "pay", "{}"),
                                                new RequestedCall("b", "pay", "{}")),
                                        FinishReason.TOOL_CALLS,
                                        Usage.NONE))
                        .forever());
        Tool pay = Steps.approvedTool("pay", (in, context) -> {
            working.countDown();
            Waiting.on(mayEnd);
            return "paid";
        });
        AgentRuntimeBuilder builder = AgentRuntime.builder()
                .store(store)
                .providers()
                .approverCheck(check)
                .agents(Agent.builder("solo")
                        .model(script.modelFor("solo"))
                        .tools(pay)
                        .build());
        return (time == null ? builder : builder.timeSource(time)).build();
    }

    /** Returns how many calls of the store there are while some seconds pass. */
    private int callsWhileTimePasses() {
        clock.awaitAlarm(Duration.ofMillis(10), Duration.ofMillis(300)); // it waits
        int before = counting.count(Operation.ANY);
        Duration passed = Duration.ZERO;
        while (passed.compareTo(Duration.ofSeconds(SECONDS)) < 0) {
            passed = passed.plus(pass());
        }
        return counting.count(Operation.ANY) - before;
    }

    private Duration pass() {
        Duration next = clock.awaitAlarm(Duration.ofMillis(10), Duration.ofMillis(300));
        clock.advance(next);
        return next;
    }

    private RunResult passTimeUntil(CompletableFuture<RunResult> done) throws Exception {
        while (!done.isDone()) {
            clock.advance(Duration.ofMillis(20));
            Thread.onSpinWait();
        }
        return done.get();
    }

    private static CompletableFuture<RunResult> later(Supplier<RunResult> work) {
        CompletableFuture<RunResult> future = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                future.complete(work.get());
            } catch (RuntimeException e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }
}
