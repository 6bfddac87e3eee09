package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.Usage;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Both.Ran;
import org.junit.jupiter.api.Test;

class ReferenceNetworkTest {

    @Test
    void case40() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .says(
                                "{\"primitiveId\":\"researcher\",\"primitiveType\":\"agent\",\"prompt\":\"Find facts\",\"selectionReason\":\"because\"}")
                        .then()
                        .says("{\"isComplete\":true,\"completionReason\":\"all good\",\"finalResult\":\"\"}")
                        .on("researcher")
                        .says("Fact A"))
                .agent(Crew.supervisor())
                .network()
                .run();
        ran.events().forEach(e -> System.out.println(e.toJson().text()));
        ran.script().requests().forEach(r -> System.out.println(String.join("\n", Wire.lines(r)) + "\n-----"));
        ran.facts().forEach(System.out::println);
        assertThat(ran.result()).hasText("Fact A").hasTotalUsage(Usage.of(30, 15));
    }
}
