package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Runs the example of an instrumentation with a scripted model. */
class CallTimesTest {

    @Test
    void everyRunAndCallIsALine() {
        Script script = ScriptedModel.script().on("solo").says("Done");
        Agent solo = Agent.builder("solo").model(script.modelFor("solo")).build();
        List<String> log = new CopyOnWriteArrayList<>();
        try (TestRuntime test = TestRuntime.builder(script)
                .addInstrumentation(CallTimes.timing(log::add))
                .agents(solo)
                .build()) {
            test.agent("solo").generate("Go");
        }
        assertThat(log).anyMatch(line -> line.startsWith("MODEL ")).anyMatch(line -> line.startsWith("RUN "));
    }
}
