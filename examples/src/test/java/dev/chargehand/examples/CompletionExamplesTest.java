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
        assertThat(script.requestsOf("reviewer").get(2).messages().getLast().text())
                .contains("Basket.java:5: found raw type: java.util.List");
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
            RunResult result = IterationFeedback.analyse(test.bind(IterationFeedback.supervisor("scripted/researcher")), 4);
            assertThat(result).stoppedBecause(new StopReason.StoppedByHook()).hasSteps(2);
            assertThat(script.requestsOf("supervisor").get(1).messages().getLast().text())
                    .isEqualTo("Step 1 of 4: please include specific recommendations.");
        }
    }

    @Test
    void us8ARunThatNeverSatisfiesItsHookEndsInOrderAfterItsSteps() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("supervisor")
                .says("Schools use AI.")
                .forever())) {
            RunResult result = IterationFeedback.analyse(test.bind(IterationFeedback.supervisor("scripted/researcher")), 4);
            assertThat(result).hasStatus(RunStatus.INCOMPLETE).hasSteps(4);
            assertThat(IterationFeedback.summary(result))
                    .isEqualTo("Not complete after 4 steps. The last draft:\nSchools use AI.");
        }
    }
}
