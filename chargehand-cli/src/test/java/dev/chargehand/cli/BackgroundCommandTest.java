package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands do with background tasks of the agents of a file. */
class BackgroundCommandTest {

    private static final Path EXAMPLE = Path.of("../examples/background/chargehand.yaml");
    private static final Pattern TASK = Pattern.compile("in the background on task (\\w+)");

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectory(folder.resolve("papers"));
        Files.writeString(folder.resolve("papers/roofs.md"), "# Solar roofs\n\nA solar roof lasts for 25 years.\n");
        write("search-files");
    }

    private void write(String tool) throws IOException {
        Files.writeString(
                folder.resolve("chargehand.yaml"),
                Files.readString(EXAMPLE)
                        .replace("docs: ../../docs", "docs: papers")
                        .replace("tools: [search-files]", "tools: [ " + tool + " ]"));
    }

    private Ran run(String... arguments) {
        return Ran.in(folder, arguments);
    }

    private static String task(Ran ran) {
        Matcher task = TASK.matcher(ran.err());
        assertThat(task.find()).as(ran.err()).isTrue();
        return task.group(1);
    }

    /** Returns how many turns of the conversation have ended with an answer. */
    private long turns() {
        return run("runs", "--agent", "desk", "--status", "completed", "--json")
                .out()
                .lines()
                .count();
    }

    @Test
    void aRunWaitsForItsTasksAndPrintsTheAnswerOfTheTurnThatReadThem() {
        Ran ran = run("run", "How long does a solar roof last?");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("25 years").doesNotContain("in the background");
        assertThat(ran.err())
                .containsSubsequence(
                        "researcher works in the background on task", "thread chat_", "1 background task;");
        assertThat(run("runs").out()).contains("desk", "researcher");
    }

    @Test
    void theConversationIsTheOneThatIsNamed() {
        run("run", "How long does a solar roof last?", "--thread", "t1");

        assertThat(run("threads", "show", "t1").out()).contains("25 years");
    }

    @Test
    void aTaskThatWaitsForAnAnswerIsNamedAndContinuesLater() throws IOException {
        write("search-files: { approval: true }");

        Ran ran = run("run", "How long does a solar roof last?", "--thread", "t1");
        String task = task(ran);
        assertThat(ran.exitCode()).as(ran.err()).isEqualTo(4);
        assertThat(ran.err())
                .containsSubsequence(
                        "background task " + task + " of researcher has not ended",
                        "chargehand approve " + task,
                        "chargehand recover");

        Ran approved = run("approve", task);
        assertThat(approved.exitCode()).as(approved.err()).isZero();
        run("recover");
        assertThat(turns()).isEqualTo(2);
    }

    @Test
    void aTaskWhoseAnswerWasStoredIsContinuedUnderTheAgentsAboveIt() throws IOException {
        write("search-files: { approval: true }");
        String task = task(run("run", "How long does a solar roof last?", "--thread", "t1"));
        Path file = folder.resolve("chargehand.yaml");
        String whole = Files.readString(file);
        Files.writeString(file, whole + "mistake: 1\n");
        run("approve", task);
        Files.writeString(file, whole);

        Ran recovered = run("recover");

        assertThat(recovered.err()).contains("run " + task + ": completed").doesNotContain("was not resumed");
        run("recover");
        assertThat(turns()).isEqualTo(2);
    }

    @Test
    void aChatNamesATaskThatHasNotEnded() throws IOException {
        write("search-files: { approval: true }");

        Ran ran = Ran.reading(folder, Map.of(), List.of("How long does a solar roof last?"), "chat", "--thread", "t1");

        assertThat(ran.err() + ran.out())
                .contains("Background task ", " of researcher has not ended. Continue it with: chargehand recover");
    }

    @Test
    void aChatExecutesItsTasksWhileItLasts() {
        InputStream input = new SequenceInputStream(
                lines("How long does a solar roof last?\n"), new AfterTheTask(lines("/help\n")));

        Ran ran = Ran.reading(folder, input, "chat", "--thread", "t1");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.err() + ran.out()).contains("in the background on task").doesNotContain("has not ended");
    }

    private static InputStream lines(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Gives what is read only when the task of the researcher has ended. */
    private final class AfterTheTask extends FilterInputStream {

        private static final int MOST_LOOKS = 1_000;

        private boolean ended;

        AfterTheTask(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            for (int looks = 0; !ended; looks++) {
                if (looks == MOST_LOOKS) {
                    throw new AssertionError("The chat does not execute its task.");
                }
                ended = !run("runs", "--agent", "researcher", "--status", "completed", "--json")
                        .out()
                        .isBlank();
            }
            return super.read(bytes, from, length);
        }
    }
}
