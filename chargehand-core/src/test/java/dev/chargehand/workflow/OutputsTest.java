package dev.chargehand.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Outputs and outcomes keep their types through JSON. */
class OutputsTest {

    private static final Step<String, Integer> PRICE = Step.of("price", String.class, Integer.class, (in, ctx) -> 1);
    private static final Step<String, String> NAME = Step.of("name", String.class, String.class, (in, ctx) -> in);

    @Test
    void eachOutputHasTheTypeOfItsStep() {
        Outputs outputs = Outputs.of(Map.of("price", Json.of(5), "name", Json.of("pen")));

        int price = outputs.get(PRICE);
        String name = outputs.get(NAME);

        assertThat(price).isEqualTo(5);
        assertThat(name).isEqualTo("pen");
    }

    @Test
    void theirJsonKeepsTheOrderOfDefinition() {
        Map<String, Json> byStep = new LinkedHashMap<>();
        byStep.put("price", Json.of(5));
        byStep.put("name", Json.of("pen"));
        Outputs outputs = Outputs.of(byStep);

        assertThat(outputs.json()).isEqualTo(Json.parse("{\"price\":5,\"name\":\"pen\"}"));
        assertThat(outputs).hasToString("{\"price\":5,\"name\":\"pen\"}").isEqualTo(Outputs.of(byStep));
    }

    @Test
    void aStepThatDidNotRunHasNone() {
        Outputs outputs = Outputs.of(Map.of("price", Json.of(5)));

        assertThat(outputs.find(PRICE)).contains(5);
        assertThat(outputs.find(NAME)).isEmpty();
        assertThatThrownBy(() -> outputs.get(NAME))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'name' has no output here; the steps with an output are [price]."
                        + " Use find for a step that may not have run.");
    }

    @Test
    void anOptionalStepThatFailedHasAnEmptyOutput() {
        Outputs outputs = Outputs.of(Map.of("price", Json.of(null)));

        assertThat(outputs.get(PRICE.optional())).isEmpty();
        assertThat(outputs.find(PRICE)).isEmpty();
        assertThat(Outputs.of(Map.of()).find(PRICE.optional())).isEmpty();
    }

    @Test
    void aStepMayTakeThemAndReturnThem() throws Exception {
        Step<Outputs, Outputs> pass = Step.of("pass", Outputs.class, Outputs.class, (outputs, ctx) -> outputs);
        Json json = Json.parse("{\"price\":5}");

        assertThat(pass.call(json, FixedContext.of(json))).isEqualTo(json);
        assertThat(pass.read(json)).contains(Outputs.of(Map.of("price", Json.of(5))));
    }

    @Test
    void whatIsNoObjectIsNotReadAsOutputs() {
        Step<Outputs, Outputs> pass = Step.of("pass", Outputs.class, Outputs.class, (outputs, ctx) -> outputs);

        assertThatThrownBy(() -> pass.call(Json.of(1), FixedContext.of(Json.of(1))))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessage("Outputs must be a JSON object with a key for each step.");
    }

    @Test
    void aStepMayTakeOutcomesAndReturnThem() throws Exception {
        JsonType<List<Outcome<Integer>>> type = new JsonType<>() {};
        Step<List<Outcome<Integer>>, List<Outcome<Integer>>> pass = Step.of("pass", type, type, (all, ctx) -> all);
        Json json = Json.parse("[{\"ok\":5},{\"error\":\"late\"}]");

        assertThat(pass.call(json, FixedContext.of(json))).isEqualTo(json);
        assertThat(pass.read(json)).contains(List.of(new Outcome.Success<>(5), new Outcome.Failure<>("late")));
    }

    @Test
    void anOutcomeOfAnObjectWithAnErrorOfItsOwnIsASuccess() {
        JsonType<Outcome<Json>> type = new JsonType<>() {};
        Step<Json, Outcome<Json>> step =
                Step.of("any", new JsonType<Json>() {}, type, (in, ctx) -> new Outcome.Success<>(in));

        assertThat(step.read(Json.parse("{\"ok\":{\"error\":\"x\"}}")))
                .contains(new Outcome.Success<>(Json.parse("{\"error\":\"x\"}")));
    }

    @Test
    void anythingIsReadAsJson() throws Exception {
        Step<Json, Json> step = Step.of("any", Json.class, Json.class, (in, ctx) -> in);

        for (String each : List.of("null", "1", "[{}]")) {
            assertThat(step.input().violations(Json.parse(each))).isEmpty();
            assertThat(step.call(Json.parse(each), FixedContext.of(Json.of(1)))).isEqualTo(Json.parse(each));
        }
        assertThat(step.read(Json.of(null))).contains(Json.of(null));
    }

    @Test
    void optionalItemsAreReadFromNull() {
        Step<String, List<Optional<Integer>>> step = Step.of(
                "some", new JsonType<String>() {}, new JsonType<List<Optional<Integer>>>() {}, (in, ctx) -> List.of());

        assertThat(step.read(Json.parse("[1,null]"))).contains(List.of(Optional.of(1), Optional.empty()));
        assertThat(step.output().violations(Json.parse("[1,null]"))).isEmpty();
    }
}
