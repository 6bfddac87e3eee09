package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A workflow as a tool of an agent: its run is below the agent's. */
class WorkflowToolTest {

    record Order(String item, int count) {}

    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    private final Workflow<Order, Integer> pricing = Workflow.from("pricing", Order.class)
            .description("Prices an order.")
            .then(Step.of("price", Order.class, Integer.class, (order, context) -> {
                        if (order.count() > 100) {
                            throw new IllegalStateException("internal words");
                        }
                        return Steps.noted(asked, "price " + order.count(), 250 * order.count());
                    })
                    .repeatable())
            .build(Integer.class);

    private final Workflow<String, String> shouting = Workflow.from("shouting", String.class)
            .description("Shouts.")
            .then(Step.of("shout", String.class, String.class, (text, context) -> text + "!")
                    .repeatable())
            .build(String.class);

    private Agent clerk() {
        return Agent.builder("clerk")
                .instructions("You sell.")
                .model("none/none")
                .workflows(pricing, shouting)
                .build();
    }

    private static final Turn PRICES = Turn.calls("workflow-pricing", Map.of("item", "cup", "count", 2));

    private TestRuntime playing(Turn... turns) {
        return Crew.playing(Scripts.on("clerk", turns), clerk());
    }

    @Test
    void itsOutputIsTheResultOfTheCall() {
        try (TestRuntime test =
                playing(PRICES, Turn.calls("workflow-shouting", Map.of("input", "Hey")), Turn.says("500"))) {
            List<RunEvent> events = new ArrayList<>();
            RunResult result;
            try (RunStream stream = test.agent("clerk").stream("How much?")) {
                stream.forEach(events::add);
                result = stream.result();
            }
            assertThat(result.text()).isEqualTo("500");
            List<ToolOutcome> outcomes = result.steps().stream()
                    .flatMap(step -> step.toolResults().stream())
                    .toList();
            assertThat(outcomes)
                    .extracting(outcome -> outcome.output().orElseThrow().text())
                    .containsExactly("500", "\"Hey!\"");
            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(outcome.delegation()).isEmpty());
            assertThat(test.script()
                            .requestsOf("clerk")
                            .get(1)
                            .messages()
                            .getLast()
                            .toolResults())
                    .singleElement()
                    .satisfies(shown -> assertThat(shown.output()).isEqualTo("500"));
            assertThat(test.script().requestsOf("clerk").getFirst().tools())
                    .filteredOn(tool -> tool.name().equals("workflow-pricing"))
                    .singleElement()
                    .satisfies(tool -> {
                        assertThat(tool.description()).isEqualTo("Prices an order.");
                        assertThat(tool.input()).isEqualTo(pricing.input());
                    });
            assertThatEvents(events).arePaired().endWithRunFinish().haveGrowingIds();
            assertThat(events)
                    .extracting(event -> event.origin().path() + " " + event.type())
                    .containsSubsequence(
                            "clerk tool-call",
                            "clerk/pricing run-start",
                            "clerk/pricing workflow-start",
                            "clerk/pricing workflow-finish",
                            "clerk/pricing run-finish",
                            "clerk tool-result")
                    .doesNotContain("clerk delegation-start", "clerk delegation-end");
            assertThat(test.store().list(RunFilter.ALL))
                    .extracting(run -> run.summary().orElseThrow().kind())
                    .containsOnlyOnce("agent");
            assertThat(test.runtime().history(result.runId()))
                    .extracting(RunEvent::type)
                    .containsSubsequence("workflow-start", "workflow-finish", "tool-result", "run-finish");
        }
    }

    @Test
    void aFailureIsAnErrorResult() {
        try (TestRuntime test = playing(
                Turn.calls("workflow-pricing", Map.of("item", "cup", "count", 101)),
                Turn.calls("workflow-pricing", Map.of("item", "cup")),
                Turn.says("No"))) {
            RunResult result = test.agent("clerk").generate("How much?");
            assertThat(result.steps().getFirst().toolResults()).singleElement().satisfies(outcome -> {
                assertThat(outcome.error()).contains("Workflow 'pricing' gave no output. It failed (step-failed).");
                assertThat(outcome.detail().orElseThrow()).contains("internal words");
            });
            assertThat(result.steps().get(1).toolResults().getFirst().error().orElseThrow())
                    .contains("The arguments of 'workflow-pricing' are not valid");
            assertThat(test.store().list(RunFilter.ALL)).hasSize(2);
        }
    }

    @Test
    void guardsOfToolsHoldAndHooksOfDelegationsDoNot() {
        try (TestRuntime test = playing(PRICES, Turn.says("No"))) {
            RunResult result = test.agent("clerk")
                    .generate("How much?", o -> o.beforeToolCall(call -> ToolCallDecision.deny("Not today."))
                            .onDelegationStart(start -> {
                                throw new IllegalStateException("it is no delegation");
                            }));
            assertThat(result.steps().getFirst().toolResults().getFirst().error())
                    .contains("Tool 'workflow-pricing' was not called. Reason: Not today.");
            assertThat(test.events()).extracting(RunEvent::type).contains("tool-output-denied");
        }
        AtomicInteger hooks = new AtomicInteger();
        try (TestRuntime test = playing(PRICES, Turn.says("500"))) {
            RunResult waiting = test.agent("clerk")
                    .generate("How much?", o -> o.requireToolApproval(true).onDelegationComplete(done -> {
                        hooks.incrementAndGet();
                        return done.accept();
                    }));
            PendingApproval approval = waiting.pendingApprovals().getFirst();
            assertThat(approval.toolName()).isEqualTo("workflow-pricing");
            assertThat(asked).isEmpty();
            assertThat(test.runtime()
                            .approve(approval, Approver.of("ann"))
                            .result()
                            .text())
                    .isEqualTo("500");
            assertThat(asked).containsExactly("price 2");
            assertThat(hooks).hasValue(0);
        }
    }

    @Test
    void itAddsOneToTheDepth() {
        try (TestRuntime test = playing(PRICES, Turn.says("No"))) {
            RunResult result = test.agent("clerk").generate("How much?", o -> o.limit(Limit.DEPTH, 1));
            assertThat(result.steps().getFirst().toolResults().getFirst().error())
                    .contains("Agents may be nested 1 deep; 'pricing' was not called. Do the work without it.");
        }
    }

    @Test
    void whatDoesNotFitIsRejectedWhenTheAgentIsBuilt() {
        Workflow<String, String> silent = Workflow.from("silent", String.class)
                .map("m", String.class, (text, context) -> text)
                .build(String.class);
        assertThatThrownBy(() -> Agent.builder("clerk").model("none/none").workflows(silent))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Agent 'clerk': workflow 'silent' needs a description: the model decides by it when to call"
                        + " it.");
        assertThatThrownBy(() -> Agent.builder("clerk").model("none/none").workflows(pricing, pricing))
                .hasMessageContaining("workflow key 'pricing' is registered twice");
        assertThatThrownBy(() -> Agent.builder("clerk")
                        .model("none/none")
                        .addWorkflow("writer", pricing)
                        .agents(Crew.WRITER)
                        .build())
                .hasMessageContaining("'writer' is the key of a sub-agent and of a workflow");
        assertThatThrownBy(() -> Agent.builder("clerk").model("none/none").addWorkflow("a b", pricing))
                .hasMessageContaining("workflow key 'a b' may have 1 to 55");
    }

    private record Ending(String text, List<String> outcomes, Object usage) {}

    /** The clerk calls a workflow with an agent that calls a workflow. */
    private final class Deep {

        private final ConcurrentLinkedQueue<String> noted = new ConcurrentLinkedQueue<>();

        private final Script script = Scripts.of(Turns.of(
                "writer",
                Turn.answers(request -> {
                            boolean has = request.messages().stream()
                                    .anyMatch(each -> !each.toolResults().isEmpty());
                            return has
                                    ? Steps.said("priced")
                                    : Steps.calling("workflow-pricing", "{\"item\":\"x\",\"count\":3}");
                        })
                        .forever()));

        private final Workflow<Order, String> selling = Workflow.from("selling", Order.class)
                .description("Sells.")
                .then(Step.of("note", Order.class, Order.class, (order, context) -> Steps.noted(noted, "note", order))
                        .repeatable())
                .then(Agent.builder("writer")
                        .model(script.modelFor("writer"))
                        .workflows(pricing)
                        .build()
                        .asStep("write", Order.class, (order, context) -> "Price " + order.item()))
                .build(String.class);

        private final Agent seller =
                Agent.builder("seller").model("none/none").workflows(selling).build();
    }

    @Test
    void aRunThatIsInterruptedBetweenAnyTwoFactsEndsAsTheUndisturbedOne() {
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                Deep deep = new Deep();
                return TestRuntime.builder(Scripts.of(Turns.of(
                                "seller",
                                Turn.answers(request -> {
                                            boolean has = request.messages().stream()
                                                    .anyMatch(each ->
                                                            !each.toolResults().isEmpty());
                                            return has
                                                    ? Steps.said("Sold: "
                                                            + request.messages()
                                                                    .getLast()
                                                                    .toolResults()
                                                                    .getFirst()
                                                                    .output())
                                                    : Steps.calling(
                                                            "workflow-selling", "{\"item\":\"cup\",\"count\":1}");
                                        })
                                        .forever())))
                        .store(store)
                        .ids(IdSource.secure())
                        .agents(deep.seller)
                        .build();
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return test.agent("seller").generate("Sell a cup");
            }

            @Override
            public RunResult resume(TestRuntime test, RunId run) {
                boolean priced = test.store().list(RunFilter.ALL.tree(run)).stream()
                        .anyMatch(each -> each.path().toString().endsWith("/pricing")
                                && each.status().isEnded());
                asked.clear();
                RunResult result = test.runtime().resume(run, o -> {}).result();
                assertThat(asked).hasSizeLessThanOrEqualTo(priced ? 0 : 1);
                return result;
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                RunResult result = run.get();
                assertThat(result.text()).isEqualTo("Sold: priced");
                assertThat(test.store().list(RunFilter.ALL))
                        .extracting(each -> each.path().toString())
                        .containsExactlyInAnyOrder(
                                "seller", "seller/selling", "seller/selling/write", "seller/selling/write/pricing");
                assertThat(test.store().list(RunFilter.ALL))
                        .extracting(RunRecord::status)
                        .containsOnly(RunStatus.COMPLETED);
                return new Ending(
                        result.text(),
                        result.steps().getFirst().toolResults().stream()
                                .map(each -> String.valueOf(each.output()))
                                .toList(),
                        result.usageByAgent());
            }
        }.assertEndsAsTheUndisturbedOne();
    }
}
