package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The picture of a terminal in the README. */
class TerminalPictureTest {

    private static final Path RECORDING = Path.of("src/recordings/first-run.txt");
    private static final Path PICTURE = Path.of("../docs/diagrams/first-run.svg");

    @Test
    void thePictureIsThatOfTheRecording() throws IOException {
        assertThat(Files.readString(PICTURE))
                .as("made by TerminalPicture " + RECORDING + " " + PICTURE)
                .isEqualTo(TerminalPicture.of(Files.readAllLines(RECORDING)));
    }

    @Test
    void theRecordedCommandIsThatOfTheReadme() throws IOException {
        String command = Files.readAllLines(RECORDING).getFirst().substring("$ ".length());
        assertThat(Files.readString(Path.of("../README.md"))).contains("```\n" + command + "\n```");
    }

    @Test
    void linesAppearWhenTheyWerePrintedAndTextIsNoMarkup() {
        String picture =
                TerminalPicture.of(List.of("$ run", "offline", "    0.18s  boss  calls <x> & more", "", "Done"));

        assertThat(picture.lines().filter(line -> line.startsWith("<text")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("delay: 0.00s", ">$ run<"),
                        line -> assertThat(line).contains("delay: 0.80s", ">offline<"),
                        line -> assertThat(line).contains("delay: 0.98s", "calls &lt;x&gt; &amp; more<"),
                        line -> assertThat(line).contains("delay: 0.98s", ">Done<"));
    }
}
