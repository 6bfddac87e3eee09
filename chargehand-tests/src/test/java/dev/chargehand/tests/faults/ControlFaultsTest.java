package dev.chargehand.tests.faults;

import static dev.chargehand.tests.faults.FaultyWorld.later;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.testkit.ChargehandAssertions;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ChatMessage;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.tests.Fences;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hooks, bails and scorers over a real socket: what they decide reaches the wire, and what they end is closed there. */
class ControlFaultsTest {

    private static final Duration GENEROUS = Duration.ofSeconds(20);

    @RegisterExtension
    final FaultyWorld world = new FaultyWorld();

    private final LoopbackProvider provider = world.provider;

    private Agent bossOf(String... crew) {
        Agent[] agents = Stream.of(crew).map(id -> world.agent(id).build()).toArray(Agent[]::new);
        return world.bind(world.agent("boss").agents(agents).build());
    }

    private static Reply delegateTo(String... crew) {
        return Reply.toolCalls(Stream.of(crew)
                .map(id -> Reply.call("to-" + id, "agent-" + id, "{\"prompt\":\"for " + id + "\"}"))
                .toArray(FunctionCall[]::new));
    }

    private List<String> lines(int request) {
        return provider.log().get(request - 1).request().messages().stream()
                .map(ControlFaultsTest::line)
                .toList();
    }

    private static String line(ChatMessage message) {
        return message.role() + ": " + Fences.without(message.text());
    }

    private Exchange of(String model) {
        return provider.log().stream()
                .filter(exchange -> exchange.request().model().equals(model))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aBailThatCancelsItsSiblingsClosesTheirSocketsAndAsksNobodyAnyMore() {
        provider.onModel("boss", delegateTo("quick", "slow", "mute"));
        provider.onModel("quick", Reply.text("quick answer"));
        provider.onModel("slow", Reply.sse().role().text("half").stall());
        provider.onModel("mute", Reply.silence());
        List<RunEvent> events = new ArrayList<>();
        RunResult result;
        try (RunStream run = bossOf("quick", "slow", "mute").stream(
                "Go", o -> o.cancelSiblings(true).onDelegationComplete(d -> {
                    provider.awaitRequests(4, GENEROUS);
                    return d.bail();
                }))) {
            run.forEach(events::add);
            result = run.result();
        }
        assertThat(result.text()).isEqualTo("quick answer");
        assertThat(result.stopReason()).isInstanceOf(StopReason.Bailed.class);
        provider.awaitClosed(of("slow"), GENEROUS);
        provider.awaitClosed(of("mute"), GENEROUS);
        assertThat(provider.requestCount()).isEqualTo(4);
        assertThat(events)
                .filteredOn(RunEvent.DelegationEnd.class::isInstance)
                .extracting(event -> ((RunEvent.DelegationEnd) event).status())
                .containsExactlyInAnyOrder(RunStatus.COMPLETED, RunStatus.ABORTED, RunStatus.ABORTED);
        ChargehandAssertions.assertThatEvents(events).arePaired().endWithRunFinish();
    }

    @Test
    void successFailureAndRejectionSideBySideReachTheModelInCallOrder() {
        provider.onModel("boss", delegateTo("good", "bad", "barred"), Reply.text("done"));
        provider.onModel("good", Reply.text("fine"));
        provider.onModel("bad", Reply.status(400).body("{\"error\":\"secret reason\"}"));
        RunResult result = bossOf("good", "bad", "barred")
                .generate(
                        "Go",
                        o -> o.onDelegationStart(d -> d.agentId().equals("barred")
                                ? DelegationDecision.reject("Premium required")
                                : DelegationDecision.proceed()));
        assertThat(result.text()).isEqualTo("done");
        List<String> second = lines((int) provider.requestCount());
        assertThat(second).hasSize(6);
        assertThat(second.get(3)).isEqualTo("tool: fine");
        assertThat(second.get(4)).contains("Agent 'bad'").doesNotContain("secret reason");
        assertThat(second.get(5)).contains("Premium required");
        assertThat(provider.log())
                .extracting(exchange -> exchange.request().model())
                .containsOnly("boss", "good", "bad");
    }

    @Test
    void feedbackOnAFinishedAnswerReachesTheNextRequestOnceAndNoTurnAfterIt() {
        provider.onModel("boss", Reply.text("draft"), Reply.text("final"), Reply.text("hello again"));
        Agent boss = bossOf("w");
        RunResult result = boss.generate("Go", o -> o.thread("t")
                .onIterationComplete(it -> it.text().equals("draft")
                        ? IterationDecision.proceedWith("Name your sources.")
                        : IterationDecision.proceed())
                .completion(Completion.all(Scorer.of(
                        "length", run -> run.text().equals("draft") ? Score.fail("Too short.") : Score.pass()))));
        assertThat(result.text()).isEqualTo("final");
        assertThat(lines(2)).hasSize(5).startsWith("system: You are boss.", "user: Go", "assistant: draft");
        assertThat(lines(2).get(3)).contains("Name your sources.");
        assertThat(lines(2).get(4)).contains("length").contains("Too short.");
        boss.generate("And now?", o -> o.thread("t"));
        assertThat(lines(3))
                .containsExactly(
                        "system: You are boss.", "user: Go", "assistant: draft", "assistant: final", "user: And now?");
    }

    @Test
    void theExtraAnswerAfterAStopIsAskedForWithoutTools() {
        provider.onModel("boss", delegateTo("w"), Reply.text("summed up"));
        provider.onModel("w", Reply.text("worked"));
        RunResult result = bossOf("w")
                .generate("Go", o -> o.maxSteps(1).onIterationComplete(it -> IterationDecision.stopWith("Sum up.")));
        assertThat(result.text()).isEqualTo("summed up");
        assertThat(result.stopReason()).isEqualTo(new StopReason.StoppedByHook());
        assertThat(lines(3).getLast()).contains("Sum up.");
        assertThat(provider.log().getLast().request().toolNames()).isEmpty();
        assertThat(provider.log().getFirst().request().toolNames()).containsExactly("agent-w");
    }

    @Test
    void aRunThatIsCancelledWhileAJudgeThinksClosesTheJudgesSocket() {
        provider.onModel("solo", Reply.text("answer"));
        provider.onModel("judge", Reply.silence());
        List<RunEvent> events = new ArrayList<>();
        RunResult result;
        try (RunStream run = world.single().stream(
                "Go",
                o -> o.completion(Completion.all(Scorer.of("judge", context -> {
                    context.ask(ModelChoice.of("loop/judge"), List.of(Message.user("Is it good?")));
                    return Score.pass();
                }))))) {
            CompletableFuture<List<RunEvent>> seen = later(() -> {
                run.forEach(events::add);
                return events;
            });
            provider.awaitRequests(2, GENEROUS);
            run.cancel();
            seen.join();
            result = run.result();
        }
        assertThat(result.status()).isEqualTo(RunStatus.ABORTED);
        provider.awaitClosed(of("judge"), GENEROUS);
        ChargehandAssertions.assertThatEvents(events)
                .arePaired()
                .areInOrder("scoring-start", "scoring-complete", "abort", "run-finish");
    }

    @Test
    void aHookThatHangsIsGivenUpAndTheAnswerStands() {
        Duration limit = Duration.ofSeconds(5);
        CountDownLatch over = new CountDownLatch(1);
        provider.onModel("boss", delegateTo("w"), Reply.text("done"));
        provider.onModel("w", Reply.text("worked"));
        CompletableFuture<RunResult> run = later(() -> bossOf("w")
                .generate("Go", o -> o.timeLimit(TimeLimit.HOOK, limit).onDelegationComplete(d -> {
                    while (over.getCount() > 0) {
                        try {
                            over.await();
                        } catch (InterruptedException e) {
                            // deaf
                        }
                    }
                    return d.bail();
                })));
        world.pass(limit);
        RunResult result = run.join();
        over.countDown();
        assertThat(result.text()).isEqualTo("done");
        assertThat(result.stopReason()).isEqualTo(new StopReason.Finished());
        assertThat(world.lastToolMessage()).isEqualTo("worked");
    }
}
