package dev.chargehand.examples.start;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The model is a script; the tool is the real one. */
class WeatherTest {

    @Test
    void theToolIsCalledWithTheCity() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("weather")
                .calls("forecast", Map.of("name", "Oslo"))
                .then()
                .says("A rain coat."))) {
            RunResult result = test.bind(Weather.agent()).generate("What do I wear in Oslo today?");
            assertThat(result).finished().hasText("A rain coat.").calledTool("forecast");
        }
    }
}
