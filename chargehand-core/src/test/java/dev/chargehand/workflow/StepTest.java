package dev.chargehand.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step reads and writes JSON, has the options it was given, and rejects what cannot work. */
class StepTest {

    record Order(String item, int count) {}

    record Stock(int left) {}

    private static final Json ORDER = Json.of(new Order("pen", 2));

    private static final WorkflowContext CONTEXT = FixedContext.of(ORDER);

    private static final Step<Order, Stock> CHECK =
            Step.of("check", Order.class, Stock.class, (order, ctx) -> new Stock(10 - order.count()));

    @Test
    void itReadsItsInputAndWritesItsOutput() throws Exception {
        assertThat(CHECK.call(ORDER, CONTEXT)).isEqualTo(Json.parse("{\"left\":8}"));
        assertThat(CHECK.input()).isEqualTo(JsonSchema.of(Order.class));
        assertThat(CHECK.output()).isEqualTo(JsonSchema.of(Stock.class));
        assertThat(CHECK).hasToString("Step[check]");
    }

    @Test
    void itsHandlerReceivesTheContext() throws Exception {
        Step<Order, String> key = Step.of("key", Order.class, String.class, (order, ctx) -> ctx.idempotencyKey());

        assertThat(key.call(ORDER, CONTEXT)).isEqualTo(Json.of("key-1"));
    }

    @Test
    void aHandlerMayReturnWhatBailReturns() throws Exception {
        Step<Order, Stock> bailing = Step.of("bail", Order.class, Stock.class, (order, ctx) -> ctx.bail("done"));

        assertThat(bailing.call(ORDER, CONTEXT)).isEqualTo(Json.parse("null"));
    }

    @Test
    void itTakesTypesWithTypeArguments() throws Exception {
        Step<List<Order>, List<Stock>> all = Step.of(
                "all", new JsonType<List<Order>>() {}, new JsonType<List<Stock>>() {}, (orders, ctx) -> orders.stream()
                        .map(order -> new Stock(order.count()))
                        .toList());

        assertThat(all.call(Json.of(List.of(ORDER)), CONTEXT)).isEqualTo(Json.parse("[{\"left\":2}]"));
        assertThat(all.read(Json.parse("[{\"left\":2}]"))).contains(List.of(new Stock(2)));
    }

    @Test
    void itTakesSchemasAndThenWorksOnJson() throws Exception {
        JsonSchema object = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));
        Step<Json, Json> item =
                Step.of("item", object, object, (in, ctx) -> in.at("/item").orElseThrow());

        assertThat(item.call(ORDER, CONTEXT)).isEqualTo(Json.of("pen"));
        assertThat(item.input()).isEqualTo(object);
        assertThat(item.output()).isEqualTo(object);
    }

    @Test
    void anInputThatDoesNotFitItsTypeNeverReachesTheHandler() {
        assertThatThrownBy(() -> CHECK.call(Json.parse("{\"item\":\"pen\",\"count\":\"many\"}"), CONTEXT))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageContaining("count");
        assertThatThrownBy(() -> CHECK.call(Json.of(null), CONTEXT)).isInstanceOf(InvalidJsonException.class);
    }

    @Test
    void theHandlersExceptionIsThrownAsItIs() {
        Step<Order, Stock> failing = Step.of("fail", Order.class, Stock.class, (order, ctx) -> {
            throw new java.io.IOException("no warehouse");
        });

        assertThatThrownBy(() -> failing.call(ORDER, CONTEXT))
                .isExactlyInstanceOf(java.io.IOException.class)
                .hasMessage("no warehouse");
    }

    @Test
    void onlyTheStartOfAnOutputThatIsTooLongIsKept() throws Exception {
        Step<Order, String> longer =
                Step.of("longer", Order.class, String.class, (order, ctx) -> "x".repeat(8_388_609));
        Step<Order, String> longest =
                Step.of("longest", Order.class, String.class, (order, ctx) -> "x".repeat(8_388_000));

        assertThat(longer.call(ORDER, CONTEXT).text()).contains("[Cut here: it has more than 8388608 characters.");
        assertThat(longest.call(ORDER, CONTEXT).text()).hasSize(8_388_002);
    }

    @Test
    void itIsAttemptedOnceByDefaultAndNotRepeatable() {
        assertThat(CHECK.isRepeatable()).isFalse();
        assertThat(CHECK.retries()).isZero();
        assertThat(CHECK.backoff()).isEqualTo(Backoff.exponential(Duration.ofSeconds(1)));
        assertThat(CHECK.timeout()).isEmpty();
    }

    @Test
    void eachOptionKeepsTheOthersAndLeavesTheOriginalAsItIs() throws Exception {
        Step<Order, Stock> changed = CHECK.timeout(Duration.ofSeconds(20))
                .retries(2, Backoff.fixed(Duration.ofSeconds(3)))
                .repeatable()
                .fallback((order, error, ctx) -> new Stock(0));
        Step<Order, Stock> again = changed.repeatable()
                .retries(2, Backoff.fixed(Duration.ofSeconds(3)))
                .timeout(Duration.ofSeconds(20))
                .withId("check-again");

        for (Step<Order, Stock> each : List.of(changed, again)) {
            assertThat(each.isRepeatable()).isTrue();
            assertThat(each.retries()).isEqualTo(2);
            assertThat(each.backoff()).isEqualTo(Backoff.fixed(Duration.ofSeconds(3)));
            assertThat(each.timeout()).contains(Duration.ofSeconds(20));
            assertThat(each.call(ORDER, CONTEXT)).isEqualTo(Json.of(new Stock(8)));
            assertThat(each.recover(ORDER, "late", CONTEXT)).contains(Json.of(new Stock(0)));
        }
        assertThat(changed.id()).isEqualTo("check");
        assertThat(again.id()).isEqualTo("check-again");
        itIsAttemptedOnceByDefaultAndNotRepeatable();
    }

    @Test
    void aBuilderMakesTheSameStep() throws Exception {
        Step<Order, Stock> built = Step.builder("check", Order.class, Stock.class)
                .suspends(String.class, Integer.class)
                .handler((order, ctx) -> new Stock(order.count()))
                .build();

        assertThat(built.call(ORDER, CONTEXT)).isEqualTo(Json.of(new Stock(2)));
        assertThat(built.question().orElseThrow().json().at("/type")).contains(Json.of("string"));
        assertThat(built.answer().orElseThrow().json().at("/type")).contains(Json.of("integer"));
        assertThat(CHECK.question()).isEmpty();
    }

    @Test
    void aBuilderNeedsAHandler() {
        assertThatThrownBy(() -> Step.builder("check", Order.class, Stock.class).build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'check' needs a handler.");
    }

    @Test
    void aFallbackMakesAnOutputOfAFailure() throws Exception {
        Step<Order, Stock> safe = CHECK.fallback((order, error, ctx) -> new Stock(error.length() + order.count()));

        assertThat(safe.recover(ORDER, "late", CONTEXT)).contains(Json.of(new Stock(6)));
        assertThat(CHECK.recover(ORDER, "late", CONTEXT)).isEmpty();
    }

    @Test
    void anOptionalStepHasAnEmptyOutputInsteadOfAFailure() throws Exception {
        Step<Order, Optional<Stock>> optional = CHECK.optional();

        assertThat(optional.recover(ORDER, "late", CONTEXT)).contains(Json.of(null));
        assertThat(optional.read(Json.of(null))).contains(Optional.empty());
        assertThat(optional.call(ORDER, CONTEXT)).isEqualTo(Json.of(new Stock(8)));
        assertThat(optional.read(Json.of(new Stock(8)))).contains(Optional.of(new Stock(8)));
    }

    @Test
    void theSchemaOfAnOptionalOutputAllowsNullAndWhatItAllowedBefore() {
        JsonSchema schema = CHECK.optional().output();

        assertThat(schema.violations(Json.of(null))).isEmpty();
        assertThat(schema.violations(Json.of(new Stock(8)))).isEmpty();
        assertThat(schema.violations(Json.parse("{}"))).isNotEmpty();
    }

    enum Colour {
        RED
    }

    @Test
    void theSchemaOfAnOptionalEnumAllowsNullToo() {
        Step<Order, Colour> colour = Step.of("colour", Order.class, Colour.class, (order, ctx) -> Colour.RED);

        assertThat(colour.optional().output().violations(Json.of(null))).isEmpty();
        assertThat(colour.optional().output().violations(Json.of("RED"))).isEmpty();
    }

    @Test
    void aFailureHasOneOutput() {
        assertThatThrownBy(() -> CHECK.optional().fallback((order, error, ctx) -> Optional.empty()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "Step 'check' has a fallback or is optional; a failure has one output, so set only one of them.");
        assertThatThrownBy(() -> CHECK.fallback((order, error, ctx) -> null).optional())
                .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void anOutputIsReadAsItsTypeAndNullIsNone() {
        assertThat(CHECK.read(Json.of(new Stock(1)))).contains(new Stock(1));
        assertThat(CHECK.read(Json.parse(" null "))).isEmpty();
        assertThatThrownBy(() -> CHECK.read(Json.of("none"))).isInstanceOf(InvalidJsonException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a.b", "ä", "x/y"})
    void anIdIsALetterADigitOrOneOfTwoSigns(String id) {
        assertThatThrownBy(() -> Step.of(id, Order.class, Stock.class, (order, ctx) -> null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step '" + id + "': an id has 1 to 64 letters, digits, '_' or '-'; choose another id.");
        assertThatThrownBy(() -> CHECK.withId(id)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void anIdHasAtMost64Characters() {
        assertThat(CHECK.withId("x".repeat(64)).id()).hasSize(64);
        assertThatThrownBy(() -> CHECK.withId("x".repeat(65))).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void retriesAreFrom0To100() {
        Backoff second = Backoff.fixed(Duration.ofSeconds(1));

        assertThat(CHECK.retries(0, second).retries()).isZero();
        assertThat(CHECK.retries(100, second).retries()).isEqualTo(100);
        assertThatThrownBy(() -> CHECK.retries(101, second))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'check': the number of retries must be from 0 to 100, but is 101.");
        assertThatThrownBy(() -> CHECK.retries(-1, second)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aTimeLimitIsAboveZero() {
        assertThatThrownBy(() -> CHECK.timeout(Duration.ZERO))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'check': the time limit must be above zero and at most 36500 days, but is 0 s.");
    }

    @Test
    void aSchemaThatIsNotValidIsRejected() {
        JsonSchema good = JsonSchema.of(Json.parse("{}"));
        JsonSchema bad = JsonSchema.of(Json.parse("{\"type\":\"thing\"}"));
        JsonSchema elsewhere = JsonSchema.of(Json.parse("{\"$ref\":\"https://example.org/x\"}"));

        assertThatThrownBy(() -> Step.of("raw", bad, good, (in, ctx) -> in))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Step 'raw': input is not a valid JSON Schema: /type:");
        assertThatThrownBy(() -> Step.of("raw", good, elsewhere, (in, ctx) -> in))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Step 'raw': output is not a valid JSON Schema: Reference");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> Step.of("check", Order.class, (Class<Stock>) null, (order, ctx) -> null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'check': output must not be null.");
        assertThatThrownBy(() -> Step.of("check", Order.class, Stock.class, null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'check': the handler must not be null.");
        assertThatThrownBy(() -> Step.of(null, Order.class, Stock.class, (order, ctx) -> null))
                .isInstanceOf(ConfigurationException.class);
    }
}
