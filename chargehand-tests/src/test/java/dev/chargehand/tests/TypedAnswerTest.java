package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An answer that is read as a Java type by the call that asks for it. */
class TypedAnswerTest {

    record Report(String summary, List<String> advice) {}

    record Row(int id) {}

    @Test
    void anAnswerIsReadAsTheTypeOfTheCall() {
        try (TestRuntime test = TestRuntime.with(
                ScriptedModel.script().on("analyst").says("{\"summary\":\"Good\",\"advice\":[\"Buy\"]}"))) {
            RunResult.Typed<Report> report = test.bind(analyst()).generate("Research", Report.class);

            assertThat(report.value()).isEqualTo(new Report("Good", List.of("Buy")));
            assertThat(report.result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void theOptionsOfTheCallComeAfterTheType() {
        Report fallback = new Report("Nothing is known", List.of());
        try (TestRuntime test = TestRuntime.with(
                ScriptedModel.script().on("analyst").says("no").then().says("no"))) {
            RunResult.Typed<Report> report = test.bind(analyst())
                    .generate(
                            "Research",
                            Report.class,
                            options -> options.structuredOutput(
                                    StructuredOutput.of(Report.class).fallback(fallback)));

            assertThat(report.value()).isEqualTo(fallback);
        }
    }

    @Test
    void aRunThatWaitsHasNoAnswerYet() {
        Tool delete = Tool.builder("delete", "Deletes a row.")
                .input(Row.class)
                .requiresApproval()
                .handler((row, context) -> "deleted")
                .build();
        try (TestRuntime test =
                TestRuntime.with(ScriptedModel.script().on("analyst").calls("delete", Map.of("id", 1)))) {
            RunResult.Typed<Report> report = test.bind(Agent.builder("analyst")
                            .model("openai/gpt-5-mini")
                            .tools(delete)
                            .build())
                    .generate("Delete", Report.class);

            assertThat(report.result().status()).isEqualTo(RunStatus.SUSPENDED);
            assertThatThrownBy(report::value).isInstanceOf(InvalidOutputException.class);
        }
    }

    private static Agent analyst() {
        return Agent.builder("analyst").model("openai/gpt-5-mini").build();
    }
}
