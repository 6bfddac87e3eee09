package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.StructuredOutput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The object of a result, read as the type that the run was made with or as another one. */
class ObjectOfResultTest {

    record Line(String article, int count) {}

    record Order(String customer, List<Line> lines) {}

    record Priced(String article, String price) {}

    record Invoice(String customer, String total, List<Priced> lines) {}

    record Part(String name, List<Part> parts) {}

    record Customer(String customer) {}

    record Booking(@Nullable Customer customer, @Nullable String table) {}

    record Guest(String customer, @Nullable String table, Optional<String> room) {}

    interface Named {
        String customer();
    }

    private static final String ORDER = "{\"customer\":\"Ada\",\"lines\":[{\"article\":\"nut\",\"count\":2}]}";

    private static RunResult answering(String text, Consumer<RunOptions.Builder> options) {
        return Both.run(Crew.solo(), options, () -> Scripts.on("solo").says(text))
                .result();
    }

    private static RunResult order() {
        return answering(ORDER, o -> o.structuredOutput(Order.class));
    }

    @Test
    void aTypeThatRequiresMoreThanTheObjectHasIsAnError() {
        RunResult order = order();
        assertThatThrownBy(() -> order.object(Invoice.class))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageContainingAll(
                        "Run " + order.runId() + " of agent 'solo'",
                        "no Invoice",
                        "it lacks /total, /lines/0/price.",
                        "structured output that has the properties customer, lines.",
                        "@Nullable or Optional");
        assertThatThrownBy(() -> order.object(new JsonType<Map<String, Invoice>>() {}))
                .isInstanceOf(InvalidJsonException.class);
    }

    @Test
    void aTypeThatRequiresNoMoreIsRead() {
        RunResult order = order();
        assertThat(order.object(Customer.class)).isEqualTo(new Customer("Ada"));
        assertThat(order.object(Guest.class)).isEqualTo(new Guest("Ada", null, Optional.empty()));
        assertThat(order.object(Order.class).lines()).containsExactly(new Line("nut", 2));
        assertThat(order.object(Json.class)).isEqualTo(Json.parse(ORDER));
        assertThat(order.object(new JsonType<Map<String, Object>>() {})).containsEntry("customer", "Ada");
        assertThat(order.objectSchema()).contains(JsonSchema.of(Order.class));
    }

    @Test
    void aNullThatTheTypeDoesNotAllowIsMissing() {
        RunResult result = answering(
                "{\"customer\":null}",
                o -> o.structuredOutput(StructuredOutput.of(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))));
        assertThatThrownBy(() -> result.object(Customer.class))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageContainingAll("no Customer", "it lacks /customer.", "of another schema");
    }

    @Test
    void whatIsMissingIsFoundInValuesOfMapsAndBehindReferences() {
        JsonSchema parts = JsonSchema.of(Part.class);
        assertThat(parts.json().text()).contains("$ref");
        assertThat(parts.missingProperties(Json.parse(
                        "{\"name\":\"a\",\"parts\":[{\"name\":\"b\",\"parts\":[{\"name\":null}]},{\"parts\":[]}]}")))
                .containsExactly("/parts/0/parts/0/name", "/parts/0/parts/0/parts", "/parts/1/name");
        String customers = "{\"type\":\"object\",\"additionalProperties\":"
                + JsonSchema.of(Customer.class).json() + "}";
        assertThat(JsonSchema.of(Json.parse(customers))
                        .missingProperties(Json.parse("{\"first\":{\"customer\":\"Ada\"},\"second\":{}}")))
                .containsExactly("/second/customer");
    }

    @Test
    void whatIsMissingIsFoundInWhatMayBeNull() {
        JsonSchema bookings = JsonSchema.of(new JsonType<List<Booking>>() {});
        assertThat(bookings.missingProperties(Json.parse("[{\"customer\":{}},{\"customer\":null,\"table\":null},{}]")))
                .containsExactly("/0/customer/customer");
    }

    @Test
    void aTypeThatCannotBeReadIsNamed() {
        RunResult order = order();
        assertThatThrownBy(() -> order.object(Named.class))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageContainingAll("cannot be read as Named", "is an interface");
        assertThatThrownBy(() -> order.object(Integer.class))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageContainingAll("cannot be read as Integer", "a whole number");
    }

    @Test
    void aRunWithoutTheOptionSaysWhichOptionIsMissing() {
        RunResult plain = answering("Done", o -> {});
        assertThat(plain.objectSchema()).isEmpty();
        assertThatThrownBy(() -> plain.object(Order.class))
                .isInstanceOf(InvalidOutputException.class)
                .hasMessageContainingAll(
                        "Run " + plain.runId() + " of agent 'solo'",
                        "without the option 'structuredOutput'",
                        "o.structuredOutput(Order.class)");
    }

    @Test
    void aRunWithTheOptionThatGaveNoAnswerSaysHowItEnded() {
        RunResult stopped = Both.run(
                        Crew.supervisor(),
                        o -> o.structuredOutput(Order.class).maxSteps(1),
                        Turns.of("supervisor", Turn.delegates("researcher", "P")),
                        Turns.saying("researcher", "FA"))
                .result();
        assertThatThrownBy(() -> stopped.object(Order.class))
                .isInstanceOf(InvalidOutputException.class)
                .hasMessageContaining("the run ended as " + stopped.stopReason().code())
                .message()
                .doesNotContain("without the option");
    }
}
