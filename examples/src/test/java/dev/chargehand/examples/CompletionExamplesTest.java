package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples that say when a task is done with scripted models. */
class CompletionExamplesTest {

    private static final String MODEL = "openai/gpt-5-mini";

    @Test
    void us2TheReviewGoesOnUntilTheLinterIsSilent(@TempDir Path folder) throws IOException {
        Path basket = folder.resolve("Basket.java");
        Files.writeString(basket, CodeReview.UNTIDY);
        String halfDone = CodeReview.UNTIDY.replace("(String) item", "item");
        String tidy = halfDone.replace("List items", "List<String> items").replace("ArrayList()", "ArrayList<>()");
        Script script = ScriptedModel.script()
                .on("reviewer")
                .delegates("fixer", "Remove the cast")
                .then()
                .says("All is clean.")
                .then()
                .delegates("fixer", "Mend the raw types")
                .then()
                .says("Now it is.")
                .on("fixer")
                .calls("writeFile", Map.of("file", "Basket.java", "content", halfDone))
                .then()
                .says("The cast is gone.")
                .then()
                .calls("writeFile", Map.of("file", "../Basket.java", "content", ""))
                .then()
                .calls("writeFile", Map.of("file", "Basket.java", "content", tidy))
                .then()
                .says("The types have their arguments.");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = CodeReview.review(test.bind(CodeReview.reviewer(MODEL, folder)), folder);
            assertThat(result).stoppedBecause(new StopReason.TaskComplete()).hasText("Now it is.");
            script.assertExhausted();
        }
        assertThat(asked(script, "reviewer", 2)).contains("Basket.java:5: found raw type: java.util.List");
        assertThat(basket).hasContent(tidy);
    }

    @Test
    void us7FeedbackOfOurOwnReachesTheModelAndTheRunGoesOn() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .says("Schools use AI.")
                .then()
                .says("Schools use AI. My recommendations: teach it.");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result =
                    IterationFeedback.analyse(test.bind(IterationFeedback.supervisor("scripted/researcher")), 4);
            assertThat(result).stoppedBecause(new StopReason.StoppedByHook()).hasSteps(2);
            assertThat(asked(script, "supervisor", 1))
                    .isEqualTo("Step 1 of 4: please include specific recommendations.");
        }
    }

    @Test
    void us8ARunThatNeverSatisfiesItsHookEndsInOrderAfterItsSteps() {
        try (TestRuntime test = TestRuntime.with(
                ScriptedModel.script().on("supervisor").says("Schools use AI.").forever())) {
            RunResult result =
                    IterationFeedback.analyse(test.bind(IterationFeedback.supervisor("scripted/researcher")), 4);
            assertThat(result).hasStatus(RunStatus.INCOMPLETE).hasSteps(4);
            assertThat(IterationFeedback.summary(result))
                    .isEqualTo("Not complete after 4 steps. The last draft:\nSchools use AI.");
        }
    }

    @Test
    void us1ThePaperIsWrittenAgainUntilItCitesFiveSources() {
        String draft = "AI helps [1] and harms [2].\n\n[1] A\n[2] B";
        String paper = "AI helps [1], harms [2], teaches [3], tests [4] and tires [5].\n\n"
                + "[1] A\n[2] B\n[3] C\n[4] D\n[5] E";
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find facts")
                .then()
                .delegates("writer", "Write it up")
                .then()
                .says(draft)
                .then()
                .delegates("writer", "Add three sources")
                .then()
                .says(paper)
                .on("researcher")
                .says("A, B, C, D, E")
                .on("writer")
                .says(draft)
                .then()
                .says(paper);
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = ResearchPaper.write(test.bind(ResearchPaper.supervisor(MODEL)), "AI");
            assertThat(result)
                    .stoppedBecause(new StopReason.TaskComplete())
                    .hasText(paper)
                    .hasSteps(5);
            assertThat(asked(script, "supervisor", 3))
                    .contains("citations: failed")
                    .contains("cite 3 more");
            script.assertExhausted();
        }
    }

    @Test
    void us6AReportIsCompleteWhenAllCriteriaPassAndNoJudgeIsPaidForALesserDraft() {
        String whole = "## Findings\nHeat pumps work in most old houses [1]. Their costs fall from year to year [2]. "
                + "Most need larger radiators and an electrician, and the best time is a renovation.\n\n"
                + "## Recommendations\nInsulate first.\n\n[1] A survey\n[2] A price index";
        Script script = ScriptedModel.script()
                .on("reporter")
                .says("Heat pumps are fine.")
                .then()
                .says(whole)
                .then()
                .says(whole + " of 2025")
                .on("judge")
                .says(
                        "{\"support\":{\"met\":false,\"reason\":\"The radiators have no source.\"},\"style\":{\"met\":true}}")
                .then()
                .says("{\"support\":{\"met\":true},\"style\":{\"met\":false,\"reason\":\"Long sentences.\"}}");
        List<String> log = new ArrayList<>();
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = MultiCriteriaReport.write(
                    test.bind(MultiCriteriaReport.reporter(MODEL)),
                    MultiCriteriaReport.report("scripted/judge")
                            .onComplete(scored -> MultiCriteriaReport.print(scored, log::add)));
            assertThat(MultiCriteriaReport.verdict(result)).isEqualTo("complete after 3 steps");
            assertThat(asked(script, "reporter", 2)).contains("The radiators have no source.");
            assertThat(log).first().asString().startsWith("failed minLength");
            script.assertExhausted();
        }
    }

    @Test
    void us6OneCriterionOfTwoIsEnoughIfAnyMayPass() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("reporter")
                .says("It is certain.")
                .then()
                .says("I do not know."))) {
            RunResult result = MultiCriteriaReport.write(
                    test.bind(MultiCriteriaReport.reporter(MODEL)), MultiCriteriaReport.honestAnswer());
            assertThat(result).stoppedBecause(new StopReason.TaskComplete()).hasSteps(2);
        }
    }

    @Test
    void everyMeansOfControlFitsOnOneCall() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("writer", "Write it")
                .on("writer")
                .says("AI.\n\n## Conclusion\nGood.");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = InControl.write(
                    test.bind(ResearchPaper.supervisor("scripted/researcher")), new InControl.User(false));
            assertThat(result).hasText("AI.\n\n## Conclusion\nGood.");
            assertThat(asked(script, "writer", 0)).endsWith("Write it\n\nBe concise.");
        }
    }

    @Test
    void theModelOfAnExampleIsTheArgumentElseTheEnvironments() {
        assertThat(Models.named(new String[] {"mistral/m"}, Map.of("MODEL", "openai/o")))
                .isEqualTo("mistral/m");
        assertThat(Models.named(new String[0], Map.of("MODEL", "openai/o"))).isEqualTo("openai/o");
    }

    private static String asked(Script script, String agentId, int request) {
        return script.requestsOf(agentId).get(request).messages().getLast().text();
    }
}
