package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers with more digits than a double, or a larger exponent, are the same wherever they are read, written and stored. */
class ExactNumbersTest extends SharedDatabases {

    record Amount(BigDecimal value) {}

    record Ratio(double value) {}

    record Scale(float by) {}

    private static final String AMOUNT = "1234.123456789012345678";

    private static final String NUMBERS =
            "{\"amount\":12345678901234567890.12,\"price\":1.10,\"large\":1e400,\"small\":-0.0,\"more\":1E5}";

    private final Queue<Object> received = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {AMOUNT, "12345678901234567890.12", "1E+400", "-1E-400", "0.1"})
    void aToolReceivesTheAmountThatTheModelWrote(String amount) {
        Tool pay = Tool.of("pay", "Pays.", Amount.class, (in, context) -> Steps.noted(received, in.value(), in));
        Ran ran = Both.run(Crew.solo(pay), Turn.callsRaw("pay", "{\"value\":" + amount + "}"), Turn.says("Done"));

        assertThat(received).hasSize(2).containsOnly(new BigDecimal(amount));
        assertThat(ran.result().toolResults().getFirst().output()).contains(Json.parse("{\"value\":" + amount + "}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400", "1e99999999999"})
    void aNumberThatNoDoubleIsNearIsNotHandedOnAsInfinity(String number) {
        Tool scale = Tool.of("scale", "Scales.", Ratio.class, (in, context) -> Steps.noted(received, in.value(), in));
        Ran ran = Both.run(Crew.solo(scale), Turn.callsRaw("scale", "{\"value\":" + number + "}"), Turn.says("Done"));

        assertThat(ran.result()).finished();
        assertThat(received).isEmpty();
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow())
                .startsWith("The arguments of 'scale' are ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e39", "-1e39", "1e400"})
    void aNumberBeyondAFloatIsNotHandedOnAsInfinity(String number) {
        Tool scale = Tool.of("scale", "Scales.", Scale.class, (in, context) -> Steps.noted(received, in.by(), in));
        Ran ran = Both.run(Crew.solo(scale), Turn.callsRaw("scale", "{\"by\":" + number + "}"), Turn.says("Done"));

        assertThat(ran.result()).finished();
        assertThat(received).isEmpty();
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow())
                .startsWith("The arguments of 'scale' are ");
    }

    @Test
    void aFloatHasARangeAndReadsWhatFits() {
        assertThat(Json.parse("{\"by\":1.5}").as(Scale.class)).isEqualTo(new Scale(1.5f));
        assertThat(Json.parse("3").as(Float.class)).isEqualTo(3f);
        assertThatThrownBy(() -> Json.parse("{\"by\":1e39}").as(Scale.class))
                .hasMessage("The value at /by is not valid; it must be a number from -3.4028235E38 to 3.4028235E38.");
        assertThat(Json.parse("[1.5,-2]").as(float[].class)).containsExactly(1.5f, -2f);
        assertThatThrownBy(() -> Json.parse("[1,1e300]").as(float[].class))
                .hasMessage("The value at /1 is not valid; it must be a number from -3.4028235E38 to 3.4028235E38.");
        assertThatThrownBy(() -> Json.parse("[1,null]").as(float[].class)).hasMessageContaining("a number from");
        assertThatThrownBy(() -> Json.parse("-1e39").as(Float.class))
                .hasMessageContaining("a number from -3.4028235E38");
    }

    @Test
    void argumentsThatDifferInAnyDigitHaveDifferentDigests() {
        assertThat(Json.parse("[12345678901234567890.12]").canonical())
                .isNotEqualTo(Json.parse("[12345678901234567890.13]").canonical());
        assertThat(Json.parse("[1e400]").canonical())
                .isNotEqualTo(Json.parse("[1e401]").canonical())
                .isNotEqualTo(Json.parse("[\"Infinity\"]").canonical());
        assertThat(Json.parse("[12345678901234567890.50]").canonical())
                .isEqualTo(Json.parse("[12345678901234567890.5]").canonical());
    }

    @Test
    void whatIsReadFromTheStoreIsWhatWasStored() {
        Store store = sqlite();
        Agent lead = ApprovalFixture.lead(
                Steps.tool("look", (in, context) -> Json.parse(NUMBERS)),
                Steps.approvedTool("pay", (in, context) -> in));
        PendingApproval shown;
        Script first = Scripts.on("lead", Turn.calls("look", "{}"), Turn.callsRaw("pay", NUMBERS));
        try (TestRuntime test = Crew.playing(store, first, lead)) {
            shown = ApprovalFixture.pending(test);
        }
        Script second = Scripts.on("lead", Turn.says("Paid"));
        try (TestRuntime test = Crew.playing(store, second, lead)) {
            RunResult result = test.runtime().approve(shown, Approver.of("ann")).result();

            assertThat(result.toolResults())
                    .extracting(outcome -> outcome.output().orElseThrow().text())
                    .containsExactly(NUMBERS, NUMBERS);
            assertThat(second.requests().getFirst().messages().stream().flatMap(each -> each.toolResults().stream()))
                    .extracting(each -> each.output())
                    .containsExactly(NUMBERS, NUMBERS);
            assertThat(test.runtime().history(result.runId()))
                    .filteredOn(RunEvent.ToolResult.class::isInstance)
                    .extracting(each -> String.valueOf(((RunEvent.ToolResult) each).output()))
                    .containsExactly(NUMBERS, NUMBERS);
        }
        assertThat(PendingApproval.fromJson(shown.toJson()).arguments().canonical())
                .isEqualTo(shown.arguments().canonical());
    }

    @Test
    void stepsOfAWorkflowHandOnTheAmount() {
        Step<Amount, Amount> note =
                Step.of("note", Amount.class, Amount.class, (in, context) -> Steps.noted(received, in, in));
        Amount amount = new Amount(new BigDecimal(AMOUNT));
        try (TestRuntime test = Crew.playing(sqlite(), Scripts.of())) {
            Workflow<Amount, Amount> workflow =
                    Workflow.from("pay", Amount.class).then(note).build(Amount.class);

            assertThat(test.runtime().run(workflow, amount, o -> {}).output()).isEqualTo(amount);
        }
        assertThat(received).containsExactly(amount);
    }

    static List<Supplier<Object>> unreadable() {
        return List.of(
                () -> BigInteger.TWO.pow(5_000),
                () -> Map.of("x", new BigDecimal(BigInteger.TEN.pow(2_000).add(BigInteger.ONE), 1_000)),
                () -> Map.of("k".repeat(60_000), 1),
                () -> nested(501));
    }

    /** The call had its effect; so the model has to know that it was executed, and the run continues. */
    @ParameterizedTest
    @MethodSource
    void unreadable(Supplier<Object> result) {
        Ran ran = Both.run(
                Crew.solo(Steps.tool("look", (in, context) -> result.get())),
                Turn.calls("look", "{}"),
                Turn.says("Done"));

        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow())
                .startsWith("Tool 'look'")
                .contains("its result ");
    }

    @Test
    void aQuestionThatCannotBeReadAgainIsAnErrorOfItsTool() {
        Ran ran = Both.run(
                Crew.solo(Steps.tool("ask", (in, context) -> context.suspend(BigInteger.TWO.pow(5_000)))),
                Turn.calls("ask", "{}"),
                Turn.says("Done"));

        assertThat(ran.result()).finished();
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow()).startsWith("Tool 'ask' failed (error ");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aQuestionOrAnEndOfAWorkflowThatCannotBeReadAgainFailsItsStep(boolean asks) {
        Step<Amount, Object> step = Step.of("end", Amount.class, Object.class, (in, context) -> {
            Object value = BigInteger.TWO.pow(5_000);
            return asks ? context.suspend(value) : context.bail(value);
        });
        Workflow<Amount, Object> workflow =
                Workflow.from("pay", Amount.class).then(step).build(Object.class);
        try (TestRuntime test = Crew.playing(sqlite(), Scripts.of())) {
            Amount amount = new Amount(BigDecimal.ONE);

            assertThatThrownBy(() -> test.runtime().run(workflow, amount, o -> {}))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("Step 'end' failed: Not valid JSON");
            RunRecord run = test.store().list(RunFilter.ROOTS).getFirst();
            assertThat(test.runtime().history(run.runId())).isNotEmpty();
        }
    }

    @Test
    void aResultThatIsNestedAsDeeplyAsJsonIsReadDoesNotMakeItsRunUnreadable() {
        Store store = sqlite();
        Agent lead = ApprovalFixture.lead(
                Steps.tool("look", (in, context) -> nested(500)), Steps.approvedTool("pay", (in, context) -> in));
        PendingApproval shown;
        Script first = Scripts.on("lead", Turn.calls("look", "{}"), Turn.calls("pay", "{}"));
        try (TestRuntime test = Crew.playing(store, first, lead)) {
            shown = ApprovalFixture.pending(test);
        }
        try (TestRuntime test = Crew.playing(store, Scripts.on("lead", Turn.says("Paid")), lead)) {
            RunResult result = test.runtime().approve(shown, Approver.of("ann")).result();

            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(result.toolResults().getFirst().output().orElseThrow().depth())
                    .isEqualTo(500);
        }
    }

    private static List<Object> nested(int levels) {
        List<Object> inner = new ArrayList<>();
        for (int ignored : IntStream.range(1, levels).toArray()) {
            inner = new ArrayList<>(List.of(inner));
        }
        return inner;
    }
}
