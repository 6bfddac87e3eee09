package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RequestContext;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.tool.Tool;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Samples of docs/concepts.md and docs/supervisor-patterns.md that no program shows. */
class ConceptsPageTest {

    private static final Agent READER =
            Agent.builder("reader").model("openai/gpt-5-mini").build();

    @Test
    void aRunMayStartWithAPicture() {
        try (TestRuntime test =
                TestRuntime.with(ScriptedModel.script().on("reader").says("A boat."))) {
            byte[] png = {1, 2, 3};
            RunResult result = ask(test.bind(READER), png);

            assertThat(result).finished().hasText("A boat.");
            assertThat(test.script()
                            .requestsOf("reader")
                            .getFirst()
                            .messages()
                            .getLast()
                            .partsOf(Part.Image.class))
                    .containsExactly(new Part.Image("image/png", "data:image/png;base64,AQID"));
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    sealed interface Verdict {}

    @JsonTypeName("paid")
    record Paid(int cents) implements Verdict {}

    @JsonTypeName("rejected")
    record Rejected(String reason) implements Verdict {}

    @Test
    void anAnswerIsOneOfSeveralRecords() {
        try (TestRuntime test =
                TestRuntime.with(ScriptedModel.script().on("reader").says("{\"kind\":\"paid\",\"cents\":300}"))) {
            RunResult result = test.bind(READER).generate("Is it paid?", o -> o.structuredOutput(Verdict.class));

            assertThat(result).finished().hasObject(new Paid(300));
        }
    }

    static final RequestContext.Key<String> CUSTOMER = RequestContext.Key.of("customer", String.class);

    record Order(String id) {}

    @Test
    void aToolReadsAValueOfTheRequest() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("assistant")
                .calls("order", Map.of("id", "o-7"))
                .then()
                .says("It is yours."))) {
            RunResult result = ask(test.bind(assistant()), "Whose is o-7?");

            assertThat(result).finished().calledTool("order");
            assertThat(result.toolResults().getFirst().output())
                    .hasValueSatisfying(output -> assertThat(output.text()).isEqualTo("\"o-7 of c-12\""));
        }
    }

    private static Agent assistant() {
        Tool order = Tool.of(
                "order",
                "Returns an order of the customer.",
                Order.class,
                (in, context) -> find(context.requestContext().get(CUSTOMER).orElseThrow(), in.id()));
        return Agent.builder("assistant")
                .model("openai/gpt-5-mini")
                .tools(order)
                .build();
    }

    private static String find(String customer, String order) {
        return order + " of " + customer;
    }

    private static RunResult ask(Agent assistant, String question) {
        return assistant.generate(question, o -> o.requestContext(RequestContext.of(CUSTOMER, "c-12")));
    }

    @Test
    void aStepIsPrepared() {
        Agent searching = Agent.builder("searcher")
                .model("openai/gpt-5-mini")
                .tools(Tool.of("search", "Searches.", Order.class, (in, context) -> "Nothing."))
                .defaultOptions(o -> o.prepareStep(it -> {
                    if (it.step() == 1) {
                        return StepPlan.unchanged().withToolChoice(ToolChoice.tool("search"));
                    }
                    return it.step() == it.maxSteps()
                            ? StepPlan.unchanged().withToolChoice(ToolChoice.none())
                            : StepPlan.unchanged();
                }))
                .build();
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("searcher")
                .calls("search", Map.of("id", "boats"))
                .then()
                .calls("search", Map.of("id", "ships"))
                .then()
                .says("Nothing is known."))) {
            RunResult result = test.bind(searching).generate("Boats?", o -> o.maxSteps(3));

            assertThat(result).finished();
            assertThat(test.script().requestsOf("searcher"))
                    .extracting(ModelRequest::toolChoice)
                    .containsExactly(ToolChoice.tool("search"), ToolChoice.auto(), ToolChoice.none());
        }
    }

    @Test
    void aThreadIsCopiedForItsOwnerAndForAnother() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            for (String owned : List.of("ann monday", "team welcome")) {
                List<String> names = List.of(owned.split(" "));
                ThreadRecord made = runtime.threads()
                        .append(ThreadOwner.of(names.getFirst()), names.getLast(), List.of(Message.user("Hello.")));
                assertThat(made.length()).isEqualTo(1);
            }
            ThreadOwner ann = ThreadOwner.of("ann");
            ThreadRecord copy = runtime.threads().copy(ann, "monday", c -> c.before(4));
            List<ThreadRecord> sources = runtime.threads().lineage(ann, copy.threadId());
            ThreadRecord own = runtime.threads().copy(ThreadOwner.of("team"), "welcome", c -> c.toOwner(ann));

            assertThat(sources).extracting(ThreadRecord::threadId).containsExactly("monday");
            assertThat(own.owner()).isEqualTo(ann);
            assertThat(runtime.threads().list("ann", 0, 9)).hasSize(3);
        }
    }

    @Test
    void aBudgetOfCostHasPrices() {
        try (TestRuntime test =
                TestRuntime.with(ScriptedModel.script().on("reader").says("A boat."))) {
            RunResult result = bounded(test.bind(READER), "Which ship is this?");

            assertThat(result).finished();
            assertThat(result.cost()).isZero(); // a scripted model has no price
        }
    }

    private static RunResult ask(Agent reader, byte[] png) {
        Message question = Message.of(
                Role.USER,
                new Part.Text("What is this?"),
                new Part.Image(
                        "image/png",
                        "data:image/png;base64," + Base64.getEncoder().encodeToString(png)));
        return reader.generate(List.of(question), o -> o.maxSteps(3));
    }

    private static RunResult bounded(Agent reader, String prompt) {
        return reader.generate(prompt, o -> o.budget(b -> b.tokens(50_000).cost(new BigDecimal("0.25")))
                .prices(Prices.NONE.with("openai/gpt-5-mini", new BigDecimal("0.25"), new BigDecimal("2.00"))));
    }
}
