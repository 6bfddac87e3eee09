package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command's log looks like; in a process of its own, since the logging back end reads its settings once. */
class LogLinesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private List<String> errors(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.command().addAll(List.of(command));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(folder.resolve("err"));
    }

    @Test
    void aMistakeOfASchemaIsOneLineInOurWords() throws Exception {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: openai/gpt-5-mini
                agents:
                  boss: { structuredOutput: { schema: { pattern: '[' } } }
                """);

        assertThat(errors("check"))
                .containsExactly("chargehand: chargehand.yaml:3:31: 'schema' of 'structuredOutput' of agent 'boss'"
                        + " is no JSON schema: /pattern: '[' is not a regular expression: Unclosed character class.");
    }

    @Test
    void aLineOfTheLogNamesItsClassShortlyAndNoThread() throws Exception {
        Files.createDirectory(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/a.md"), "# Delegation\n\nA supervisor hands work over.\n");

        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: offline
                agents:
                  boss: { tools: [ search-files ] }
                """);

        assertThat(errors("run", "--verbose", "Who hands work over?"))
                .anyMatch(line -> line.startsWith("DEBUG IndexMaker - "));
    }
}
