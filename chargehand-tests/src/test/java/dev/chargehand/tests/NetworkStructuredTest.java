package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunStream;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A network whose answer is to be an object: the router's model makes it when the task is done. */
class NetworkStructuredTest {

    record Report(String summary, List<String> recommendations, double confidence) {}

    private static final String GOOD = "{\"summary\":\"S\",\"recommendations\":[\"a\",\"b\"],\"confidence\":0.5}";
    private static final Report REPORT = new Report("S", List.of("a", "b"), 0.5);

    private static Both network(Supplier<Script> script) {
        return Both.ways(script).agent(Crew.supervisor()).network().options(o -> o.structuredOutput(Report.class));
    }

    private static Script done(String found) {
        return Scripts.of(
                        Turns.saying("researcher", found),
                        Turns.saying("structurer", GOOD),
                        Turns.saying("supervisor", Routed.agent("researcher", "Find"), Routed.complete("ok", "")))
                .then();
    }

    @Test
    void theObjectIsMadeWhenTheTaskIsDone() {
        Ran ran = network(() -> done("FA").says(GOOD)).run();
        assertThat(ran.script().requestsOf("supervisor").getFirst().output()).isNotEqualTo(JsonSchema.of(Report.class));
        assertThat(ran.script().requestsOf("supervisor").get(2).output()).isEqualTo(JsonSchema.of(Report.class));
        assertThat(ran.request("supervisor", 3).getFirst()).isEqualTo("system: You supervise.");
        assertThat(ran.request("supervisor", 3).getLast()).startsWith("system: The task is done.");
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasObject(REPORT)
                .hasText(GOOD)
                .hasTotalUsage(Usage.of(40, 20));
        assertThat(Routed.types(ran.events()))
                .containsSubsequence(
                        "network-validation-end",
                        "network-execution-event-step-finish",
                        "routing-agent-start",
                        "network-object",
                        "network-object-result",
                        "network-execution-event-step-finish",
                        "network-execution-event-finish");
    }

    @Test
    void whatWasFoundMayBeTheObjectAlready() {
        Ran ran = network(() -> done(GOOD)).run();
        assertThat(ran.result()).hasObject(REPORT).hasSteps(1);
        assertThat(ran.script().requestsOf("supervisor")).hasSize(2);
    }

    @Test
    void anObjectThatDoesNotFitIsMendedOnce() {
        Ran ran = network(() -> done("FA").says("{\"summary\":\"S\"}").then().says(GOOD))
                .run();
        assertThat(ran.request("supervisor", 4).getLast()).contains("recommendations");
        assertThat(ran.result()).hasObject(REPORT).hasSteps(3);
    }

    @Test
    void oneThatNeverFitsFailsTheNetworkOrFallsBack() {
        Supplier<Script> script =
                () -> done("FA").says("{\"summary\":\"S\"}").then().says("No.");
        Ran strict = network(script).run();
        assertThat(strict.failure()).isNotNull();
        assertThat(strict.failure().code()).isEqualTo("invalid-output");
        assertThat(Routed.types(strict.events()))
                .containsSubsequence("network-object-result", "error", "run-finish")
                .doesNotContain("network-execution-event-finish");
        Ran fallback = network(script)
                .options(o -> o.structuredOutput(
                        StructuredOutput.of(Report.class).fallback(new Report("none", List.of(), 0))))
                .run();
        assertThat(fallback.result()).hasObject(new Report("none", List.of(), 0));
    }

    @Test
    void anotherModelMayMakeTheObject() {
        Ran ran = network(() -> done("FA"))
                .options(o ->
                        o.structuredOutput(StructuredOutput.of(Report.class).structuredBy("scripted/structurer")))
                .run();
        assertThat(ran.result()).hasObject(REPORT).hasText("FA").hasSteps(1);
    }

    @Test
    void whatTheRouterAnswersItselfMayBeTheObject() {
        Ran ran =
                network(() -> Scripts.on("supervisor").says(Routed.none(GOOD))).run();
        assertThat(ran.result()).finished().hasObject(REPORT);
    }

    @Test
    void aNetworkThatEndsWithoutAnAnswerHasNoObject() {
        Ran ran = network(() -> Scripts.of(
                        Turns.saying("supervisor", Routed.agent("researcher", "Find"), Routed.incomplete("more")),
                        Turns.saying("researcher", "FA")))
                .options(o -> o.structuredOutput(Report.class).maxSteps(1))
                .run();
        assertThat(ran.result()).hasStatus(RunStatus.INCOMPLETE).hasNoObject();
    }

    @Test
    @SuppressWarnings("deprecation") // what is tested
    void theObjectCanBeReadWhileItArrives() {
        List<Json> objects = new ArrayList<>();
        try (TestRuntime test = TestRuntime.with(done("FA")
                        .streams("{\"summary\":\"S\",", "\"recommendations\":[\"a\",", "\"b\"],\"confidence\":0.5}"));
                RunStream run = test.bind(Crew.supervisor())
                        .network("Go", o -> o.thread("t").structuredOutput(Report.class))) {
            run.objectStream().forEach(objects::add);
        }
        assertThat(objects).hasSizeGreaterThan(2);
        assertThat(objects.getFirst()).isEqualTo(Json.parse("{\"summary\":\"S\"}"));
        assertThat(objects.getLast()).isEqualTo(Json.parse(GOOD));
    }
}
