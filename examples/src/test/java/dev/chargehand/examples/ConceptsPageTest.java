package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.Prices;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Samples of docs/concepts.md that no program shows. */
class ConceptsPageTest {

    private static final Agent READER =
            Agent.builder("reader").model("openai/gpt-5-mini").build();

    @Test
    void aRunMayStartWithAPicture() {
        try (TestRuntime test = TestRuntime.with(
                ScriptedModel.script().on("reader").says("A boat."))) {
            byte[] png = {1, 2, 3};
            RunResult result = ask(test.bind(READER), png);

            assertThat(result).finished().hasText("A boat.");
            assertThat(test.script().requestsOf("reader").getFirst().messages().getLast().partsOf(Part.Image.class))
                    .containsExactly(new Part.Image("image/png", "data:image/png;base64,AQID"));
        }
    }

    @Test
    void aBudgetOfCostHasPrices() {
        try (TestRuntime test = TestRuntime.with(
                ScriptedModel.script().on("reader").says("A boat."))) {
            RunResult result = bounded(test.bind(READER), "Which ship is this?");

            assertThat(result).finished();
            assertThat(result.cost()).isZero(); // a scripted model has no price
        }
    }

    private static RunResult ask(Agent reader, byte[] png) {
        Message question = Message.of(
                Role.USER,
                new Part.Text("What is this?"),
                new Part.Image("image/png", "data:image/png;base64," + Base64.getEncoder().encodeToString(png)));
        return reader.generate(List.of(question), o -> o.maxSteps(3));
    }

    private static RunResult bounded(Agent reader, String prompt) {
        return reader.generate(prompt, o -> o
                .budget(b -> b.tokens(50_000).cost(new BigDecimal("0.25")))
                .prices(Prices.NONE.with("openai/gpt-5-mini", new BigDecimal("0.25"), new BigDecimal("2.00"))));
    }
}
