package dev.chargehand.tests.faults;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static dev.chargehand.tests.faults.FaultyWorld.later;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.provider.reply.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hooks that throw or hang, over a real socket and on a clock that the test turns; named by the id of the fault. */
class HookFaultsTest {

    private static final Duration HOOK_LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    final FaultyWorld world = new FaultyWorld();

    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger interrupts = new AtomicInteger();

    @AfterEach
    void close() {
        over.countDown();
    }

    private Agent boss() {
        world.provider.onModel(
                "boss", Reply.toolCalls(Reply.call("c1", "agent-w", "{\"prompt\":\"work\"}")), Reply.text("done"));
        world.provider.onModel("w", Reply.text("worked"));
        return world.bind(world.agent("boss").agents(world.agent("w").build()).build());
    }

    /** What a run came to, and what it told. */
    private record Watched(RunResult result, List<RunEvent> events) {

        List<String> hookErrors() {
            return events.stream()
                    .filter(RunEvent.HookError.class::isInstance)
                    .map(event -> ((RunEvent.HookError) event).hook())
                    .toList();
        }
    }

    private static Watched watch(Agent agent, Consumer<RunOptions.Builder> options) {
        List<RunEvent> events = new ArrayList<>();
        try (var run = agent.stream("Go", options)) {
            run.forEach(events::add);
            assertThatEvents(events).arePaired().endWithRunFinish();
            return new Watched(run.result(), events);
        }
    }

    /** Hangs whether interrupted or not, until the test is over. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // it gives no value
    private <T> T hang() {
        while (over.getCount() > 0) {
            try {
                over.await();
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
        }
        throw new IllegalStateException("The test is over.");
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // it gives no value
    private static <T> T bad() {
        throw new IllegalStateException("bad hook");
    }

    private int requestsOfWorker() {
        return (int) world.provider.log().stream()
                .filter(exchange -> exchange.request().model().equals("w"))
                .count();
    }

    /** Lets the time of so many hooks pass that hang. */
    private Watched passing(int hooks, Agent agent, Consumer<RunOptions.Builder> options) {
        CompletableFuture<Watched> run = later(() -> watch(agent, options));
        for (int i = 0; i < hooks; i++) {
            world.pass(HOOK_LIMIT);
        }
        return run.join();
    }

    @Test
    void a01APolicyThatThrowsMeansThatApprovalIsAsked() {
        world.provider.onModel("solo", FaultyWorld.addCall("{\"a\":1,\"b\":2}"));
        RunResult waiting = world.single().generate("Go", o -> o.requireToolApproval(call -> bad()));
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(waiting.pendingApprovals())
                .extracting(approval -> approval.toolName())
                .containsExactly("add");
        assertThat(world.sums).hasValue(0);
    }

    @Test
    void h02AStartHookThatHangsIsGivenUpAfterThirtySecondsAndTheWorkerIsNotAsked() {
        Watched watched = passing(1, boss(), o -> o.onDelegationStart(start -> hang()));
        assertThat(watched.result().text()).isEqualTo("done");
        assertThat(requestsOfWorker()).isZero();
        assertThat(world.lastToolMessage()).contains("'onDelegationStart' failed");
        assertThat(watched.hookErrors()).containsExactly("onDelegationStart");
    }

    @Test
    void h03ACompleteHookThatThrowsLeavesTheResult() {
        Watched watched = watch(boss(), o -> o.onDelegationComplete(end -> bad()));
        assertThat(watched.result().text()).isEqualTo("done");
        assertThat(world.lastToolMessage()).isEqualTo("worked");
        assertThat(watched.hookErrors()).containsExactly("onDelegationComplete");
    }

    @Test
    void h04ACompleteHookThatHangsIsGivenUpAndLeavesTheResult() {
        Watched watched = passing(1, boss(), o -> o.onDelegationComplete(end -> hang()));
        assertThat(watched.result().text()).isEqualTo("done");
        assertThat(world.lastToolMessage()).isEqualTo("worked");
        assertThat(watched.hookErrors()).containsExactly("onDelegationComplete");
    }

    @Test
    void h05AnIterationHookThatThrowsEachTimeHarmsNothing() {
        Watched watched = watch(boss(), o -> o.onIterationComplete(it -> bad()));
        assertThat(watched.result().text()).isEqualTo("done");
        assertThat(world.provider.requestCount()).isEqualTo(3);
        assertThat(watched.hookErrors()).containsExactly("onIterationComplete", "onIterationComplete");
    }

    @Test
    void h06AnIterationHookThatHangsIsGivenUpAfterThirtySecondsEachTime() {
        Watched watched = passing(2, boss(), o -> o.onIterationComplete(it -> hang()));
        assertThat(watched.result().text()).isEqualTo("done");
        assertThat(watched.result().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(watched.hookErrors()).containsExactly("onIterationComplete", "onIterationComplete");
    }

    /** The contract differs from the case: a sub-agent sees the conversation by default, and not if it is told so. */
    @Test
    void h07nASubAgentSeesTheConversationUnlessTheContextSaysOtherwise() {
        boss().generate("The code is 4711.");
        assertThat(bodyOfWorker()).contains("The code is 4711.");
    }

    @Test
    void h07nAFilteredConversationDoesNotReachTheWorker() {
        boss().generate(
                        "The code is 4711.",
                        o -> o.messageFilter(filter -> filter.messages().stream()
                                .filter(message -> !message.text().contains("4711"))
                                .toList()));
        assertThat(bodyOfWorker()).contains("work").doesNotContain("4711");
    }

    private String bodyOfWorker() {
        return world.provider.log().stream()
                .map(exchange -> exchange.request())
                .filter(request -> request.model().equals("w"))
                .findFirst()
                .orElseThrow()
                .body();
    }

    @Test
    void h09ObserversOfStepsEventsAndTheEndThatThrowHarmNothing() {
        Watched watched = watch(
                boss(),
                o -> o.onStepFinish(step -> bad()).onFinish(result -> bad()).addListener(event -> bad()));
        assertThat(watched.result().text()).isEqualTo("done");
        assertThat(watched.hookErrors()).contains("onStepFinish", "onFinish");
    }

    @Test
    void h10AGuardThatThrowsBeforeADangerousToolKeepsItFromRunning() {
        world.provider.onModel("solo", FaultyWorld.addCall("{\"a\":1,\"b\":2}"), Reply.text("not added"));
        Watched watched = watch(world.single(), o -> o.beforeToolCall(call -> bad()));
        assertThat(world.sums).hasValue(0);
        assertThat(watched.result().text()).isEqualTo("not added");
        assertThat(world.lastToolMessage()).contains("'beforeToolCall' failed").doesNotContain("bad hook");
        assertThat(watched.hookErrors()).containsExactly("beforeToolCall");
    }
}
