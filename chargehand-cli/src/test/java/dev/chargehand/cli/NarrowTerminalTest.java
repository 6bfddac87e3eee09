package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** On a terminal no line is wider than it, and no word is torn where it fits in a line. */
class NarrowTerminalTest {

    @TempDir
    private Path folder;

    private List<String> shown(int columns, String... arguments) throws IOException {
        try (Seat seat = new Seat(columns)) {
            seat.starts(folder, Map.of("NO_COLOR", "1"), arguments).leaves();
            return (seat.screen() + seat.err()).lines().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 40, 56})
    void helpIsBrokenWhereWordsEnd(int columns) throws IOException {
        CommandLine command = Main.commandLine(Ran.shell(folder));
        for (String name : command.getSubcommands().keySet()) {
            List<String> lines = shown(columns, name, "--help");
            assertThat(lines)
                    .as(name)
                    .allMatch(line -> line.length() < columns || !line.strip().contains(" "));
            assertThat(String.join(" ", lines))
                    .containsIgnoringWhitespaces(Ran.in(folder, name, "--help").out());
        }
    }

    @Test
    void aDescriptionStandsBelowALongName() throws IOException {
        assertThat(shown(40, "run", "--help"))
                .containsSequence(
                        "  -a, --agent=ID", "      The agent to run. Default:", "      'default' in chargehand.yaml.")
                .containsSequence("      --version=AGENT=VERSION", "      The version of an agent: its id,");
        assertThat(shown(40, "--help"))
                .containsSequence("  approve     Approve a waiting call,", "              and resume its run.");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 100, 200})
    void errorsAndHistoriesAreBrokenWhereWordsEnd(int columns) throws IOException {
        Files.createDirectory(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/boats.md"), "# Boats\n\nA boat floats on the water it displaces.\n");
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: offline
                default: boss
                agents:
                  boss: { agents: [finder] }
                  finder: { description: Finds passages in the documents of the folder., tools: [search-files] }
                """);
        shown(columns, "run", "Why does a boat float?", "--thread", "t1");
        for (String line :
                List.of("show last", "agents", "check", "threads show t1", "run hi --agent findr", "runs", "show no")) {
            assertThat(shown(columns, line.split(" ")))
                    .as(line)
                    .isNotEmpty()
                    .allMatch(each -> each.length() < columns || !each.strip().contains(" "));
        }
    }
}
