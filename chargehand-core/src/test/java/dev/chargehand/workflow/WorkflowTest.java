package dev.chargehand.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a definition consists of, and that its functions work on JSON. */
class WorkflowTest {

    record Order(String item, int count) {}

    record Quote(int total) {}

    record Progress(@Nullable String at) {}

    private static final Json ORDER = Json.of(new Order("pen", 2));
    private static final WorkflowContext CONTEXT = FixedContext.of(ORDER);

    private static final Step<Order, Boolean> RESERVE =
            Step.of("reserve", Order.class, Boolean.class, (order, ctx) -> true);
    private static final Step<Order, Integer> PRICE =
            Step.of("price", Order.class, Integer.class, (order, ctx) -> 3 * order.count());
    private static final Step<Quote, String> ASK = Step.of("ask", Quote.class, String.class, (quote, ctx) -> "asked");
    private static final Step<Quote, String> PAY = Step.of("pay", Quote.class, String.class, (quote, ctx) -> "paid");
    private static final Step<String, String> POLL = Step.of("poll", String.class, String.class, (in, ctx) -> in);
    private static final Step<String, Integer> MAIL =
            Step.of("mail", String.class, Integer.class, (in, ctx) -> in.length());

    private static final Workflow<Order, List<Integer>> ORDERING = Workflow.from("ordering", Order.class)
            .description("Sells.")
            .version("2")
            .name("Ordering")
            .state(Progress.class)
            .parallel(RESERVE, PRICE)
            .map(
                    "join",
                    Quote.class,
                    (out, ctx) ->
                            new Quote(out.get(PRICE) + ctx.input(Order.class).count()))
            .branch(Branch.when("large", (quote, ctx) -> quote.total() > 10, ASK)
                    .otherwise(PAY))
            .doUntil(POLL, (text, ctx) -> text.isEmpty(), Repeat.atMost(50))
            .foreach("notify", (text, ctx) -> List.of(text, "b"), MAIL, Each.concurrency(4))
            .build(new JsonType<>() {});

    @Test
    void itHasWhatItWasGiven() {
        assertThat(ORDERING.id()).isEqualTo("ordering");
        assertThat(ORDERING.name()).isEqualTo("Ordering");
        assertThat(ORDERING.description()).isEqualTo("Sells.");
        assertThat(ORDERING.version()).isEqualTo("2");
        assertThat(ORDERING.state()).contains(JsonSchema.of(Progress.class));
        assertThat(ORDERING.input()).isEqualTo(JsonSchema.of(Order.class));
        assertThat(ORDERING.output()).isEqualTo(JsonSchema.of(new JsonType<List<Integer>>() {}));
        assertThat(ORDERING).hasToString("Workflow[ordering, version 2]");
    }

    @Test
    void itsShapeNamesEveryEntryWithItsKindIdAndSteps() {
        assertThat(ORDERING.shape())
                .containsExactly(
                        "parallel parallel-1: reserve, price",
                        "map join",
                        "branch branch-1: ask, pay",
                        "do-until poll: poll",
                        "foreach notify: mail");
    }

    @Test
    void itFindsAStepByItsId() {
        assertThat(ORDERING.step("mail")).contains(MAIL);
        assertThat(ORDERING.step("pay")).contains(PAY);
        assertThat(ORDERING.step("notify")).isEmpty();
    }

    @Test
    void itWritesItsInputAndReadsItsOutput() {
        assertThat(ORDERING.write(new Order("pen", 2))).isEqualTo(ORDER);
        assertThat(ORDERING.read(Json.parse("[1,2]"))).containsExactly(1, 2);
        assertThatThrownBy(() -> ORDERING.read(Json.of("x"))).isInstanceOf(InvalidJsonException.class);
    }

    @Test
    void whatIsNotGivenHasADefault() {
        Workflow<Order, Integer> plain =
                Workflow.from("plain", Order.class).then(PRICE).build(Integer.class);

        assertThat(plain.name()).isEqualTo("plain");
        assertThat(plain.description()).isEmpty();
        assertThat(plain.version()).isEqualTo("1");
        assertThat(plain.state()).isEmpty();
        assertThat(plain.initialState()).isEqualTo(Json.parse("{}"));
        assertThat(plain.shape()).containsExactly("then price: price");
    }

    @Test
    void aRunMayStartWithAState() {
        Workflow<Order, Integer> workflow = Workflow.from("plain", Order.class)
                .state(Quote.class, new Quote(1))
                .then(PRICE)
                .build(Integer.class);

        assertThat(workflow.initialState()).isEqualTo(Json.parse("{\"total\":1}"));
    }

    @Test
    void aMapReadsTheValueAndWritesItsResult() throws Exception {
        Entry.Mapping join = (Entry.Mapping) ORDERING.entries().get(1);

        assertThat(join.apply(Outputs.of(Map.of("price", Json.of(6))).json(), CONTEXT))
                .isEqualTo(Json.parse("{\"total\":8}"));
        assertThat(join.kind()).isEqualTo("map");
        assertThat(join.steps()).isEmpty();
    }

    @Test
    void theConditionOfACaseReadsTheInput() throws Exception {
        Entry.Branch branch = (Entry.Branch) ORDERING.entries().get(2);
        Entry.Case large = branch.cases().getFirst();

        assertThat(large.name()).isEqualTo("large");
        assertThat(large.test(Json.of(new Quote(11)), CONTEXT)).isTrue();
        assertThat(large.test(Json.of(new Quote(10)), CONTEXT)).isFalse();
        assertThat(large.step()).isSameAs(ASK);
        assertThat(branch.otherwise()).isSameAs(PAY);
        assertThat(branch.steps()).isEqualTo(List.of(ASK, PAY));
    }

    @Test
    void aBranchThatPassesItsInputHasNoOtherStep() {
        Workflow<String, String> workflow = Workflow.from("passing", String.class)
                .branch(Branch.when("empty", (text, ctx) -> text.isEmpty(), POLL)
                        .otherwisePass())
                .build(String.class);

        Entry.Branch branch = (Entry.Branch) workflow.entries().getFirst();
        assertThat(branch.otherwise()).isNull();
        assertThat(branch.steps()).isEqualTo(List.of(POLL));
    }

    @Test
    void aBranchOfSeveralCasesKeepsTheirOrder() {
        Workflow<Quote, String> workflow = Workflow.from("cases", Quote.class)
                .branch(
                        "size",
                        Branch.when("large", (quote, ctx) -> quote.total() > 10, ASK)
                                .when("small", (quote, ctx) -> quote.total() > 1, PAY)
                                .otherwise(ASK.withId("free")))
                .build(String.class);

        assertThat(workflow.shape()).containsExactly("branch size: ask, pay, free");
    }

    @Test
    void allCasesOfABranchAllMayHaveDifferentOutputs() throws Exception {
        Workflow<Order, Outputs> workflow = Workflow.from("all", Order.class)
                .branchAll(
                        Branch.when("many", (order, ctx) -> order.count() > 1, RESERVE),
                        Branch.when("any", (order, ctx) -> true, PRICE))
                .build(Outputs.class);

        Entry.BranchAll all = (Entry.BranchAll) workflow.entries().getFirst();
        assertThat(workflow.shape()).containsExactly("branch-all branch-all-1: reserve, price");
        assertThat(all.cases().getFirst().test(ORDER, CONTEXT)).isTrue();
        assertThat(all.cases().getFirst().test(Json.of(new Order("pen", 1)), CONTEXT))
                .isFalse();
        assertThat(workflow.read(Json.parse("{\"price\":1}")).get(PRICE)).isEqualTo(1);
    }

    @Test
    void aLoopUntilEndsWhenItsConditionIsTrue() throws Exception {
        Entry.Loop until = (Entry.Loop) ORDERING.entries().get(3);

        assertThat(until.again(Json.of(""), CONTEXT)).isFalse();
        assertThat(until.again(Json.of("x"), CONTEXT)).isTrue();
        assertThat(until.atMost()).isEqualTo(50);
        assertThat(until.id()).isEqualTo("poll");
    }

    @Test
    void aLoopWhileEndsWhenItsConditionIsFalse() throws Exception {
        Workflow<String, String> workflow = Workflow.from("while", String.class)
                .doWhile(POLL, (text, ctx) -> text.isEmpty(), Repeat.atMost(1))
                .build(String.class);

        Entry.Loop loop = (Entry.Loop) workflow.entries().getFirst();
        assertThat(loop.kind()).isEqualTo("do-while");
        assertThat(loop.again(Json.of(""), CONTEXT)).isTrue();
        assertThat(loop.again(Json.of("x"), CONTEXT)).isFalse();
    }

    @Test
    void theItemsOfAForeachAreWrittenOneByOne() throws Exception {
        Entry.Foreach each = (Entry.Foreach) ORDERING.entries().getLast();

        assertThat(each.items(Json.of("a"), CONTEXT)).containsExactly(Json.of("a"), Json.of("b"));
        assertThat(each.concurrency()).isEqualTo(4);
        assertThat(each.collect()).isFalse();
    }

    @Test
    void aForeachWithoutAnIdHasThatOfItsStepAndProcessesItemsInOrder() {
        Workflow<String, List<Integer>> workflow = Workflow.from("each", String.class)
                .foreach((text, ctx) -> List.of(text), MAIL)
                .build(new JsonType<>() {});

        assertThat(workflow.shape()).containsExactly("foreach mail: mail");
        assertThat(((Entry.Foreach) workflow.entries().getFirst()).concurrency())
                .isEqualTo(1);
    }

    @Test
    void aForeachThatCollectsHasAnOutcomeOfEachItem() throws Exception {
        Workflow<String, Integer> workflow = Workflow.from("each", String.class)
                .foreach(
                        "notify",
                        (text, ctx) -> List.of(text),
                        MAIL,
                        Each.concurrency(2).collect())
                .map("failures", Integer.class, (outcomes, ctx) -> (int) outcomes.stream()
                        .filter(each -> each instanceof Outcome.Failure)
                        .count())
                .build(Integer.class);

        Entry.Foreach each = (Entry.Foreach) workflow.entries().getFirst();
        Entry.Mapping failures = (Entry.Mapping) workflow.entries().getLast();
        assertThat(each.collect()).isTrue();
        assertThat(each.concurrency()).isEqualTo(2);
        assertThat(failures.apply(Json.parse("[{\"ok\":1},{\"error\":\"late\"}]"), CONTEXT))
                .isEqualTo(Json.of(1));
    }

    @Test
    void itemsThatAreNullAreNamed() {
        Workflow<String, List<Integer>> workflow = Workflow.from("each", String.class)
                .foreach((text, ctx) -> noItems(), MAIL)
                .build(new JsonType<>() {});

        Entry.Foreach each = (Entry.Foreach) workflow.entries().getFirst();
        assertThatThrownBy(() -> each.items(Json.of("a"), CONTEXT))
                .hasMessage("Workflow 'each': the items of entry 'mail' are null; return an empty list instead.");
    }

    @SuppressWarnings("NullAway") // as an application without the check could
    private static List<String> noItems() {
        return null;
    }

    @Test
    void theEntryAfterAnOptionalStepTakesAnOptional() throws Exception {
        Workflow<Order, Integer> workflow = Workflow.from("optional", Order.class)
                .then(PRICE.optional())
                .map("sum", Integer.class, (price, ctx) -> price.orElse(0))
                .then(Step.of(
                        "wrap",
                        new JsonType<Integer>() {},
                        new JsonType<Optional<Integer>>() {},
                        (in, ctx) -> Optional.of(in)))
                .then(Step.of(
                        "unwrap",
                        new JsonType<Optional<Integer>>() {},
                        new JsonType<Integer>() {},
                        (in, ctx) -> in.orElse(-1)))
                .build(Integer.class);

        Entry.Mapping sum = (Entry.Mapping) workflow.entries().get(1);
        assertThat(sum.apply(Json.of(null), CONTEXT)).isEqualTo(Json.of(0));
        assertThat(sum.apply(Json.of(6), CONTEXT)).isEqualTo(Json.of(6));
        assertThat(workflow.step("unwrap").orElseThrow().call(Json.of(null), CONTEXT))
                .isEqualTo(Json.of(-1));
    }

    @Test
    void aBuilderIsNotChangedByWhatFollows() {
        WorkflowBuilder<Order, Integer> start =
                Workflow.from("start", Order.class).then(PRICE);
        Workflow<Order, Integer> one = start.build(Integer.class);
        Workflow<Order, String> two = start.version("2")
                .map("text", String.class, (price, ctx) -> "x")
                .build(String.class);

        assertThat(one.shape()).containsExactly("then price: price");
        assertThat(one.version()).isEqualTo("1");
        assertThat(two.shape()).containsExactly("then price: price", "map text");
        assertThat(two.version()).isEqualTo("2");
        assertThat(start.build(Integer.class).shape()).isEqualTo(one.shape());
        assertThat(start.build(Integer.class).version()).isEqualTo("1");
    }

    @Test
    void idsWithoutANameCountTheEntriesOfTheirKind() {
        Workflow<Order, Outputs> workflow = Workflow.from("numbered", Order.class)
                .parallel(RESERVE)
                .map("back", Order.class, (out, ctx) -> new Order("pen", 1))
                .parallel("named", PRICE)
                .map("again", Order.class, (out, ctx) -> new Order("pen", 1))
                .parallel(PRICE.withId("third"))
                .build(Outputs.class);

        assertThat(workflow.entries())
                .extracting(Entry::id)
                .containsExactly("parallel-1", "back", "named", "again", "parallel-3");
    }

    @Test
    @SuppressWarnings("DataFlowIssue")
    void nothingCanBeAddedToItLater() {
        assertThatThrownBy(() -> ORDERING.entries().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ORDERING.entries().getFirst().steps().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(
                        () -> ((Entry.Branch) ORDERING.entries().get(2)).cases().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void anEntryCopiesTheListsItIsMadeOf() {
        Entry.Case first = new Entry.Case("first", (in, ctx) -> true, POLL);
        List<Entry.Case> cases = new ArrayList<>(List.of(first));
        List<Step<?, ?>> steps = new ArrayList<>(List.of(POLL));
        Entry.Branch branch = new Entry.Branch("branch", cases, null);
        Entry.BranchAll all = new Entry.BranchAll("all", cases, Entry.Failure.FINISH_SIBLINGS);
        Entry.Parallel parallel = new Entry.Parallel("parallel", steps, Entry.Failure.FINISH_SIBLINGS);

        cases.clear();
        steps.clear();

        assertThat(branch.cases()).containsExactly(first);
        assertThat(all.cases()).containsExactly(first);
        assertThat(parallel.steps()).isEqualTo(List.of(POLL));
    }
}
