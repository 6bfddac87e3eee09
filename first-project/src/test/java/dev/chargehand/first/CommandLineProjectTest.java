package dev.chargehand.first;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project {@code command-line}: prompts from a pipe and as arguments, approvals at the terminal, and {@code kill -9}. */
class CommandLineProjectTest {

    private static final String PIPED = "echo \"Publish spring.md\" | java -jar target/desk.jar";
    private static final String RECOVER = "java -jar target/desk.jar --recover";

    @TempDir
    private Path folder;

    @Test
    void aCallWaitsInAPipeAndAKilledRunContinues() throws Exception {
        CopiedProject project = CopiedProject.of("command-line", folder);
        project.build("mvn -q package");
        Path published = folder.resolve("published/spring.md");

        try (Launched piped = project.java(PIPED)) {
            piped.type("Publish spring.md");
            piped.endInput();
            project.assertShown(piped.rest().replace("process " + piped.pid(), "process 4711"));
        }
        assertThat(published).doesNotExist();
        try (Launched recovers = project.java(RECOVER)) {
            recovers.upTo("or a reason to decline: ");
            recovers.type("not yet");
            assertThat(recovers.rest()).contains("spring.md: ", "not yet", "COMPLETED: ");
        }
        assertThat(published).doesNotExist();

        try (Launched killed = project.java("java -Dcheck.seconds=300")) {
            assertThat(killed.upTo("checks in process " + killed.pid() + "\n")).doesNotContain("check-draft: ");
        }
        try (Launched recovers = project.java(RECOVER)) {
            assertThat(recovers.upTo("or a reason to decline: "))
                    .contains("continues run_", "checks in process " + recovers.pid(), "check-draft: \"21 words");
            recovers.type("y");
            assertThat(recovers.rest()).contains("Published as published/spring.md", "COMPLETED: ");
        }
        assertThat(published).hasSameTextualContentAs(folder.resolve("drafts/spring.md"));
        try (Launched recovers = project.java(RECOVER)) {
            assertThat(recovers.rest()).contains("There is nothing to recover.");
        }
    }
}
