package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every level has its own hooks and hears of its own delegations; runs side by side have nothing in common. */
class NestedHooksTest {

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    private static Agent agent(String id, Consumer<RunOptions.Builder> options, Agent... below) {
        return Crew.member(id, agent -> agent.agents(below).defaultOptions(options));
    }

    private static Script threeLevels() {
        return Scripts.of(
                Turns.of("top", Turn.delegates("middle", "T"), Turn.says("Top draft"), Turn.says("Top answer")),
                Turns.of("middle", Turn.delegates("leaf", "M"), Turn.says("Middle answer")),
                Turns.saying("leaf", "Leaf draft", "Leaf answer"));
    }

    private void listening(RunOptions.Builder o) {
        o.observeDelegationStart(d -> heard.add(d.run().path() + " starts " + d.key() + " in step " + d.step()));
        o.onIterationComplete(it -> Steps.noted(
                heard,
                it.run().path() + " made step " + it.iteration() + " of " + it.maxSteps(),
                IterationDecision.proceed()));
    }

    @Test
    void onThreeLevelsEachHookShapesItsOwnLevelAndNoOther() {
        Agent leaf = agent("leaf", o -> {
            listening(o);
            o.completion(Completion.all(
                    Scorer.of("final", run -> run.text().contains("draft") ? Score.fail("No drafts.") : Score.pass())));
        });
        Agent middle = agent(
                "middle",
                o -> {
                    listening(o);
                    o.onDelegationStart(d -> DelegationDecision.proceed()
                            .withInstructions("Cite.")
                            .withMaxSteps(3));
                    o.onDelegationComplete(d -> d.accept().withText("Leaf said: " + d.text()));
                },
                leaf);
        Agent top = agent("top", this::listening, middle);
        Ran ran = Both.run(
                top,
                o -> {
                    o.onDelegationStart(d -> DelegationDecision.proceed().withPrompt(d.prompt() + ", briefly"));
                    o.onDelegationComplete(d -> d.accept().withFeedback("Use it."));
                    o.onIterationComplete(it -> it.text().equals("Top draft")
                            ? IterationDecision.proceedWith("Add sources.")
                            : IterationDecision.proceed());
                },
                NestedHooksTest::threeLevels);
        assertThat(ran.result()).finished().hasText("Top answer");
        assertThat(ran.request("top", 3))
                .containsExactly(
                        "system: You are top.",
                        "user: Do the task",
                        "assistant: agent-middle{\"prompt\":\"T\"}",
                        "tool: agent-middle = Middle answer",
                        "system: Use it.",
                        "assistant: Top draft",
                        "system: Add sources.");
        assertThat(ran.request("top", 2)).isEqualTo(ran.request("top", 3).subList(0, 5));
        assertThat(ran.request("middle", 2))
                .containsExactly(
                        "system: You are middle.",
                        "user: Do the task",
                        "user: T, briefly",
                        "assistant: agent-leaf{\"prompt\":\"M\"}",
                        "tool: agent-leaf = Leaf said: Leaf answer");
        assertThat(ran.request("leaf", 2))
                .hasSize(6)
                .startsWith(
                        "system: You are leaf.\n\nCite.",
                        "user: Do the task",
                        "user: T, briefly",
                        "user: M",
                        "assistant: Leaf draft");
        assertThat(ran.request("leaf", 2).getLast()).startsWith("system: ").contains("No drafts.");
        List<String> once = List.of(
                "top starts middle in step 1",
                "top/middle starts leaf in step 1",
                "top/middle/leaf made step 1 of 3",
                "top/middle/leaf made step 2 of 3",
                "top/middle made step 1 of 5",
                "top/middle made step 2 of 5");
        List<String> twice = new ArrayList<>(once);
        twice.addAll(once);
        assertThat(heard).as("generate, then stream").isEqualTo(twice);
    }

    @Test
    void bailsOnTwoLevelsBringTheLeafsTextToTheTop() {
        Agent leaf = agent("leaf", o -> {});
        Agent middle = agent("middle", o -> o.onDelegationComplete(d -> d.bail()), leaf);
        Ran ran = Both.run(
                agent("top", o -> o.onDelegationComplete(d -> d.bail()), middle), NestedHooksTest::threeLevels);
        assertThat(ran.result()).hasText("Leaf draft");
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Bailed.class);
        assertThat(ran.script().askedAgents()).containsExactly("top", "middle", "leaf");
    }

    @Test
    void aBailBelowIsAPlainResultForALevelThatDoesNotBail() {
        Agent leaf = agent("leaf", o -> {});
        Agent middle = agent("middle", o -> o.onDelegationComplete(d -> d.bail()), leaf);
        Ran ran = Both.run(agent("top", o -> {}, middle), NestedHooksTest::threeLevels);
        assertThat(ran.result()).finished().hasText("Top draft");
        assertThat(ran.request("top", 2).getLast()).isEqualTo("tool: agent-middle = Leaf draft");
    }

    @Test
    void runsThatShareOneRequestContextNeverSeeEachOthersBail() {
        int runs = 20;
        RequestContext.Key<String> tenant = RequestContext.Key.of("tenant", String.class);
        RequestContext shared = RequestContext.empty().with(tenant, "acme");
        CountDownLatch allAtTheHook = new CountDownLatch(runs);
        Script script = Scripts.of(
                Turns.of(
                        "top",
                        Turn.of(t -> t.delegates("middle", "T")
                                .when(
                                        "nothing is delegated yet",
                                        request -> request.messages().size() < 3)
                                .forever()),
                        Turn.says("Own answer").forever()),
                Turns.of("middle", Turn.says("Middle answer").forever()));
        Agent top = agent("top", o -> {}, agent("middle", o -> {}));
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent bound = test.bind(top);
            List<CompletableFuture<RunResult>> ended = new ArrayList<>();
            List<String> tenants = new CopyOnWriteArrayList<>();
            for (int i = 0; i < runs; i++) {
                boolean bails = i % 2 == 0;
                CompletableFuture<RunResult> end = new CompletableFuture<>();
                ended.add(end);
                Thread.ofVirtual()
                        .start(() -> end.complete(bound.generate(
                                "Go", o -> o.requestContext(shared).onDelegationComplete(d -> {
                                    allAtTheHook.countDown();
                                    Waiting.on(allAtTheHook);
                                    tenants.add(
                                            d.run().requestContext().get(tenant).orElse("none"));
                                    return bails ? d.bail() : d.accept();
                                }))));
            }
            IntStream.range(0, runs)
                    .forEach(i -> assertThat(ended.get(i).join()).hasText(i % 2 == 0 ? "Middle answer" : "Own answer"));
            assertThat(tenants).isNotEmpty().containsOnly("acme");
        }
    }
}
