package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** {@code examples/run} without a key: an example says what it shows and what it lacks. */
class ExplainedExamplesTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/chargehand/examples");
    private static final Set<String> WITHOUT_A_MODEL =
            Set.of("OrderWorkflow", "ApprovedOrder", "Ordering", "Report", "Serve", "Watched", "Node");

    private record Ran(int exitCode, String text) {}

    private static Ran run(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder process = new ProcessBuilder(Stream.concat(Stream.of("sh", "run"), Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true);
        process.environment().keySet().removeIf(name -> name.endsWith("_API_KEY") || name.equals("MODEL"));
        Process started = process.start();
        started.getOutputStream().close();
        String text = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(started.waitFor(), text);
    }

    @TestFactory
    Stream<DynamicTest> everyExampleExplainsItself() throws IOException {
        List<String> names;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            names = files.filter(file -> file.toString().endsWith(".java") && isProgram(file))
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> !WITHOUT_A_MODEL.contains(name))
                    .toList();
        }
        return names.stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    Ran ran = run(name);
                    assertThat(ran.exitCode()).isEqualTo(78);
                    assertThat(ran.text())
                            .matches("(?s)" + name + ": [A-Z].{20,}[.]\\n.*")
                            .contains("It calls the model openai/gpt-5-mini, and OPENAI_API_KEY is not set. Set it")
                            .doesNotContain("Exception");
                }));
    }

    @Test
    void theKeyIsThatOfTheNamedModel() throws Exception {
        assertThat(run("CodeReview", "anthropic/claude-sonnet-4-5").text())
                .contains("It calls the model anthropic/claude-sonnet-4-5, and ANTHROPIC_API_KEY is not set.");
    }

    private static boolean isProgram(Path file) {
        try {
            return Files.readString(file).contains("void main");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
