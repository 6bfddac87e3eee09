package dev.chargehand.first;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project {@code test-suite}: its tests pass, and fail if the code that they test is broken. */
class TestSuiteProjectTest {

    private static final String CODE = "src/main/java/org/example/newsroom/Newsroom.java";

    @TempDir
    private Path folder;

    @Test
    void theTestsPassAndFailWhenTheCodeIsBroken() throws Exception {
        CopiedProject project = CopiedProject.of("test-suite", folder);
        Installation.Ran green = project.maven("mvn test");
        assertThat(green.out()).contains("Tests run: 9, Failures: 0, Errors: 0, Skipped: 0");
        assertThat(green.exitCode()).isZero();

        Installation.Ran rehearsal = project.maven("mvn -q test-compile exec:exec");
        assertThat(rehearsal.out()).contains(project.readme().block("", "No model is called"));

        project.change(CODE, code -> code.replaceAll("\\s+\\.(requiresApproval|repeatable)\\(\\)", ""));
        Installation.Ran red = project.maven("mvn test");
        assertThat(red.exitCode()).isNotZero();
        assertThat(red.out())
                .contains("ApprovalTest.aDeclinedArticleIsNotPrintedAndTheModelReceivesTheReason")
                .contains("CrashTest.aKilledRunContinuesWithoutAskingItsModelsAgain")
                .doesNotContain("ERROR]   FailingToolTest");
    }
}
