package dev.chargehand.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Definitions that cannot work are rejected, with the place and what to do. */
class WorkflowRulesTest {

    record Order(String item, int count) {}

    private static final Step<String, String> A = Step.of("a", String.class, String.class, (in, ctx) -> in);
    private static final Step<String, String> B = A.withId("b");
    private static final Step<String, Integer> LENGTH =
            Step.of("length", String.class, Integer.class, (in, ctx) -> in.length());

    private static WorkflowBuilder<String, String> start() {
        return Workflow.from("w", String.class);
    }

    private static void assertRejected(ThrowingCallable definition, String message) {
        assertThatThrownBy(definition)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(message);
    }

    private static Step<Json, Json> raw(String id, String input, String output) {
        return Step.of(id, JsonSchema.of(Json.parse(input)), JsonSchema.of(Json.parse(output)), (in, ctx) -> in);
    }

    @Test
    void anIdIsUsedOnceInAWorkflow() {
        String message = "Workflow 'w': id 'a' is used twice; the ids of entries and steps must be unique."
                + " Give one of them another id; a step has withId.";

        assertRejected(() -> start().then(A).then(A), message);
        assertRejected(() -> start().parallel(A, A), message);
        assertRejected(() -> start().then(A).doWhile(A, (in, ctx) -> true, Repeat.atMost(2)), message);
        assertRejected(() -> start().then(A).map("a", String.class, (in, ctx) -> in), message);
        assertRejected(
                () -> start().branch(Branch.when("x", (in, ctx) -> true, A).otherwise(A)), message);
    }

    @Test
    void anEntryOfSeveralStepsHasAnIdOfItsOwn() {
        assertThatThrownBy(() -> start().parallel("a", A, B)).hasMessageContaining("id 'a' is used twice");
        assertThatThrownBy(() -> start().then(A).foreach("a", (in, ctx) -> List.of(in), B, Each.concurrency(1)))
                .hasMessageContaining("id 'a' is used twice");
        assertThat(start().parallel("a", A).build(Outputs.class).shape()).containsExactly("parallel a: a");
    }

    @Test
    void anIdIsAName() {
        assertRejected(
                () -> start().map("to text", String.class, (in, ctx) -> in),
                "Workflow 'w': entry 'to text': an id has 1 to 64 letters, digits, '_' or '-'; choose another id.");
        assertThatThrownBy(() -> start().parallel("", A)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> start().foreach("x.y", (in, ctx) -> List.of(in), A, Each.concurrency(1)))
                .isInstanceOf(ConfigurationException.class);
        assertRejected(
                () -> Workflow.from("a workflow", String.class),
                "Workflow 'a workflow': an id has 1 to 64 letters, digits, '_' or '-'; choose another id.");
        assertRejected(
                () -> Branch.when("a case", (String in, WorkflowContext ctx) -> true, A),
                "Case 'a case': an id has 1 to 64 letters, digits, '_' or '-'; choose another id.");
    }

    @Test
    void theCasesOfOneBranchHaveDifferentNames() {
        String message =
                "Workflow 'w': case 'x' exists twice in one branch; the names of its cases must be unique. Rename one of them.";

        assertRejected(
                () -> start().branch(Branch.when("x", (in, ctx) -> true, A)
                        .when("x", (in, ctx) -> true, B)
                        .otherwisePass()),
                message);
        assertRejected(
                () -> start().branchAll(
                                Branch.when("x", (String in, WorkflowContext ctx) -> true, A),
                                Branch.when("x", (String in, WorkflowContext ctx) -> true, B)),
                message);
    }

    @Test
    void aWorkflowHasAnEntry() {
        assertRejected(
                () -> start().build(String.class),
                "Workflow 'w' has no entries; add at least one, such as then(step).");
    }

    @Test
    void anEntryOfSeveralStepsHasOne() {
        assertRejected(() -> start().parallel(), "Workflow 'w': parallel needs at least one step.");
        assertRejected(() -> start().branchAll(), "Workflow 'w': branchAll needs at least one step.");
    }

    @Test
    void aBranchMayPassOnlyWhatItsStepsReturn() {
        assertRejected(
                () -> start().branch(
                                "size",
                                Branch.when("x", (in, ctx) -> true, LENGTH).otherwisePass()),
                "Workflow 'w': entry 'size' passes its input on if no condition is true, so its steps must return the"
                        + " type that they take. Use otherwise(step) instead.");
    }

    @Test
    void boundsAreChecked() {
        assertRejected(() -> Repeat.atMost(0), "The number of iterations of a loop must be at least 1, but is 0.");
        assertRejected(() -> Each.concurrency(0), "The concurrency of a foreach must be from 1 to 100, but is 0.");
        assertRejected(() -> Each.concurrency(101), "The concurrency of a foreach must be from 1 to 100, but is 101.");
        assertThat(Each.concurrency(100).collect().concurrency()).isEqualTo(100);
        assertThatThrownBy(() -> new Each.Collecting(0)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void textsAreNotBlank() {
        assertRejected(() -> start().description(" "), "Workflow 'w': the description must not be blank.");
        assertRejected(() -> start().name(""), "Workflow 'w': the name must not be blank.");
        assertRejected(
                () -> start().version("v".repeat(65)),
                "Workflow 'w': the version must not be blank or longer than 64 characters.");
    }

    @Test
    void theInitialStateFitsItsType() {
        assertThatThrownBy(() -> start().state(Order.class))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Workflow 'w': the initial state breaks the schema of the state:")
                .hasMessageContaining("'count'")
                .hasMessageEndingWith("Set one that fits with state(type, initial).");
    }

    @Test
    void aStepCannotRequireWhatTheValueBeforeItLacks() {
        Step<Json, Json> small = raw("small", "{}", """
                {"type":"object","properties":{"item":{},"note":{}}}""");
        Step<Json, Json> big = raw("big", """
                {"type":"object","properties":{"item":{},"count":{}},"required":["item","count"]}""", "{}");
        String message = "Workflow 'w': the output of entry 'small' cannot be the input of step 'big', because it lacks"
                + " count (it has item, note). Change one of the types, or add a map between them.";
        WorkflowBuilder<Json, Json> after = Workflow.from("w", Json.class).then(small);

        assertRejected(() -> after.then(big), message);
        assertRejected(() -> after.parallel(big), message);
        assertRejected(
                () -> after.branch(Branch.when("x", (in, ctx) -> true, big).otherwise(raw("other", "{}", "{}"))),
                message);
        assertRejected(
                () -> after.branch(Branch.when("x", (in, ctx) -> true, raw("other", "{}", "{}"))
                        .otherwise(big)),
                message);
        assertRejected(() -> after.branchAll(Branch.when("x", (in, ctx) -> true, big)), message);
        assertRejected(() -> after.doWhile(big, (in, ctx) -> true, Repeat.atMost(2)), message);
        assertThat(after.foreach((in, ctx) -> List.of(in), big)
                        .build(new JsonType<>() {})
                        .shape())
                .hasSize(2);
    }

    @Test
    void theInputOfTheWorkflowFitsTheFirstStep() {
        JsonSchema input = JsonSchema.of(Json.parse("{\"type\":\"object\",\"properties\":{\"item\":{}}}"));

        assertRejected(
                () -> Workflow.from("w", input).then(raw("first", "{\"type\":\"object\",\"required\":[\"id\"]}", "{}")),
                "Workflow 'w': the input of the workflow cannot be the input of step 'first', because it lacks id"
                        + " (it has item). Change one of the types, or add a map between them.");
    }

    @Test
    void theOutputOfALoopsStepFitsItsInput() {
        assertRejected(
                () -> Workflow.from("w", Json.class)
                        .doUntil(
                                raw("poll", "{\"type\":\"object\"}", "{\"type\":\"string\"}"),
                                (in, ctx) -> true,
                                Repeat.atMost(2)),
                "Workflow 'w': the output of step 'poll' cannot be the input of step 'poll', because it is of type"
                        + " string and not object. Change one of the types, or add a map between them.");
    }

    @Test
    void kindsOfValuesMustAgree() {
        WorkflowBuilder<Json, Json> number =
                Workflow.from("w", Json.class).then(raw("count", "{}", "{\"type\":\"integer\"}"));

        assertRejected(
                () -> number.then(raw("text", "{\"type\":\"string\"}", "{}")),
                "Workflow 'w': the output of entry 'count' cannot be the input of step 'text', because it is of type"
                        + " integer and not string. Change one of the types, or add a map between them.");
        assertThat(number.then(raw("sum", "{\"type\":\"number\"}", "{}"))
                        .build(Json.class)
                        .shape())
                .hasSize(2);
    }

    @Test
    void whatCannotBeSeenIsNotRejected() {
        Step<Json, Json> wants = raw("wants", "{\"type\":\"object\",\"required\":[\"id\"]}", "{}");
        for (String open : List.of(
                "{}",
                "{\"type\":\"object\"}",
                "{\"type\":[\"object\",\"null\"],\"properties\":{\"x\":{}}}",
                "{\"type\":\"object\",\"properties\":{\"x\":{}},\"additionalProperties\":true}",
                "{\"type\":\"object\",\"properties\":{\"x\":{}},\"allOf\":[{\"properties\":{\"id\":{}}}]}",
                "{\"type\":\"object\",\"properties\":{\"id\":{}}}")) {
            assertThat(Workflow.from("w", Json.class)
                            .then(raw("gives", "{}", open))
                            .then(wants)
                            .build(Json.class)
                            .shape())
                    .as(open)
                    .hasSize(2);
        }
    }

    @Test
    void aMapOfAnyKeysFitsARecord() {
        Step<Map<String, Integer>, Map<String, Integer>> any = Step.of(
                "any",
                new JsonType<Map<String, Integer>>() {},
                new JsonType<Map<String, Integer>>() {},
                (in, ctx) -> in);

        assertThat(Workflow.from("w", new JsonType<Map<String, Integer>>() {})
                        .then(any)
                        .build(new JsonType<>() {})
                        .shape())
                .hasSize(1);
        assertThat(Form.mismatch(any.output(), JsonSchema.of(Order.class))).isNull();
    }

    @Test
    void stepsOfABranchWithDifferentSchemasHaveAnyOutput() {
        Step<Json, Json> text = raw("text", "{}", "{\"type\":\"string\"}");
        Step<Json, Json> number = raw("number", "{}", "{\"type\":\"integer\"}");

        assertThat(Workflow.from("w", Json.class)
                        .branch(Branch.when("x", (in, ctx) -> true, text).otherwise(number))
                        .then(raw("next", "{\"type\":\"integer\"}", "{}"))
                        .build(Json.class)
                        .shape())
                .hasSize(2);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    void whatIsMissingIsNamed() {
        assertRejected(
                () -> start().then((Step<String, String>) null), "Workflow 'w': an argument of then must not be null.");
        assertRejected(
                () -> start().map("m", String.class, null), "Workflow 'w': an argument of map must not be null.");
        assertRejected(() -> start().parallel(A, null), "Workflow 'w': an argument of parallel must not be null.");
        assertRejected(
                () -> start().doWhile(A, null, Repeat.atMost(1)),
                "Workflow 'w': an argument of doWhile must not be null.");
        assertRejected(() -> start().foreach(null, A), "Workflow 'w': an argument of foreach must not be null.");
        assertRejected(() -> Branch.when("x", null, A), "Case 'x': the condition must not be null.");
        assertRejected(
                () -> Branch.when("x", (in, ctx) -> true, (Step<String, String>) null),
                "Case 'x': the step must not be null.");
        assertRejected(
                () -> Branch.when("x", (in, ctx) -> true, A).otherwise(null),
                "Branch: the step of otherwise must not be null.");
        assertRejected(() -> start().state((Class<?>) null), "Workflow 'w': state must not be null.");
    }
}
